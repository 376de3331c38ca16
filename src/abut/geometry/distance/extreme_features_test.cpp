#include "abut/geometry/distance/extreme_features.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

constexpr int kRimPoints = 2000;

std::vector<Vec3> sample(const ExtremeFeatures& solid, const Pose& X) {
  std::vector<Vec3> points;
  for (const Vec3& point : solid.points) points.push_back(X * point);
  for (const ExtremeFeatures::Rim& own : solid.rims) {
    const PlacedRim rim = place_rim(own, X);
    for (int k = 0; k < kRimPoints; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kRimPoints;
      points.push_back(rim.point(Vec2(std::cos(angle), std::sin(angle))));
    }
  }
  return points;
}

std::vector<Shape> make_shapes() {
  return {Cylinder{0.02, 0.05}, Cone{0.6, 0.1}, Box{Vec3(0.01, 0.03, 0.05)}, Capsule{0.01, 0.04}, Sphere{0.03}};
}

Pose make_pose(std::mt19937& random, double shift, double angle) {
  std::uniform_real_distribution<double> in(-1.0, 1.0);
  const Vec3 axis = Vec3(in(random), in(random), in(random)).normalized();
  return {Mat3(Eigen::AngleAxisd(angle * in(random), axis)), shift * Vec3(in(random), in(random), in(random))};
}

TEST(ExtremeFeatures, FarthestPointsAreThoseOfManySamples) {
  std::mt19937 random(7);
  for (const Shape& shape : make_shapes()) {
    const ExtremeFeatures solid = *find_extreme_features(shape);
    for (int trial = 0; trial < 60; ++trial) {
      // From all but coaxial, where climbing takes longest, to anywhere.
      const double scale = std::pow(10.0, -4.0 + 4.0 * trial / 59.0);
      const Pose X = make_pose(random, 0.1 * scale, 3.0 * scale);
      const double slope = 0.2 + 0.05 * trial;
      double axis = 0.0, origin = 0.0, cone = -1e9;
      for (const Vec3& x : sample(solid, X)) {
        axis = std::max(axis, x.head<2>().norm() + solid.margin);
        origin = std::max(origin, x.norm() + solid.margin);
        cone = std::max(cone, x.head<2>().norm() + slope * x.z());
      }
      const double tolerance = 1e-6 * 0.1 * (1.0 + slope);  // a sample lies within half a spacing of the farthest
      EXPECT_NEAR(calc_farthest_from_axis(solid, X), axis, tolerance);
      EXPECT_NEAR(calc_farthest_from_origin(solid, X), origin, tolerance);
      EXPECT_NEAR(calc_farthest_from_cone(solid, X, slope), cone, tolerance);
      EXPECT_GE(calc_farthest_from_axis(solid, X), axis - 1e-16);
      EXPECT_GE(calc_farthest_from_cone(solid, X, slope), cone - 1e-15);
    }
  }
}

TEST(ExtremeFeatures, BarAboutTheAxisItself) {
  const ExtremeFeatures bar = *find_extreme_features(Cylinder{0.02, 0.05});
  EXPECT_NEAR(calc_farthest_from_axis(bar, Pose()), 0.02, 1e-17);
  EXPECT_NEAR(calc_farthest_from_cone(bar, Pose(), 1.0), 0.07, 1e-16);
  EXPECT_NEAR(calc_farthest_from_origin(bar, Pose()), std::hypot(0.02, 0.05), 1e-16);
}

TEST(ExtremeFeatures, CurvedAndEndlessShapesHaveNone) {
  EXPECT_FALSE(find_extreme_features(Ellipsoid{Vec3(1.0, 2.0, 3.0)}));
  EXPECT_FALSE(find_extreme_features(Cylinder{0.1}));
  EXPECT_FALSE(find_extreme_features(HalfSpace{}));
}

}  // namespace
}  // namespace abut
