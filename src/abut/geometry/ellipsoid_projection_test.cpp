#include "abut/geometry/ellipsoid_projection.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

TEST(EllipsoidProjection, MeetsTheOptimalityConditions) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    // Axes over 1:20, points from deep inside to far outside.
    const Vec3 axes(std::pow(20.0, -random.uniform(0, 1)), std::pow(20.0, -random.uniform(0, 1)), 1.0);
    const Vec3 stretch = i % 2 == 0 ? axes : Vec3(Vec3::Ones());
    const Vec3 y = std::pow(10.0, random.uniform(-3, 1)) * random.unit().cwiseProduct(stretch);
    const EllipsoidProjection at = project_onto_ellipsoid(axes, y);
    // Rounding: a few eps, times the ratio of the axes in the surface equation.
    EXPECT_NEAR(at.point.cwiseQuotient(axes).norm(), 1.0, 2e-14);
    EXPECT_LT((y - at.point - at.distance * at.normal).norm(), 1e-14 * (1.0 + y.norm()));
    EXPECT_LT(at.normal.cross(at.point.cwiseQuotient(axes.cwiseAbs2())).norm(), 1e-13 / axes.minCoeff());
    EXPECT_EQ(at.distance < 0.0, y.cwiseQuotient(axes).norm() < 1.0);
  }
}

TEST(EllipsoidProjection, OfASphereIsRadial) {
  const EllipsoidProjection at = project_onto_ellipsoid(Vec3::Constant(2.0), Vec3(3, 0, 4));
  EXPECT_NEAR(at.distance, 3.0, 1e-15);
  EXPECT_LT((at.point - Vec3(1.2, 0, 1.6)).norm(), 1e-15);
}

TEST(EllipsoidProjection, HasAnAnswerBetweenTwoNearestPoints) {
  const Vec3 axes(1.0, 0.5, 0.2);
  for (const Vec3& y :
       {Vec3(0, 0, 0), Vec3(0.3, 0, 0), Vec3(0.3, 0.1, 0), Vec3(0.3, 0.1, 1e-200), Vec3(0.3, 0.1, 1e-14)}) {
    const EllipsoidProjection at = project_onto_ellipsoid(axes, y);
    EXPECT_NEAR(at.point.cwiseQuotient(axes).norm(), 1.0, 1e-14);
    EXPECT_LT((y - at.point - at.distance * at.normal).norm(), 1e-14);
    EXPECT_GT(at.normal.z(), 0.0);
    // No point of the surface is nearer.
    EXPECT_NEAR(at.distance, testing::brute_signed_distance(Ellipsoid{axes}, y), 1e-8);
  }
  EXPECT_NEAR(project_onto_ellipsoid(axes, Vec3::Zero()).distance, -0.2, 1e-16);
}

}  // namespace
}  // namespace abut
