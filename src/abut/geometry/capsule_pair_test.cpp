#include "abut/geometry/capsule_pair.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

Pose make_pose(double angle, const Vec3& axis, const Vec3& p) { return {Mat3(Eigen::AngleAxisd(angle, axis)), p}; }

double min_gap(const PointContact* out) { return std::min({out[0].gap, out[1].gap, out[2].gap}); }

int count_active(const PointContact* out, double below) {
  return int(out[0].gap < below) + int(out[1].gap < below) + int(out[2].gap < below);
}

TEST(CapsulePair, SmallestGapIsTheDistanceOfTheAxes) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const Capsule a{0.1, random.uniform(0.05, 1.0)};
    const Capsule b{0.2, random.uniform(0.05, 1.0)};
    const Pose X_WA = random.pose(1.0);
    const Pose X_WB = random.pose(1.0);
    PointContact out[3];
    calc_capsule_capsule(a, X_WA, b, X_WB, out);
    const double distance = testing::minimise_on_square([&](double u, double v) {
      const double s = std::min(1.0, std::max(0.0, u));
      return (X_WA * Vec3(0, 0, (2 * s - 1) * a.half_length) - X_WB * Vec3(0, 0, (2 * v - 1) * b.half_length)).norm();
    });
    // The hand-over may hide 1e-5 of the radii where the nearest point is next to an end.
    EXPECT_NEAR(min_gap(out), distance - 0.3, 1e-5 * 0.3 + 1e-9);
    EXPECT_GE(min_gap(out), distance - 0.3 - 1e-9);
  }
}

TEST(CapsulePair, CrossingCapsulesTouchAtOnePoint) {
  const Capsule bar{0.1, 1.0};
  PointContact out[3];
  calc_capsule_capsule(bar, make_pose(0.7, Vec3::UnitX(), Vec3(0.199, 0, 0.1)), bar, Pose(), out);
  EXPECT_EQ(count_active(out, 0.0), 1);
  EXPECT_NEAR(out[0].gap, -0.001, 1e-15);
  EXPECT_LT((out[0].normal - Vec3::UnitX()).norm(), 1e-14);
  EXPECT_LT((out[0].point - Vec3(0.0995, 0, 0.1)).norm(), 1e-14);
}

TEST(CapsulePair, ParallelCapsulesRestOnTwoEndsOfTheStretch) {
  const Capsule a{0.1, 1.0};
  const Capsule b{0.1, 0.6};
  for (double turn : {0.0, testing::kPi}) {  // same or opposite sense of the axes
    PointContact out[3];
    calc_capsule_capsule(a, make_pose(turn, Vec3::UnitX(), Vec3(0.199, 0, 0.5)), b, Pose(), out);
    EXPECT_EQ(count_active(out, 0.0), 2);
    EXPECT_GT(out[0].gap, 0.1);
    const PointContact& high = turn == 0.0 ? out[2] : out[1];
    const PointContact& low = turn == 0.0 ? out[1] : out[2];
    EXPECT_LT((low.point - Vec3(0.0995, 0, -0.5)).norm(), 1e-14);
    EXPECT_LT((high.point - Vec3(0.0995, 0, 0.6)).norm(), 1e-14);
    EXPECT_NEAR(low.gap, -0.001, 1e-15);
    EXPECT_NEAR(high.gap, -0.001, 1e-15);
  }
}

TEST(CapsulePair, ATipTouchesAtOnePoint) {
  const Capsule bar{0.1, 0.5};
  PointContact out[3];
  // Tip on side at right angles, at a slant, and tip to tip.
  calc_capsule_capsule(bar, make_pose(testing::kPi / 2, Vec3::UnitY(), Vec3(0.699, 0, 0.1)), bar, Pose(), out);
  EXPECT_EQ(count_active(out, 0.0), 1);
  EXPECT_NEAR(min_gap(out), -0.001, 1e-15);
  const double lean = 0.6;
  const Vec3 tip(0.199, 0, 0.1);
  const Vec3 direction(std::sin(lean), 0, std::cos(lean));
  calc_capsule_capsule(bar, make_pose(lean, Vec3::UnitY(), tip + 0.5 * direction), bar, Pose(), out);
  EXPECT_EQ(count_active(out, 0.0), 1);
  EXPECT_NEAR(min_gap(out), -0.001, 1e-15);
  calc_capsule_capsule(bar, make_pose(0.0, Vec3::UnitY(), Vec3(0, 0, 1.199)), bar, Pose(), out);
  EXPECT_EQ(count_active(out, 0.0), 1);
  EXPECT_NEAR(min_gap(out), -0.001, 1e-15);
}

