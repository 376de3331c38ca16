#include "abut/sim/control/trajectory.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

PathPointSpec make_point(std::vector<double> at, std::optional<double> time = {}) {
  PathPointSpec point;
  point.at = std::move(at);
  point.time = time;
  return point;
}

TEST(Trajectory, RestsBeforeAndAfter) {
  const Trajectory rest({1.0, -2.0});
  std::array<MotionSample, 2> now;
  rest.sample(3.0, now);
  EXPECT_EQ(now[1].value, -2.0);
  EXPECT_EQ(now[1].rate, 0.0);
}

/// The channel with the longest way sets the pace; the other moves in proportion, so that the way is straight.
TEST(Trajectory, TrapezoidKeepsChannelsInStep) {
  TrajectorySpec spec;
  TrapezoidTrajectorySpec kind;
  kind.points = {make_point({0.0, 1.0}), make_point({2.0, 0.5}), make_point({2.0, 0.5}), make_point({0.0, 1.0})};
  kind.speed = {1.0};
  kind.acceleration = {4.0, 8.0};
  kind.start = 0.5;
  kind.dwell = 0.25;
  spec.kind = kind;
  const Trajectory path(spec, 2);
  const double leg = 2.0 / 1.0 + 1.0 / 4.0;  // distance / speed + speed / acceleration
  std::array<MotionSample, 2> now;
  for (double t = 0.0; t < 8.0; t += 0.01) {
    path.sample(t, now);
    EXPECT_NEAR(now[0].value / 2.0, (1.0 - now[1].value) / 0.5, 1e-14);
    EXPECT_LE(std::abs(now[0].rate), 1.0 + 1e-14);
    EXPECT_LE(std::abs(now[0].acceleration), 4.0 + 1e-13);
  }
  path.sample(0.5 + leg, now);
  EXPECT_NEAR(now[0].value, 2.0, 1e-13);
  path.sample(0.5 + leg + 0.4, now);  // between two rests of 0.25 s: nothing lies between equal points
  EXPECT_EQ(now[0].value, 2.0);
  path.sample(0.5 + leg + 0.5 + leg, now);
  EXPECT_NEAR(now[0].value, 0.0, 1e-13);
}

TEST(Trajectory, SplineStaysBetweenItsPoints) {
  TrajectorySpec spec;
  SplineTrajectorySpec kind;
  kind.points = {make_point({0.0}, 0.0), make_point({1.0}, 0.1), make_point({1.0}, 1.0), make_point({-1.0}, 1.2)};
  spec.kind = kind;
  const Trajectory path(spec, 1);
  std::array<MotionSample, 1> now;
  for (double t = -0.5; t < 2.0; t += 0.003) {
    path.sample(t, now);
    EXPECT_LE(now[0].value, 1.0 + 1e-15);
    EXPECT_GE(now[0].value, (t < 1.0 ? 0.0 : -1.0) - 1e-15);  // rounding of the cubic
    if (t > 0.1 && t < 1.0) {
      EXPECT_NEAR(now[0].value, 1.0, 1e-15);
    }
  }
  path.sample(5.0, now);
  EXPECT_NEAR(now[0].value, -1.0, 1e-15);
  EXPECT_EQ(now[0].rate, 0.0);
}

}  // namespace
}  // namespace abut
