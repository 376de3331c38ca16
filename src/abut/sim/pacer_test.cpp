#include "abut/sim/pacer.hpp"

#include <chrono>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

namespace abut {
namespace {

double calc_seconds_since(Pacer::Clock::time_point start) {
  return std::chrono::duration<double>(Pacer::Clock::now() - start).count();
}

TEST(Pacer, EarlyStepsWait) {
  const Pacer::Clock::time_point start = Pacer::Clock::now();
  Pacer pacer(0.01);
  for (int n = 1; n <= 10; ++n) {
    pacer.wait_until_due(0.01 * n);
    EXPECT_GE(calc_seconds_since(start), 0.01 * n) << n;  // never before it is due
  }
  const RealtimeReport report = pacer.make_report();
  EXPECT_EQ(report.num_steps, 10);
  EXPECT_EQ(std::accumulate(report.counts.begin(), report.counts.end(), 0L), 10);
  EXPECT_LE(report.mean_load, report.worst_load);
}

TEST(Pacer, LateStepsAreCountedAndCaughtUp) {
  Pacer pacer(0.01);
  pacer.wait_until_due(0.01);
  std::this_thread::sleep_for(std::chrono::milliseconds(65));  // ready at 75 ms or later instead of 20
  pacer.wait_until_due(0.02);
  const RealtimeReport first = pacer.make_report();
  EXPECT_GE(first.num_late, 1);
  EXPECT_GE(first.worst_lateness, 0.055);
  EXPECT_EQ(first.worst_time, 0.02);
  EXPECT_GE(first.worst_load, 6.5);
  // Late by 5.5 steps: in the bin from 1 to 10, unless the machine was away for 45 ms more.
  EXPECT_GE(first.counts[12] + first.counts[13], 1);
  // The next ones do not wait until the clock has been caught up.
  for (int n = 3; n <= 7; ++n) pacer.wait_until_due(0.01 * n);
  EXPECT_EQ(pacer.make_report().num_late, first.num_late + 5);
}

TEST(Pacer, BinsCoverAllTimes) {
  EXPECT_EQ(RealtimeReport::bin_start(0), -1.0);
  for (std::size_t i = 1; i < RealtimeReport::kNumBins; ++i) {
    EXPECT_EQ(RealtimeReport::bin_start(i), RealtimeReport::bin_end(i - 1));
  }
  EXPECT_EQ(RealtimeReport::bin_end(9), 0.0);
}

}  // namespace
}  // namespace abut
