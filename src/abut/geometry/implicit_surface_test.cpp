#include "abut/geometry/implicit_surface.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

std::vector<ImplicitSurface> make_surfaces() {
  std::vector<ImplicitSurface> list;
  list.emplace_back(Sphere{0.3});
  list.emplace_back(Ellipsoid{Vec3(0.5, 0.2, 0.1)});
  list.emplace_back(Superquadric{Vec3(0.4, 0.3, 0.2), 4.0});
  RoundedIntersection lens;
  lens.parts = {ImplicitSurface(Sphere{1.0}), ImplicitSurface(Ellipsoid{Vec3(1.0, 0.8, 0.9)})};
  lens.X_SP = {Pose(Mat3::Identity(), Vec3(0, 0, 0.6)), Pose(Mat3::Identity(), Vec3(0, 0, -0.5))};
  list.emplace_back(lens);
  return list;
}

const Vec3 kDirections[] = {Vec3(1, 0, 0), Vec3(0, 0.6, -0.8), Vec3(0.3, -0.5, 0.7).normalized(),
                            Vec3(-0.9, 0.1, 0.2).normalized()};

TEST(ImplicitSurface, GradientIsTheDerivative) {
  for (const ImplicitSurface& surface : make_surfaces()) {
    for (const Vec3& p : {Vec3(0.21, 0.13, -0.07), Vec3(-0.3, 0.25, 0.11)}) {
      const Vec3 g = surface.gradient(p);
      for (int k = 0; k < 3; ++k) {
        const double h = 1e-6;
        const double slope = (surface.value(p + h * Vec3::Unit(k)) - surface.value(p - h * Vec3::Unit(k))) / (2.0 * h);
        EXPECT_NEAR(g[k], slope, 1e-6 * (1.0 + g.norm()));
      }
    }
  }
}

TEST(ImplicitSurface, SupportLiesOnTheSurfaceAndFurthestOut) {
  for (const ImplicitSurface& surface : make_surfaces()) {
    for (const Vec3& n : kDirections) {
      const Vec3 p = surface.calc_support(n);
      EXPECT_NEAR(surface.value(p), 0.0, 1e-10);
      EXPECT_LE((surface.calc_normal(p) - n).norm(), 1e-5);
      // No point of the solid found by sampling lies further out.
      for (int i = -6; i <= 6; ++i) {
        for (int j = -6; j <= 6; ++j) {
          for (int k = -6; k <= 6; ++k) {
            const Vec3 sample = Vec3(i, j, k) / 10.0;
            if (surface.value(sample) <= 0.0) {
              EXPECT_LE(sample.dot(n), p.dot(n) + 1e-9);
            }
          }
        }
      }
    }
  }
}

TEST(OpposedPoints, SpheresHaveTheirClosedForm) {
  const ImplicitSurface a(Sphere{0.3}), b(Sphere{0.5});
  for (const double distance : {2.0, 0.8, 0.7}) {  // apart, touching, overlapping
    const Vec3 axis = Vec3(1, 2, 2) / 3.0;
    const OpposedPoints points =
        find_opposed_points(a, Pose(Mat3::Identity(), distance * axis), b, Pose(), Vec3(1.0, 0.3, 0.2));
    ASSERT_TRUE(points.is_converged);
    EXPECT_NEAR(points.gap, distance - 0.8, 1e-12);
    EXPECT_LE((points.normal - axis).norm(), 1e-8);
    EXPECT_LE((points.a2 - 0.5 * axis).norm(), 1e-8);
  }
}

// V4-5, spec 4 (9): unit normals tell touching from intersecting. At every common point of two crossing ellipsoids the
// points coincide, as (8) asks; only at opposed points are the normals opposite, and there the gap is negative.
TEST(OpposedPoints, DistinguishTouchingFromIntersecting) {
  const ImplicitSurface a(Ellipsoid{Vec3(0.5, 0.3, 0.2)}), b(Ellipsoid{Vec3(0.4, 0.4, 0.3)});
  const Pose X_2(Quat(Eigen::AngleAxisd(0.4, Vec3(1, 1, 0).normalized())), Vec3::Zero());
  for (const double height : {0.8, 0.5, 0.45}) {
    const Pose X_1(Mat3::Identity(), Vec3(0.05, 0.02, height));
    const OpposedPoints points = find_opposed_points(a, X_1, b, X_2, Vec3::UnitZ());
    ASSERT_TRUE(points.is_converged);
    const Vec3 n_f = X_1.R * a.calc_normal(X_1.inverse() * points.a1),
               n_g = X_2.R * b.calc_normal(X_2.inverse() * points.a2);
    EXPECT_LE((n_f + n_g).norm(), 1e-7);
    EXPECT_LE(tangential(points.a1 - points.a2, points.normal).norm(), 1e-8);
    EXPECT_EQ(points.gap < 0.0, height < 0.49);
  }
}

TEST(OpposedPoints, HalfSpaceIsDirect) {
  const ImplicitSurface a(Superquadric{Vec3(0.4, 0.3, 0.2), 6.0}), floor(HalfSpace{Vec3::UnitZ(), 0.1});
  const OpposedPoints points =
      find_opposed_points(a, Pose(Mat3::Identity(), Vec3(1, 2, 0.5)), floor, Pose(), Vec3::UnitZ());
  EXPECT_NEAR(points.gap, 0.5 - 0.2 - 0.1, 1e-12);
  EXPECT_LE((points.a2 - Vec3(1, 2, 0.1)).norm(), 1e-12);
}

}  // namespace
}  // namespace abut
