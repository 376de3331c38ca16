#include "abut/base/function_view.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

int call(FunctionView<int(int)> function, int x) { return function ? function(x) : -1; }

TEST(FunctionView, CallsWhatItIsGiven) {
  int sum = 0;
  const std::vector<int> many(100, 3);
  EXPECT_EQ(call([&](int x) { return sum += x + many[7]; }, 4), 7);
  EXPECT_EQ(sum, 7);
  EXPECT_EQ(call({}, 4), -1);
  const auto constant = [](int) { return 5; };
  EXPECT_EQ(call(constant, 0), 5);
}

TEST(FunctionView, PassesReferencesThrough) {
  std::string text = "a";
  const auto append = [](std::string& s) -> std::string& { return s += "b"; };
  const FunctionView<std::string&(std::string&)> view = append;
  EXPECT_EQ(&view(text), &text);
  EXPECT_EQ(text, "ab");
}

}  // namespace
}  // namespace abut
