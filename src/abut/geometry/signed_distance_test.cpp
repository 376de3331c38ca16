#include "abut/geometry/signed_distance.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::kPi;
using testing::Random;

template <class Solid>
void expect_matches_search(const Solid& solid, double width, int count, unsigned seed) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Vec3 p = random.vector(width);
    // The search ends within 1e-10 of a patch; at rims the distance is linear in that.
    EXPECT_NEAR(calc_signed_distance(solid, p).distance, testing::brute_signed_distance(solid, p), 1e-8)
        << "at " << p.transpose();
  }
}

TEST(SignedDistance, MatchesSearchOverTheSurface) {
  expect_matches_search(Sphere{0.6}, 1.0, 5, 1);
  expect_matches_search(Box{Vec3(0.3, 0.8, 0.5)}, 1.2, 25, 2);
  expect_matches_search(Cylinder{0.5, 0.7}, 1.2, 25, 3);
  expect_matches_search(Cylinder{1.0, 0.2}, 1.5, 25, 4);
  expect_matches_search(Cone{0.3, 1.0}, 1.3, 25, 5);
  expect_matches_search(Cone{1.2, 0.3}, 1.0, 25, 6);
  expect_matches_search(Capsule{0.3, 0.7}, 1.2, 25, 7);
  expect_matches_search(Ellipsoid{Vec3(0.2, 0.5, 0.9)}, 1.2, 25, 8);
}

TEST(SignedDistance, OfHollowShapesMatchesSearchOverTheSurface) {
  expect_matches_search(Torus{0.6, 0.25}, 1.2, 40, 41);
  expect_matches_search(Bowl{0.6, 0.2, 0.6}, 1.2, 40, 42);
  expect_matches_search(Bowl{0.6, 0.3, 0.2}, 1.2, 40, 43);  // a dish, its centre above the lip
  expect_matches_search(Bowl{0.6, 0.1, 1.0}, 1.0, 40, 44);  // a socket
  Random random(45);
  for (int i = 0; i < 20; ++i) {
    const Vec3 p = random.vector(1.0);
    EXPECT_NEAR(calc_signed_distance(Cavity{0.7}, p).distance, 0.7 - p.norm(), 1e-15);
  }
}

/// The sphere-cone pair of [Gonthier 2007 (A.18)-(A.24)] for a sphere of radius 0, in its own vectors.
double calc_printed_cone(const Vec3& p, double alpha) {
  const Vec3 a = Vec3::UnitZ();
  const Vec3 np = p.cross(a).normalized();
  const Vec3 tc = Eigen::AngleAxisd(alpha, np) * a;
  return p.dot(tc) > 0.0 ? p.norm() : p.dot(tc.cross(np));
}

TEST(SignedDistance, AgreesWithThePrintedConeAndCylinder) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = random.vector(1.0);
    EXPECT_NEAR(calc_signed_distance(Cone{0.4}, p).distance, calc_printed_cone(p, 0.4), 1e-15);
    EXPECT_NEAR(calc_signed_distance(Cylinder{0.3}, p).distance, p.head<2>().norm() - 0.3, 1e-15);
    EXPECT_NEAR(calc_signed_distance(Bore{0.3}, p).distance, 0.3 - p.head<2>().norm(), 1e-15);
    EXPECT_NEAR(calc_signed_distance(HalfSpace{Vec3::UnitY(), 0.2}, p).distance, p.y() - 0.2, 1e-15);
  }
}

/// A wedge is convex: the distance is the largest of the two face heights where a face is nearest, else that to the
/// edge.
TEST(SignedDistance, OfWedgesMatchesSearchOverBothFaces) {
  Random random(12);
  for (double opening : {0.2, 1.0, kPi / 2, 2.5, 3.1}) {
    // Faces leave the edge (y axis) along t1 and t2; solid between them.
    const Vec3 t1 = -Vec3::UnitX();
    const Vec3 t2(-std::cos(opening), 0.0, -std::sin(opening));
    const Wedge wedge{Vec3::UnitZ(), Vec3(std::sin(opening), 0.0, -std::cos(opening))};
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = random.vector(1.0);
      const Vec3 q(p.x(), 0.0, p.z());
      const auto to_ray = [&](const Vec3& t) { return (q - std::max(0.0, q.dot(t)) * t).norm(); };
      const bool is_inside = p.dot(wedge.normal_1) <= 0.0 && p.dot(wedge.normal_2) <= 0.0;
      const double expected = (is_inside ? -1.0 : 1.0) * std::min(to_ray(t1), to_ray(t2));
      EXPECT_NEAR(calc_signed_distance(wedge, p).distance, expected, 1e-15) << opening << " at " << p.transpose();
    }
  }
}

std::vector<Shape> make_all_shapes() {
  const Vec3 n = Vec3(0.2, -0.5, 0.9).normalized();
  const Wedge acute{Vec3::UnitZ(), Vec3(0.3, 0, -0.8).normalized()};
  return {Sphere{0.5},
          HalfSpace{n, 0.3},
          Box{Vec3(0.3, 0.6, 0.4)},
          Cylinder{0.3, 0.5},
          Cylinder{0.3},
          Bore{0.8},
          Cone{0.5, 0.8},
          Cone{0.7},
          Capsule{0.3, 0.4},
          Ellipsoid{Vec3(0.2, 0.4, 0.7)},
          Wedge{n, Vec3::UnitX()},
          acute};
}

