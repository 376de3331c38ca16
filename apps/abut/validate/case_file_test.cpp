#include "validate/case_file.hpp"

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

const std::string kHead = "title = \"T\"\nsource = \"S\"\n";
const std::string kCheck =
    "[[check]]\nquantity = \"q\"\nmeasure = \"1 + 1\"\nexpected = 2\ntolerance = 0\ntolerance_reason = \"exact\"\n";

std::string find_report(const std::string& text) {
  try {
    read_case_text(text, "cases/x");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CaseFile, ReadsACheck) {
  const CaseSpec spec =
      read_case_text(kHead + kCheck + "published = 2.2\nverdict = \"differs\"\nreason = \"r\"\n", "cases/x");
  EXPECT_EQ(spec.name, "x");
  ASSERT_EQ(spec.checks.size(), 1u);
  EXPECT_EQ(spec.checks[0].expected, 2.0);
  EXPECT_EQ(spec.checks[0].published, 2.2);
  EXPECT_TRUE(spec.checks[0].differs);
}

TEST(CaseFile, AListMakesOneCheckForEachEntry) {
  const CaseSpec spec =
      read_case_text(kHead +
                         "[[check]]\nquantity = \"at {}\"\nwith = [0.5, 2]\nset = [\"a={}\"]\nmeasure = \"{}^2\"\n"
                         "expected = [0.25, \"2 * {}\"]\ntolerance = 1e-9\ntolerance_reason = \"r\"\n",
                     "x");
  ASSERT_EQ(spec.checks.size(), 2u);
  EXPECT_EQ(spec.checks[0].quantity, "at 0.5");
  EXPECT_EQ(spec.checks[0].measure, "0.5^2");
  EXPECT_EQ(spec.checks[1].set, std::vector<std::string>{"a=2"});
  EXPECT_EQ(spec.checks[1].expected, 4.0);
}

TEST(CaseFile, NamesUnknownKeysWithTheirPlaceAndTheNearestSpelling) {
  const std::string report = find_report(kHead + kCheck + "tollerance = 1\n");
  EXPECT_NE(report.find("cases/x/case.toml:9:1: unknown key 'tollerance' in [[check]]. Did you mean 'tolerance'?"),
            std::string::npos)
      << report;
}

TEST(CaseFile, WantsAReasonForEveryTolerance) {
  const std::string report =
      find_report(kHead + "[[check]]\nquantity = \"q\"\nmeasure = \"1\"\nexpected = 1\ntolerance = 0\n");
  EXPECT_NE(report.find("'tolerance_reason' is missing"), std::string::npos) << report;
}

TEST(CaseFile, WantsEvidenceForADifference) {
  const std::string report = find_report(kHead + kCheck + "verdict = \"differs\"\n");
  EXPECT_NE(report.find("needs a 'reason'"), std::string::npos) << report;
  EXPECT_NE(report.find("needs the 'published' number"), std::string::npos) << report;
}

TEST(CaseFile, ReportsSeveralMistakesTogether) {
  const std::string report = find_report("titel = \"T\"\nsource = 3\n" + kCheck);
  EXPECT_NE(report.find("unknown key 'titel' in a case. Did you mean 'title'?"), std::string::npos) << report;
  EXPECT_NE(report.find("'source' must be text"), std::string::npos) << report;
}

TEST(CaseFile, ExpectedValuesMayNotUseWhatTheyCheck) {
  const std::string report = find_report(kHead +
                                         "[[check]]\nquantity = \"q\"\nmeasure = \"1\"\nexpected = "
                                         "\"gonthier_damping(0.5)\"\ntolerance = 0\ntolerance_reason = \"r\"\n");
  EXPECT_NE(report.find("may use arithmetic only"), std::string::npos) << report;
}

TEST(CaseFile, RefusesListsOfTheWrongLength) {
  const std::string report = find_report(kHead +
                                         "[[check]]\nquantity = \"q\"\nwith = [1, 2]\nmeasure = \"{}\"\nexpected = "
                                         "[1]\ntolerance = 0\ntolerance_reason = \"r\"\n");
  EXPECT_NE(report.find("'expected' must have one entry for each of 'with'"), std::string::npos) << report;
}

TEST(CaseFile, RefusesWhatIsNotToml) {
  EXPECT_NE(find_report("title = \n").find("case.toml:1:9: this is not valid TOML"), std::string::npos)
      << find_report("title = \n");
}

}  // namespace
}  // namespace abut
