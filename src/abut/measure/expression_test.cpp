#include "abut/measure/expression.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/io/text_file.hpp"
#include "abut/measure/evaluate.hpp"

namespace abut {
namespace {

double calc(const std::string& text) { return evaluate_measure(parse_expression(text, nullptr), nullptr); }

/// "offset: message" of the mistake, or nothing.
std::string find_mistake(const std::string& text, const MeasureNames* names = nullptr) {
  try {
    parse_expression(text, names);
  } catch (const ExpressionError& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
  return "";
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(calc("1 + 2 * 3"), 7.0);
  EXPECT_EQ(calc("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(calc("8 - 4 - 2"), 2.0);
  EXPECT_EQ(calc("8 / 4 / 2"), 1.0);
  EXPECT_EQ(calc("2 - -3"), 5.0);
}

TEST(Expression, PowersBindTighterThanSignsAndToTheRight) {
  EXPECT_EQ(calc("-2^2"), -4.0);
  EXPECT_EQ(calc("2^-1"), 0.5);
  EXPECT_EQ(calc("2^3^2"), 512.0);
  EXPECT_EQ(calc("2 * 3^2"), 18.0);
}

TEST(Expression, KnowsFunctionsAndNumbers) {
  EXPECT_EQ(calc("sqrt(16) + abs(-2) + min(1, 2) + max(1, 2)"), 9.0);
  // One unit in the last place: the same library functions.
  EXPECT_DOUBLE_EQ(calc("atan2(1, 1) * 4"), std::atan(1.0) * 4.0);
  EXPECT_DOUBLE_EQ(calc("ln(exp(2.5))"), 2.5);
  EXPECT_DOUBLE_EQ(calc("sin(pi / 6)"), std::sin(std::acos(-1.0) / 6.0));
  EXPECT_EQ(calc("1.5e-3"), 1.5e-3);
  EXPECT_EQ(calc(".5"), 0.5);
}

TEST(Expression, NamesThePlaceOfAMistake) {
  EXPECT_EQ(find_mistake("1 + sqr(2)"), "4: unknown function 'sqr'. Did you mean 'sqrt'?");
  EXPECT_EQ(find_mistake("1 + "), "4: expected a number or a function, found the end");
  EXPECT_EQ(find_mistake("(1 + 2"), "6: expected ')', found the end");
  EXPECT_EQ(find_mistake("1 2"), "2: expected an operator or the end, found '2'");
  EXPECT_EQ(find_mistake("2 $ 3"), "2: '$' has no meaning in a measure");
  EXPECT_EQ(find_mistake("sqrt 2"), "5: sqrt takes arguments: sqrt(x)");
  EXPECT_EQ(find_mistake("max(1)"), "5: too few arguments: max(x, y)");
  EXPECT_EQ(find_mistake("abs(1, 2)"), "5: too many arguments: abs(x)");
  EXPECT_EQ(find_mistake("n + 1"), "0: 'n' has a meaning only inside first_contact");
  EXPECT_EQ(find_mistake("1e999"), "0: this number cannot be represented");
}

TEST(Expression, ChecksNamesAgainstTheScene) {
  const MeasureNames names{{"ball", "left-wall"}, {"hinge"}};
  EXPECT_EQ(find_mistake("touch_time(ball, 'left-wall', 1)", &names), "");
  EXPECT_EQ(find_mistake("touch_time(bal, 'left-wall', 1)", &names),
            "11: there is no body 'bal'. Did you mean 'ball'?");
  EXPECT_EQ(find_mistake("joint(hinges, 0)", &names), "6: there is no joint 'hinges'. Did you mean 'hinge'?");
  EXPECT_EQ(find_mistake("position(ball, w)", &names), "15: expected an axis: x, y or z");
  EXPECT_EQ(find_mistake("energy(kinetik)", &names), "7: there is no energy 'kinetik'. Did you mean 'kinetic'?");
  EXPECT_EQ(find_mistake("position(2, x)", &names), "9: expected the name of a body");
}

TEST(Expression, RefusesToReadARunWithoutAScene) {
  EXPECT_EQ(find_mistake("2 * touches(a, b)"), "4: 'touches' reads a run, but the check names no scene");
  EXPECT_EQ(find_mistake("t"), "0: 't' reads a run, but the check names no scene");
}

TEST(Expression, EveryFunctionOfTheTableIsFoundByItsName) {
  for (const FunctionInfo& info : all_functions()) {
    EXPECT_EQ(find_function(info.name), &info);
    EXPECT_EQ(std::string(info.usage).rfind(info.name, 0), 0u) << info.usage;
  }
}

TEST(Expression, EveryFunctionIsDocumented) {
  const std::string page = read_text_file(std::string(ABUT_SOURCE_DIR) + "/docs/validation.md");
  for (const FunctionInfo& info : all_functions()) {
    const std::string row = std::string("| `") + info.usage + "` | " + info.doc + " |";
    EXPECT_NE(page.find(row), std::string::npos) << "docs/validation.md lacks: " << row;
  }
}

}  // namespace
}  // namespace abut
