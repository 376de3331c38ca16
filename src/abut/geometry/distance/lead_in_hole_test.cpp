#include "abut/geometry/distance/lead_in_hole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

constexpr double kRadius = 0.0202, kBottom = -0.058;

/// Radius 20.2 mm from z = -60 mm, widened by 45 degrees from z = -2 mm.
LeadInHole make_hole() {
  Mat3 upside_down = Mat3::Identity();
  upside_down(1, 1) = upside_down(2, 2) = -1.0;
  const CellPart bore{Cylinder{kRadius, 0.06}, Pose(), true};
  const CellPart cone{Cone{0.25 * std::numbers::pi, 0.1}, Pose(upside_down, Vec3(0.0, 0.0, -0.0222)), true};
  return *find_lead_in(bore, cone);
}

/// Distance of a point from what is outside the hole, frame H; below zero outside.
double calc_point_distance(const Vec3& x) {
  const double r = x.head<2>().norm(), to_cone = (kRadius + x.z() - r) / std::sqrt(2.0), to_wall = kRadius - r;
  const double to_circle = std::hypot(kRadius - r, x.z());
  // Past the circle, across the wedge between the normals of wall and cone, it is the nearest.
  const double along_cone = (r - kRadius + x.z()) / std::sqrt(2.0);
  const double above = along_cone >= 0.0 ? to_cone : to_circle, below = x.z() <= 0.0 ? to_wall : to_circle;
  return std::min({above, below, x.z() - kBottom});
}

double calc_sampled_distance(double radius, double half_length, const Pose& X_HS) {
  double least = 1e9;
  for (int k = 0; k < 400; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 400.0;
    for (int i = 0; i <= 200; ++i) {
      const Vec3 x(radius * std::cos(angle), radius * std::sin(angle), half_length * (0.01 * i - 1.0));
      least = std::min(least, calc_point_distance(X_HS * x));
    }
  }
  return least;
}

TEST(LeadInHole, IsFoundWithItsCircleAndBottom) {
  const LeadInHole hole = make_hole();
  EXPECT_NEAR((hole.X_CH.p - Vec3(0.0, 0.0, -0.002)).norm(), 0.0, 1e-16);
  EXPECT_NEAR(hole.X_CH.R(2, 2), 1.0, 1e-15);
  EXPECT_NEAR(hole.slope, 1.0, 1e-15);
  EXPECT_NEAR(hole.bottom, kBottom, 1e-15);
  const CellPart beside{Cone{0.7, 0.1}, Pose(Mat3::Identity(), Vec3(0.001, 0.0, 0.0)), true};
  EXPECT_FALSE(find_lead_in({Cylinder{kRadius, 0.06}, Pose(), true}, beside));
}

TEST(LeadInHole, ClearanceOfAPegIsABoundThatEndsWhereItTouches) {
  const LeadInHole hole = make_hole();
  const ExtremeFeatures peg = *find_extreme_features(Cylinder{0.02, 0.05});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> in(-1.0, 1.0);
  int num_apart = 0, num_exact = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Vec3 axis = Vec3(in(random), in(random), 0.0).normalized();
    // Tilted less the deeper it is, so that about half of them are apart.
    const double height = 0.02 + 0.028 * in(random), lean = 0.004 + 0.02 * std::max(0.0, height - 0.03) / 0.018;
    const Pose X_HS(Mat3(Eigen::AngleAxisd(lean * in(random), axis)),
                    Vec3(1.5e-4 * in(random), 1.5e-4 * in(random), height));
    const double truth = calc_sampled_distance(0.02, 0.05, X_HS);
    const double bound = *calc_clearance(peg, hole.X_CH * X_HS, hole);
    if (std::abs(truth) > 1e-5) {
      EXPECT_EQ(bound > 0.0, truth > 0.0) << truth;
    }
    if (truth < 0.0) continue;
    ++num_apart;
    EXPECT_LE(bound, truth + 1e-12);
    if (bound > truth - 2e-6) ++num_exact;
  }
  EXPECT_GT(num_apart, 20);
  EXPECT_GT(num_exact, num_apart / 4);
}

TEST(LeadInHole, BallAndBoxBetweenWallAndCone) {
  const LeadInHole hole = make_hole();
  const ExtremeFeatures ball = *find_extreme_features(Sphere{0.019});
  EXPECT_NEAR(*calc_clearance(ball, Pose(Mat3::Identity(), Vec3(0.0, 0.0, -0.03)), hole), 0.0012, 1e-15);
  const ExtremeFeatures box = *find_extreme_features(Box{Vec3(0.014, 0.014, 0.05)});
  const double corner = 0.014 * std::sqrt(2.0);
  // Its edges pass the circle, where they are nearest to the cone, but for the bound's factor there.
  EXPECT_NEAR(*calc_clearance(box, Pose(Mat3::Identity(), Vec3(0.0, 0.0, 0.01)), hole),
              (kRadius - corner) / std::sqrt(2.0), 1e-15);
}

}  // namespace
}  // namespace abut
