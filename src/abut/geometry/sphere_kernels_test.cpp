#include "abut/geometry/sphere_kernels.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

TEST(SphereKernels, TwoSpheresMeetInTheMiddleOfTheOverlap) {
  const PointContact at = sphere_sphere(Vec3(0, 3, 4), 3.0, Vec3::Zero(), 2.5);
  EXPECT_DOUBLE_EQ(at.gap, -0.5);
  EXPECT_LT((at.normal - Vec3(0, 0.6, 0.8)).norm(), 1e-16);
  // The overlap reaches from 2.0 (surface of A) to 2.5 (surface of B) along the normal.
  EXPECT_LT((at.point - 2.25 * Vec3(0, 0.6, 0.8)).norm(), 1e-15);
}

TEST(SphereKernels, CoincidentCentresHaveADocumentedNormal) {
  const PointContact at = sphere_sphere(Vec3(1, 2, 3), 0.5, Vec3(1, 2, 3), 0.25);
  EXPECT_EQ(at.normal, Vec3(Vec3::UnitZ()));
  EXPECT_DOUBLE_EQ(at.gap, -0.75);
  EXPECT_TRUE(at.point.allFinite());
}

/// The ball on the incline of [Gonthier 2007, 5.1.3]: plane turned +20 degrees about +y, 0.4 m from the origin.
TEST(SphereKernels, SphereOnAnIncline) {
  const double slope = 20.0 * testing::kPi / 180.0;
  const Vec3 n(std::sin(slope), 0.0, std::cos(slope));
  const Vec3 center = 0.499 * n + Vec3(std::cos(slope), 2.0, -std::sin(slope));
  const PointContact at = sphere_half_space(center, 0.1, n, 0.4);
  EXPECT_NEAR(at.gap, -0.001, 1e-15);
  EXPECT_EQ(at.normal, n);
  EXPECT_LT((at.point - (center - 0.1 * n)).norm(), 1e-16);
}

TEST(SphereKernels, SphereInABore) {
  // The ball in a cylinder of [Gonthier 2007, 5.1.3]: R 0.1 m in 1 m.
  testing::Random random(4);
  const Pose X_WS = random.pose(1.0);
  const Vec3 outward(std::cos(0.3), std::sin(0.3), 0.0);
  const PointContact at = sphere_solid(X_WS * Vec3(0.901 * outward + Vec3(0, 0, 5)), 0.1, Bore{1.0}, X_WS);
  EXPECT_NEAR(at.gap, -0.001, 1e-14);
  EXPECT_LT((at.normal + X_WS.R * outward).norm(), 1e-14);
  EXPECT_LT((at.point - X_WS * Vec3(1.001 * outward + Vec3(0, 0, 5))).norm(), 1e-14);
}

}  // namespace
}  // namespace abut
