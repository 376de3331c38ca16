#include "abut/math/time_table.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

std::string message_of(std::vector<double> times, std::vector<double> values) {
  try {
    TimeTable table(std::move(times), std::move(values));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TimeTable, InterpolatesLinearlyAndHoldsOutside) {
  const TimeTable table({1.0, 2.0, 4.0}, {10.0, 20.0, -20.0});
  EXPECT_EQ(table.value(-5.0), 10.0);
  EXPECT_EQ(table.value(1.0), 10.0);
  EXPECT_EQ(table.value(1.25), 12.5);
  EXPECT_EQ(table.value(2.0), 20.0);
  EXPECT_EQ(table.value(3.0), 0.0);
  EXPECT_EQ(table.value(9.0), -20.0);
}

TEST(TimeTable, RateIsTheSlopeAfterABreakpoint) {
  const TimeTable table({1.0, 2.0, 4.0}, {10.0, 20.0, -20.0});
  EXPECT_EQ(table.rate(0.999), 0.0);
  EXPECT_EQ(table.rate(1.0), 10.0);
  EXPECT_EQ(table.rate(2.0), -20.0);
  EXPECT_EQ(table.rate(4.0), 0.0);
  ASSERT_EQ(table.breakpoints().size(), 3u);
  EXPECT_EQ(table.breakpoints()[1], 2.0);
}

TEST(TimeTable, MeansAreExactAcrossBreakpoints) {
  const TimeTable table({1.0, 2.0, 4.0}, {10.0, 20.0, -20.0});
  EXPECT_DOUBLE_EQ(table.mean(0.0, 1.0), 10.0);
  EXPECT_DOUBLE_EQ(table.mean(1.25, 1.75), 15.0);
  EXPECT_DOUBLE_EQ(table.mean(1.0, 4.0), 5.0);
  EXPECT_DOUBLE_EQ(table.mean(0.0, 6.0), (10.0 + 15.0 + 0.0 - 40.0) / 6.0);
  EXPECT_FALSE(table.bends_within(1.0, 2.0));
  EXPECT_FALSE(table.bends_within(1.0 - 1e-13, 2.0 + 1e-13));
  EXPECT_FALSE(table.bends_within(5.0, 6.0));
  EXPECT_TRUE(table.bends_within(1.5, 2.5));
  EXPECT_TRUE(table.bends_within(3.99, 4.01));
  EXPECT_FALSE(TimeTable(3.0).bends_within(-1.0, 1.0));
}

TEST(TimeTable, ConstantHasNoBreakpoints) {
  const TimeTable table(7.5);
  EXPECT_EQ(table.value(-1e9), 7.5);
  EXPECT_EQ(table.value(1e9), 7.5);
  EXPECT_EQ(table.rate(0.0), 0.0);
  EXPECT_TRUE(table.breakpoints().empty());
  EXPECT_TRUE(TimeTable({3.0}, {4.0}).breakpoints().empty());
  EXPECT_EQ(TimeTable({3.0}, {4.0}).value(0.0), 4.0);
}

TEST(TimeTable, SaysWhatIsWrong) {
  EXPECT_EQ(message_of({0.0, 1.0}, {1.0}), "a table has 2 times but 1 values");
  EXPECT_EQ(message_of({}, {}), "a table has 0 entries; it needs at least 1");
  EXPECT_EQ(message_of({0.0, 1.0, 1.0}, {1.0, 2.0, 3.0}), "times of a table must increase: 1 s is followed by 1 s");
  EXPECT_EQ(message_of({0.0, 1.0}, {1.0, std::numeric_limits<double>::quiet_NaN()}),
            "entry 2 of a table is not finite: time 1, value nan");
}

}  // namespace
}  // namespace abut
