#include "abut/solve/ode/event_watch.hpp"

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// A gap that shows a trace of overlap at the start, opens for a tenth of the step and closes for good.
double calc_gap(double t) { return t == 0.0 ? -1e-12 : 0.1 * t * (0.1 - t); }

TEST(EventWatch, GuardThatStartsWithATraceBelowZeroSeesTheNextTouch) {
  EventWatch watch({});
  EventWatch::Sample start{0.0, VecX::Constant(1, calc_gap(0.0)), VecX::Zero(1), {}};
  watch.reset({{EventDirection::guard}, {0.01}}, start, {});
  EXPECT_TRUE(watch.is_undecided(0));
  const auto evaluate = [](const std::vector<char>&, EventWatch::Detail, EventWatch::Sample* sample) {
    sample->g[0] = calc_gap(sample->t);
    sample->speeds[0] = 0.0;
  };
  const std::optional<EventWatch::Crossing> crossing = watch.scan(evaluate, 0.0, 1.0);
  ASSERT_TRUE(crossing);
  EXPECT_NEAR(crossing->t, 0.1, 1e-12);
}

TEST(EventWatch, GuardThatStartsDeepHasToComeUpFirst) {
  EventWatch watch({});
  EventWatch::Sample start{0.0, VecX::Constant(1, -1e-3), VecX::Zero(1), {}};
  watch.reset({{EventDirection::guard}, {0.01}}, start, {});
  EXPECT_FALSE(watch.is_undecided(0));
}

/// Looks at two functions over (0, 1], one of which is known to fall no faster than `bound` [1/s].
int count_inner_looks(double bound) {
  EventWatch watch({});
  const Vec2 bounds(bound, 0.0);
  watch.reset({{EventDirection::guard, EventDirection::both}, {0.01, 1.0}},
              {0.0, VecX::Ones(2), VecX::Zero(2), VecX(bounds)}, {});
  int looks = 0;
  const auto evaluate = [&](const std::vector<char>& wanted, EventWatch::Detail detail, EventWatch::Sample* sample) {
    sample->g[0] = sample->g[1] = 1.0;
    if (sample->t < 1.0) {
      ++looks;
      EXPECT_EQ(wanted, std::vector<char>({1, 0}));
    }
    if (detail == EventWatch::Detail::bounds) sample->bounds = bounds;
  };
  EXPECT_FALSE(watch.scan(evaluate, 0.0, 1.0));
  return looks;
}

TEST(EventWatch, WhatCannotReachZeroIsNotLookedAtInside) {
  // From one down to zero and back at 1.5 times the bound, by which it may grow inside, takes 2 / (1.5 x 1.3) > 1 s.
  EXPECT_EQ(count_inner_looks(1.3), 0);
  EXPECT_EQ(count_inner_looks(1.4), 3);
}

}  // namespace
}  // namespace abut
