#include "abut/geometry/implicit_surface.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/opposed_points.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

Intersection make_intersection(const std::vector<std::pair<ImplicitSurface, Pose>>& parts, double sharpness) {
  return {std::make_shared<const RoundedParts>(make_rounded_parts(parts, sharpness))};
}

/// A ball and an egg, one above the other.
Intersection make_lens(double sharpness) {
  return make_intersection(
      {{ImplicitSurface(Sphere{1.0}), Pose(Mat3::Identity(), Vec3(0, 0, 0.6))},
       {ImplicitSurface(Ellipsoid{Vec3(1.0, 0.8, 0.9)}), Pose(Mat3::Identity(), Vec3(0, 0, -0.5))}},
      sharpness);
}

std::vector<std::pair<ImplicitSurface, Pose>> make_planes(const Vec3& half_size) {
  std::vector<std::pair<ImplicitSurface, Pose>> planes;
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      planes.emplace_back(ImplicitSurface(HalfSpace{sign * Vec3::Unit(i), half_size[i]}), Pose());
    }
  }
  return planes;
}

Intersection make_block() { return make_intersection(make_planes(Vec3(0.4, 0.3, 0.2)), 6.0); }

std::vector<ImplicitSurface> make_surfaces() {
  std::vector<ImplicitSurface> list;
  list.emplace_back(Sphere{0.3});
  list.emplace_back(Ellipsoid{Vec3(0.5, 0.2, 0.1)});
  list.emplace_back(Superquadric{Vec3(0.4, 0.3, 0.2), 4.0});
  list.emplace_back(Superquadric{Vec3(0.4, 0.3, 0.2), 2.0, 8.0});
  list.emplace_back(Superquadric{Vec3(0.4, 0.3, 0.2), 6.0, 2.5});
  list.emplace_back(make_lens(16.0));
  list.emplace_back(make_block());
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

TEST(ImplicitSurface, HessianIsTheDerivativeOfTheGradient) {
  for (const ImplicitSurface& surface : make_surfaces()) {
    for (const Vec3& p : {Vec3(0.21, 0.13, -0.07), Vec3(-0.3, 0.25, 0.11)}) {
      const Mat3 hessian = surface.calc_hessian(p);
      for (int k = 0; k < 3; ++k) {
        const double h = 1e-6;
        const Vec3 slope =
            (surface.gradient(p + h * Vec3::Unit(k)) - surface.gradient(p - h * Vec3::Unit(k))) / (2.0 * h);
        EXPECT_LE((hessian.col(k) - slope).norm(), 1e-6 * (1.0 + hessian.norm()));
      }
    }
  }
}

TEST(ImplicitSurface, ReachIsWhereTheRayLeaves) {
  for (const ImplicitSurface& surface : make_surfaces()) {
    for (const Vec3& n : kDirections) EXPECT_NEAR(surface.value(surface.calc_reach(n) * n), 0.0, 1e-12);
  }
}

// Away from its edge a lens has the surface of its parts to level^sharpness / sharpness: at the poles the other part's
// level is (0.35 / 1)^2 and (0.45 / 0.9)^2 at most.
TEST(ImplicitSurface, RoundingLeavesThePolesAlone) {
  const ImplicitSurface lens(make_lens(16.0));
  EXPECT_NEAR(lens.calc_reach(-Vec3::UnitZ()), 0.4, 1e-9);
  EXPECT_NEAR(lens.calc_reach(Vec3::UnitZ()), 0.4, 1e-9);
}

// Bodies about to touch or just overlapping, turned at random: faces that are flat to sixteen digits and sharp edges
// included. Opposed normals along the line between the points tell the truth, whoever found them.
TEST(OpposedPoints, AreFoundForFlatFacesAndEdges) {
  const std::vector<ImplicitSurface> surfaces = make_surfaces();
  testing::Random random(3);
  for (const ImplicitSurface& f : surfaces) {
    for (const ImplicitSurface& g : surfaces) {
      for (const double gap : {-0.01, 0.01}) {
        const Vec3 along = random.unit();
        Pose X_1(random.rotation(), Vec3::Zero()), X_2(random.rotation(), Vec3::Zero());
        const Vec3 a = X_1 * f.calc_support(X_1.R.transpose() * -along),
                   b = X_2 * g.calc_support(X_2.R.transpose() * along);
        X_1.p = along * ((b - a).dot(along) + gap);
        const OpposedPoints points = find_opposed_points(f, X_1, g, X_2, X_1.p);
        ASSERT_TRUE(points.is_converged);
        EXPECT_GE(points.gap, gap - 1e-12);  // that of the direction it began with is a lower bound
        const Vec3 n_f = X_1.R * f.calc_normal(X_1.inverse() * points.a1);
        EXPECT_LE((n_f + points.normal).norm(), 1e-8);
        EXPECT_LE(tangential(points.a1 - points.a2, points.normal).norm(), 1e-8);
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

// [Chakraborty et al. 2007 (6), (9)]: of two crossing ellipsoids every common point of the surfaces has a1 = a2, as (8)
// asks, but only at opposed points are the normals opposite; there f(a2) and g(a1) tell touching from intersecting.
TEST(OpposedPoints, DistinguishTouchingFromIntersecting) {
  const ImplicitSurface a(Ellipsoid{Vec3(0.5, 0.3, 0.2)}), b(Ellipsoid{Vec3(0.4, 0.4, 0.3)});
  const Pose X_2(Quat(Eigen::AngleAxisd(0.4, Vec3(1, 1, 0).normalized())), Vec3::Zero());
  const auto lower = [](double height) { return Pose(Mat3::Identity(), Vec3(0.05, 0.02, height)); };
  const auto find = [&](double height) { return find_opposed_points(a, lower(height), b, X_2, Vec3::UnitZ()); };
  double touching = 0.8;  // the gap grows with the height, by the cosine of the normal's angle
  for (int k = 0; k < 60; ++k) touching -= find(touching).gap / find(touching).normal.z();
  for (const double height : {touching + 0.2, touching, touching - 0.05}) {
    const Pose X_1 = lower(height);
    const OpposedPoints points = find(height);
    ASSERT_TRUE(points.is_converged);
    const Vec3 n_f = X_1.R * a.calc_normal(X_1.inverse() * points.a1),
               n_g = X_2.R * b.calc_normal(X_2.inverse() * points.a2);
    EXPECT_LE((n_f + n_g).norm(), 1e-7);
    EXPECT_LE(tangential(points.a1 - points.a2, points.normal).norm(), 1e-8);
    const double f_a2 = a.value(X_1.inverse() * points.a2), g_a1 = b.value(X_2.inverse() * points.a1);
    if (height == touching) {
      // The points are right to 1e-9 of the size, the functions have slopes of 10 / m.
      EXPECT_NEAR(f_a2, 0.0, 1e-8);
      EXPECT_NEAR(g_a1, 0.0, 1e-8);
      continue;
    }
    EXPECT_EQ(points.gap < 0.0, height < touching);
    EXPECT_EQ(f_a2 < 0.0, height < touching);
    EXPECT_EQ(g_a1 < 0.0, height < touching);
  }
  // A common point of the surfaces that cross, found along an arc of the first from its deepest point.
  const Pose X_1 = lower(touching - 0.05);
  const Vec3 deepest = X_1.R.transpose() * (find(touching - 0.05).a1 - X_1.p).normalized();
  double inside = 0.0, outside = 1.0;
  Vec3 common = Vec3::Zero();
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (inside + outside);
    const Vec3 ray = ((1.0 - middle) * deepest + middle * Vec3::UnitX()).normalized();
    common = X_1 * Vec3(ray / std::sqrt(a.value(ray) + 1.0));
    (b.value(X_2.inverse() * common) < 0.0 ? inside : outside) = middle;
  }
  EXPECT_NEAR(a.value(X_1.inverse() * common), 0.0, 1e-12);
  EXPECT_NEAR(b.value(X_2.inverse() * common), 0.0, 1e-12);
  EXPECT_GT((X_1.R * a.calc_normal(X_1.inverse() * common) + X_2.R * b.calc_normal(X_2.inverse() * common)).norm(),
            0.1);
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
