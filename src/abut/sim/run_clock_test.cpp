#include "abut/sim/run_clock.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// Steps may take seconds, in a torus of facets on a cone for instance: each of them is a chance to say how far it is.
TEST(RunClock, ReportsAfterEverySlowStep) {
  int reports = 0;
  RunOptions options;
  options.on_progress = [&reports](double) { ++reports; };
  RunClock clock(options, 0.0);
  for (int step = 0; step < 3; ++step) {
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    clock.tick(1e-3 * step);
  }
  EXPECT_EQ(reports, 3);
  for (int step = 0; step < 1000; ++step) clock.tick(1.0);
  EXPECT_LE(reports, 4);
}

}  // namespace
}  // namespace abut