std::vector<Shape> make_hollow_shapes() {
  return {Torus{0.5, 0.2}, Cavity{0.8}, Bowl{0.5, 0.2, 0.5}, Bowl{0.5, 0.3, 0.2}, Bowl{0.5, 0.1, 0.8}};
}

TEST(SignedDistance, GradientIsTheUnitNormal) {
  Random random(21);
  constexpr double kStep = 1e-5;
  std::vector<Shape> shapes = make_all_shapes();
  for (const Shape& shape : make_hollow_shapes()) shapes.push_back(shape);
  for (const Shape& shape : shapes) {
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
      const Vec3 p = random.vector(1.0);
      const SurfaceDistance at = calc_signed_distance(shape, p);
      EXPECT_NEAR(at.normal.norm(), 1.0, 1e-14);
      Vec3 gradient;
      bool is_smooth = true;
      for (int k = 0; k < 3; ++k) {
        const SurfaceDistance above = calc_signed_distance(shape, p + kStep * Vec3::Unit(k));
        const SurfaceDistance below = calc_signed_distance(shape, p - kStep * Vec3::Unit(k));
        gradient[k] = (above.distance - below.distance) / (2.0 * kStep);
        is_smooth = is_smooth && (above.normal - below.normal).norm() < 0.01;
      }
      if (!is_smooth) continue;  // across a medial surface inside the solid, or next to an edge
      ++compared;
      // Central differences: step^2 times third derivatives of order 1/distance^2 plus the kink where a face meets an
      // edge region (curvature jumps, error of order step / distance).
      EXPECT_LT((gradient - at.normal).norm(), 1e-4) << shape_name(shape) << " at " << p.transpose();
    }
    EXPECT_GT(compared, 40) << shape_name(shape);
  }
}

/// Outside a convex solid the normal turns by at most the step over the distance from the surface.
TEST(SignedDistance, NormalIsContinuousAlongSweepsOutside) {
  for (const Shape& shape : make_all_shapes()) {
    Random random(31);
    for (int sweep = 0; sweep < 20; ++sweep) {
      const Vec3 from = random.vector(1.5);
      const Vec3 along = random.vector(1.5) - from;
      constexpr int kSteps = 400;
      SurfaceDistance last = calc_signed_distance(shape, from);
      for (int i = 1; i <= kSteps; ++i) {
        const SurfaceDistance next = calc_signed_distance(shape, from + along * (double(i) / kSteps));
        const double step = along.norm() / kSteps;
        EXPECT_LE(std::abs(next.distance - last.distance), step * (1.0 + 1e-12));
        const bool is_bore = std::holds_alternative<Bore>(shape);
        const double radius = is_bore ? 0.8 - last.distance : last.distance;  // of the offset surface, at least
        if (last.distance > 0.0 && next.distance > 0.0 && radius > 2.0 * step) {
          EXPECT_LE((next.normal - last.normal).norm(), 1.01 * step / (radius - step)) << shape_name(shape);
        }
        last = next;
      }
    }
  }
}

TEST(SignedDistance, IsFiniteWhereNoDirectionIsPreferred) {
  const double apex_depth = 0.4;
  for (const Shape& shape : make_all_shapes()) {
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0, 0, -apex_depth), Vec3(0, 0, 0.5), Vec3(1e-300, 0, 0),
                          Vec3(0.3, 0, 0.5), Vec3(0.3, 0.6, 0.4), Vec3(0, 1e-170, 1e-170)}) {
      const SurfaceDistance at = calc_signed_distance(shape, p);
      EXPECT_TRUE(std::isfinite(at.distance)) << shape_name(shape);
      EXPECT_NEAR(at.normal.norm(), 1.0, 1e-12) << shape_name(shape) << " at " << p.transpose();
    }
  }
  for (const Shape& shape : make_hollow_shapes()) {
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0, 0, 0.3), Vec3(0.5, 0, 0), Vec3(0.7, 0, 0), Vec3(1e-300, 0, 0)}) {
      const SurfaceDistance at = calc_signed_distance(shape, p);
      EXPECT_TRUE(std::isfinite(at.distance)) << shape_name(shape);
      EXPECT_NEAR(at.normal.norm(), 1.0, 1e-12) << shape_name(shape) << " at " << p.transpose();
    }
  }
  EXPECT_EQ(calc_signed_distance(Cavity{0.8}, Vec3::Zero()).normal, Vec3(Vec3::UnitZ()));
  EXPECT_EQ(calc_signed_distance(Bowl{0.8, 0.1, 0.8}, Vec3::Zero()).normal, Vec3(Vec3::UnitZ()));
  EXPECT_EQ(calc_signed_distance(Bore{0.8}, Vec3(0, 0, 1)).normal, Vec3(-Vec3::UnitX()));
  EXPECT_EQ(calc_signed_distance(Cylinder{0.3}, Vec3(0, 0, 1)).normal, Vec3(Vec3::UnitX()));
  const SurfaceDistance inside_cone = calc_signed_distance(Cone{0.7}, Vec3(0, 0, -apex_depth));
  EXPECT_EQ(inside_cone.normal, Vec3(Vec3::UnitZ()));
  EXPECT_NEAR(inside_cone.distance, -apex_depth * std::sin(0.7), 1e-16);
}

}  // namespace
}  // namespace abut
