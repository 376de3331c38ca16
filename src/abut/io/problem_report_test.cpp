#include "abut/io/problem_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace abut {
namespace {

SourceLocation at(int line, int column, int length) { return {"s.toml", line, column, length}; }

TEST(ProblemReport, ShowsTheLineAndUnderlinesThePlace) {
  EXPECT_EQ(format_problems({{at(2, 3, 4), "unknown key 'mas'.", "Keys: mass."}}, "a = 1\n  mass = 2\r\nb = 3\n"),
            "s.toml:2:3: unknown key 'mas'.\n"
            "    2 |   mass = 2\n"
            "      |   ^^^^\n"
            "Keys: mass.\n"
            "Nothing was run.");
}

TEST(ProblemReport, CountsCharactersNotBytesAndTabsAsOne) {
  EXPECT_EQ(format_problems({{at(1, 6, 1), "m", ""}}, "\t\xC3\xA9\xE2\x82\xAC = 7"),
            "s.toml:1:6: m\n"
            "    1 |  \xC3\xA9\xE2\x82\xAC = 7\n"
            "      |      ^\n"
            "Nothing was run.");
}

TEST(ProblemReport, OrdersByPlaceAndPutsOverridesFirst) {
  const std::string report = format_problems({{at(3, 1, 1), "third", ""},
                                              {at(1, 9, 1), "second", ""},
                                              {at(1, 2, 1), "first", ""},
                                              {{"--set x=1", 0, 0, 0}, "override", ""},
                                              {{}, "nowhere", ""}},
                                             "0123456789\n\nabc");
  EXPECT_LT(report.find("--set x=1: override\n"), report.find("first"));
  EXPECT_LT(report.find("nowhere\n"), report.find("first"));
  EXPECT_LT(report.find("first"), report.find("second"));
  EXPECT_LT(report.find("second"), report.find("third"));
}

TEST(ProblemReport, StopsAfterTwenty) {
  std::vector<Problem> problems;
  for (int i = 1; i <= 23; ++i) problems.push_back({at(i, 1, 1), fmt::format("problem <{}>", i), ""});
  const std::string report = format_problems(problems, "");
  EXPECT_NE(report.find("problem <20>"), std::string::npos);
  EXPECT_EQ(report.find("problem <21>"), std::string::npos);
  EXPECT_TRUE(report.ends_with("... and 3 more.\nNothing was run.")) << report;
}

TEST(ProblemReport, CutsVeryLongLinesAroundThePlace) {
  std::string line(5000, 'x');
  line.append("BAD").append(5000, 'y');
  const std::string report = format_problems({{at(1, 5001, 3), "m", ""}}, line);
  EXPECT_LT(report.size(), 400u);
  const std::size_t bad = report.find("BAD"), carets = report.find("^^^");
  ASSERT_NE(bad, std::string::npos);
  ASSERT_NE(carets, std::string::npos);
  EXPECT_EQ(bad - report.rfind('\n', bad), carets - report.rfind('\n', carets));
}

TEST(ProblemReport, ControlCharactersAreShownNotSent) {
  EXPECT_EQ(format_problems({{{}, std::string("name 'a\x1b[2J\0b'", 14), "c\x7f"}}, ""),
            "name 'a\\x1b[2J\\x00b'\nc\\x7f\nNothing was run.");
}

TEST(ProblemReport, LeavesOutAByteOrderMark) {
  EXPECT_EQ(format_problems({{at(1, 1, 1), "m", ""}}, "\xEF\xBB\xBFx = 1"),
            "s.toml:1:1: m\n    1 | x = 1\n      | ^\nNothing was run.");
}

TEST(ProblemReport, AddsTheLineToALateMistake) {
  EXPECT_EQ(add_source_line("d:1/s.toml:2:3: no.\nGive more.\nNothing was run.", "d:1/s.toml", "a\n  bc = 1\n"),
            "d:1/s.toml:2:3: no.\n    2 |   bc = 1\n      |   ^^^^^^\nGive more.\nNothing was run.");
  EXPECT_EQ(add_source_line("no place", "s.toml", "a"), "s.toml: no place\nNothing was run.");
  EXPECT_EQ(add_source_line("s.toml: whole file", "s.toml", "a"), "s.toml: whole file\nNothing was run.");
  EXPECT_EQ(add_source_line("--set a=1: no", "s.toml", "a"), "--set a=1: no\nNothing was run.");
}

}  // namespace
}  // namespace abut