/// Gaps of all three entries are continuous while one capsule turns over and past the other: each changes by no more
/// than a bounded rate times the step, so that halving the step halves the largest jump.
TEST(CapsulePair, GapsAreContinuousThroughParallel) {
  const auto calc_largest_jump = [](int steps) {
    const Capsule bar{0.1, 0.5};
    double largest = 0.0;
    PointContact last[3];
    for (int i = 0; i <= steps; ++i) {
      const double s = 2.0 * i / steps - 1.0;
      const Mat3 cross(Eigen::AngleAxisd(0.01 * s, Vec3::UnitX()));
      const Mat3 R = cross * Mat3(Eigen::AngleAxisd(0.003 * s, Vec3::UnitY()));
      PointContact out[3];
      calc_capsule_capsule(bar, Pose(R, Vec3(0.199, 0, 0.1 * s)), bar, Pose(), out);
      for (int k = 0; i > 0 && k < 3; ++k) largest = std::max(largest, std::abs(out[k].gap - last[k].gap));
      std::copy(out, out + 3, last);
    }
    return largest;
  };
  const double coarse = calc_largest_jump(20000);
  const double fine = calc_largest_jump(80000);
  EXPECT_LT(fine, 0.3 * coarse);
}

TEST(CapsulePair, RockingInPlaneKeepsThePointsAtTheEnds) {
  const Capsule bar{0.1, 0.5};
  for (double tilt : {-1e-3, -1e-6, -1e-9, -1e-12, 0.0, 1e-12, 1e-9, 1e-6, 1e-3}) {
    PointContact out[3];
    calc_capsule_capsule(bar, make_pose(tilt, Vec3::UnitY(), Vec3(0.199, 0, 0)), bar, Pose(), out);
    EXPECT_GT(out[0].gap, 0.1) << tilt;
    EXPECT_NEAR(out[1].gap, -0.001 - 0.5 * std::sin(tilt), 1e-6) << tilt;
    EXPECT_NEAR(out[2].gap, -0.001 + 0.5 * std::sin(tilt), 1e-6) << tilt;
  }
}

/// Its gap while it carries alone.
double calc_own_gap(const Capsule& bar, const Pose& X, int point) {
  std::array<bool, 3> carries{};
  carries[point] = true;
  PointContact out[3];
  calc_carried_capsules(bar, X, bar, Pose(), carries, out);
  return out[point].gap;
}

// While one capsule turns past the other, whatever carries keeps its true gap, each of the others takes over at an
// equal one, and where it has, the one it took over from asks for nothing.
TEST(CapsulePair, WhatCarriesDoesSoUntilAnotherTakesOverAtAnEqualGap) {
  const Capsule bar{0.1, 0.5};
  std::array<bool, 3> carries{false, true, true};
  int num_taken = 0;
  constexpr int kSteps = 20000;
  for (int i = 0; i <= kSteps; ++i) {
    const double s = 2.0 * M_PI * i / kSteps;
    const Mat3 cross(Eigen::AngleAxisd(0.1 * std::sin(s), Vec3::UnitX()));
    const Pose X(cross * Mat3(Eigen::AngleAxisd(0.003 * std::cos(2.0 * s), Vec3::UnitY())), Vec3(0.19, 0, 0));
    PointContact out[3];
    calc_carried_capsules(bar, X, bar, Pose(), carries, out);
    for (int k = 0; k < 3; ++k) {
      const double gap = calc_own_gap(bar, X, k);
      if (carries[k]) {
        EXPECT_EQ(out[k].gap, gap) << i;
      }
      if (carries[k] || !(out[k].gap < 0.0)) continue;
      int from = -1;
      for (int other = 0; other < 3; ++other) {
        // Within what the gaps change by in a step.
        if (carries[other] && std::abs(calc_own_gap(bar, X, other) - gap) < 1e-5) from = other;
      }
      ASSERT_GE(from, 0) << i;
      carries[k] = true;
      carries[from] = false;
      ++num_taken;
      calc_carried_capsules(bar, X, bar, Pose(), carries, out);
      EXPECT_GT(out[from].gap, 0.0) << i;
      break;
    }
  }
  // Twice away from parallel and back, and the farther end changes twice each time.
  EXPECT_EQ(num_taken, 8);
}

TEST(CapsulePair, CoincidentAxesGiveAFiniteNormal) {
  const Capsule bar{0.1, 0.5};
  PointContact out[3];
  for (double angle : {0.0, 0.5}) {
    calc_capsule_capsule(bar, make_pose(angle, Vec3::UnitX(), Vec3::Zero()), bar, Pose(), out);
    for (const PointContact& contact : out) {
      EXPECT_TRUE(contact.point.allFinite());
      EXPECT_NEAR(contact.normal.norm(), 1.0, 1e-14);
    }
    EXPECT_NEAR(min_gap(out), -0.2, 1e-15);
  }
}

}  // namespace
}  // namespace abut
