#include "validate/case_runner.hpp"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "validate/case_table.hpp"

namespace abut {
namespace {

CheckSpec make_check(double expected, double tolerance) {
  CheckSpec check;
  check.quantity = "q";
  check.expected = expected;
  check.tolerance = tolerance;
  return check;
}

TEST(Judge, AgreesWithinTheToleranceAndFailsBeyond) {
  const CheckSpec check = make_check(1.0, 0.125);
  EXPECT_EQ(judge(check, 1.125).verdict, Verdict::agrees);
  EXPECT_EQ(judge(check, 1.1251).verdict, Verdict::fails);
  EXPECT_EQ(judge(check, 0.8749).verdict, Verdict::fails);
  EXPECT_EQ(judge(check, std::numeric_limits<double>::quiet_NaN()).verdict, Verdict::fails);
}

TEST(Judge, APrintedNumberMustAgreeToItsOwnCoarseness) {
  CheckSpec check = make_check(2.39, 1e-3);
  check.published = 2.4;
  EXPECT_EQ(judge(check, 2.39).message, "as expected, but not the printed 2.4");
  check.printed_to = 0.05;
  EXPECT_EQ(judge(check, 2.39).verdict, Verdict::agrees);
}

TEST(Judge, ADeclaredDifferenceMustBeOne) {
  CheckSpec check = make_check(0.55, 1e-3);
  check.differs = true;
  check.published = 0.7;
  EXPECT_EQ(judge(check, 0.55).verdict, Verdict::differs);
  EXPECT_EQ(judge(check, 0.60).verdict, Verdict::fails);
  check.published = 0.5505;
  EXPECT_EQ(judge(check, 0.55).message, "declared to differ from the printed 0.5505, but agrees with it");
}

/// A case in a folder of its own, removed afterwards.
class CaseFolder : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() / ("abut_case_" + name);
    std::filesystem::create_directories(folder_);
    write("drop.toml",
          "[run]\nduration = 1.0\n[[body]]\nname = \"ball\"\nmass = 1\nshape = { type = \"sphere\", radius = 0.1 }\n"
          "position = [0, 0, 1]\n[[body]]\nname = \"floor\"\nfixed = true\nshape = { type = \"half-space\", normal = "
          "[0, 0, 1] }\n"
          "[[contact]]\nbetween = [\"ball\", \"floor\"]\nnormal = { law = \"gonthier\", stiffness = 1e7, restitution = "
          "0.5 }\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  CaseSpec make_case(const std::string& measure, const std::string& expected) const {
    return read_case_text(
        "title = \"T\"\nsource = \"S\"\n[[check]]\nquantity = \"q\"\nscene = \"drop.toml\"\nmeasure = \"" + measure +
            "\"\nexpected = " + expected + "\ntolerance = 1e-6\ntolerance_reason = \"r\"\n",
        folder_);
  }

  std::filesystem::path folder_;
};

TEST_F(CaseFolder, RunsASceneAndJudgesIt) {
  // sqrt(2 * 0.9 / 9.81): the ball falls 0.9 m.
  EXPECT_EQ(PreparedCase(make_case("touch_time(ball, floor, 1)", "\"sqrt(1.8 / 9.81)\"")).run()[0].verdict,
            Verdict::agrees);
  EXPECT_EQ(PreparedCase(make_case("touch_time(ball, floor, 1)", "0.5")).run()[0].verdict, Verdict::fails);
}

TEST_F(CaseFolder, AMeasureWithoutAnswerFailsWithTheReason) {
  const CheckResult result = PreparedCase(make_case("touch_time(ball, floor, 99)", "1")).run()[0];
  EXPECT_EQ(result.verdict, Verdict::fails);
  EXPECT_NE(result.message.find("there is no contact 99"), std::string::npos) << result.message;
}

TEST_F(CaseFolder, PointsAtTheMistakeInAMeasure) {
  try {
    const PreparedCase prepared(make_case("touch_time(ball, flor, 1)", "1"));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("case.toml:6:29: there is no body 'flor'. Did you mean 'floor'?"), std::string::npos) << text;
  }
}

TEST_F(CaseFolder, ComparesTwoRunsOfAScene) {
  const auto make = [this](const std::string& measure, const std::string& key) {
    CaseSpec spec = make_case(measure, "0");
    return read_case_text(spec.text + key, folder_);
  };
  const std::string higher = "reference = [\"body[0].position=[0, 0, 1.5]\"]\n";
  // Both fall alike: half a metre apart all the time, until the lower one lands.
  const std::string apart = "mean_over(0, 0.4, reference(position(ball, z)) - position(ball, z)) - 0.5";
  EXPECT_EQ(PreparedCase(make(apart, higher)).run()[0].verdict, Verdict::agrees);
  const auto find_mistake = [&](const std::string& measure, const std::string& key) -> std::string {
    try {
      const PreparedCase prepared(make(measure, key));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(find_mistake(apart, "").find("needs the key 'reference'"), std::string::npos);
  EXPECT_NE(find_mistake("position(ball, z)", higher).find("its measure never asks for it"), std::string::npos);
  EXPECT_NE(find_mistake(apart, "reference = [\"body[0].name=egg\"]\n").find("egg"), std::string::npos);
}

TEST_F(CaseFolder, TotalsCountCasesByTheirWorstCheck) {
  std::vector<PreparedCase> cases;
  cases.emplace_back(make_case("touches(ball, floor)", "0"));
  std::vector<CaseResult> results = {{&cases[0], {{Verdict::agrees, 0, ""}}}};
  EXPECT_EQ(format_totals(results),
            "1 checks: 1 ok, 0 !=, 0 FAIL\n1 case: 1 agree, 0 differ from print for a stated reason, 0 fail.");
  results[0].checks[0] = {Verdict::fails, 0, "m"};
  EXPECT_EQ(results[0].verdict(), Verdict::fails);
  EXPECT_NE(results_to_json(results).find("\"verdict\": \"FAIL\""), std::string::npos);
}

}  // namespace
}  // namespace abut
