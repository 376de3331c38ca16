#include "abut/contact/region/perimeter_curve.hpp"

#include <cmath>
#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include "abut/contact/region/surface_ray.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {
namespace {

struct Crossing {
  SurfaceMesh a, b;
  MeshCrossing crossing;
  PerimeterCurve curve;

  Crossing(MeshData first, MeshData second) : a(make_surface_mesh(std::move(first))), b(make_surface_mesh(second)) {}
  const std::vector<CurveLoop>& calc(const Pose& X_AB) {
    curve.measure(crossing.calc(a, b, X_AB), a, b, X_AB.R);
    curve.find_loops();
    return curve.loops();
  }
};

const MeshData kBlock = make_box_mesh(Vec3(2, 2, 0.5));  // top at 0.5

TEST(PerimeterCurve, SphereOnPlaneIsOneCircle) {
  Crossing pair(make_sphere_mesh(0.2, 5), kBlock);
  const double depth = 0.01;
  const auto& loops = pair.calc(Pose(Mat3::Identity(), Vec3(0, 0, -0.7 + depth)));
  ASSERT_EQ(loops.size(), 1u);
  // The polygon of 8192 facets lies inside the circle by (pi/128)^2 / 2 of the radius, 3e-4, which at this depth is
  // 0.6 % of its square.
  EXPECT_NEAR(loops[0].length, 2.0 * std::numbers::pi * std::sqrt(2.0 * 0.2 * depth - depth * depth), 0.004);
  EXPECT_NEAR((loops[0].normal - Vec3::UnitZ()).norm(), 0.0, 1e-12);
  // The block is shrunk by 1e-7 of the smaller size, so that flush walls part.
  EXPECT_NEAR((loops[0].center - Vec3(0, 0, depth - 0.2)).norm(), 0.0, 2e-8);
}

TEST(PerimeterCurve, RingHasTwoLoopsThatPushTheSameWay) {
  Crossing pair(make_torus_mesh(0.3, 0.1, 40, 20), kBlock);
  const auto& loops = pair.calc(Pose(Mat3::Identity(), Vec3(0.001, 0.002, -0.58)));
  ASSERT_EQ(loops.size(), 2u);
  for (const CurveLoop& loop : loops) EXPECT_NEAR(loop.normal.z(), 1.0, 1e-9);
}

TEST(PerimeterCurve, ShiftedBoxesKeepTheNormalOfTheirFaces) {
  // The curve runs half on the upper box's bottom and half on the lower one's top: its own plane is tilted by
  // depth / width.
  Crossing pair(make_box_mesh(Vec3(0.1, 0.1, 0.1)), make_box_mesh(Vec3(0.1, 0.1, 0.1)));
  const auto& loops = pair.calc(Pose(Mat3::Identity(), Vec3(0.03, 0.0, -0.198)));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_NEAR((loops[0].normal - Vec3::UnitZ()).norm(), 0.0, 1e-12);
  EXPECT_NEAR(loops[0].length, 2.0 * (0.17 + 0.2), 0.01);  // and two pieces of 2 mm down the walls
}

TEST(PerimeterCurve, TwoFeetAreTwoLoops) {
  const MeshData foot = make_box_mesh(Vec3(0.02, 0.02, 0.1));
  Crossing pair(make_union(make_moved(foot, Pose(Mat3::Identity(), Vec3(-0.2, 0, 0))),
                           make_moved(foot, Pose(Mat3::Identity(), Vec3(0.2, 0, 0)))),
                kBlock);
  EXPECT_EQ(pair.calc(Pose(Mat3::Identity(), Vec3(0.013, 0.007, -0.598))).size(), 2u);
}

/// A prism of four sides whose half-width goes from `low` at -0.05 to `high` at 0.05 [m].
MeshData make_frustum(double low, double high) {
  MeshData mesh = make_box_mesh(Vec3(1, 1, 0.05));
  for (Vec3& v : mesh.vertices) v.head<2>() *= v.z() < 0.0 ? low : high;
  return mesh;
}

TEST(PerimeterCurve, SeamBetweenFlushRimsIsNoOutline) {
  // Base to base, equal and smaller, straight and tapered, flush and leaning: the outline of the patch counts once.
  const double h = 0.05;
  for (const double lower_end : {0.03, 0.0499, 0.05}) {
    for (const double upper_end : {0.03, 0.0499, 0.05}) {
      for (const double base : {h, h * (1 - 1e-6), 0.0499}) {
        for (const double tilt : {0.0, 1e-8, 1e-6, 1e-5}) {
          Crossing pair(make_frustum(base, upper_end), make_frustum(lower_end, h));
          const Mat3 turn = Eigen::AngleAxisd(tilt, Vec3(1, 0.6, 0).normalized()).toRotationMatrix();
          const Pose X_WA(turn, Vec3(0, 0, 0.1 - 4e-5));
          const auto& loops = pair.calc(X_WA.inverse());
          // Where a rim overhangs on one side only, a narrow loop along the wall pushes aside.
          double length = 0.0, upwards = 0.0;
          for (const CurveLoop& loop : loops) {
            length += loop.share * loop.length;
            upwards += loop.share * loop.length * loop.normal.z();
          }
          // A steep flank that crosses a wall on a part of the way folds the loop there, which counts three times.
          const double folds = upper_end == 0.0499 && tilt == 1e-6 ? 4 * h : 0.0;
          EXPECT_GE(upwards, 8 * h - 0.005) << lower_end << " " << upper_end << " " << base << " " << tilt;
          EXPECT_LE(upwards, 8 * h + folds + 0.005) << lower_end << " " << upper_end << " " << base << " " << tilt;
          EXPECT_NEAR(pair.curve.length(), length, 1e-12);
        }
      }
    }
  }
}

TEST(PerimeterCurve, BodyThatComesOutBelowHasNoSeam) {
  // A rod through a plate: the loop that pushes down is all there is on that side.
  Crossing pair(make_frustum(0.01, 0.02), make_box_mesh(Vec3(0.2, 0.2, 0.01)));
  const auto& loops = pair.calc(Pose());
  ASSERT_EQ(loops.size(), 2u);
  for (const CurveLoop& loop : loops) EXPECT_EQ(loop.share, 1.0);
}

/// The nearest hit by asking every triangle; empty where there is none within reach.
std::optional<double> find_by_all(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction, double reach) {
  std::optional<double> best;
  for (int t = 0; t < mesh.num_triangles(); ++t) {
    const double cosine = mesh.normal(t).dot(direction);
    if (cosine <= 0.35) continue;
    const Vec3 &a = mesh.vertices()[mesh.triangles()[t][0]], &b = mesh.vertices()[mesh.triangles()[t][1]],
               &c = mesh.vertices()[mesh.triangles()[t][2]];
    const double distance = mesh.normal(t).dot(a - origin) / cosine;
    const Vec3 p = origin + distance * direction;
    const bool is_inside = mesh.normal(t).dot((b - a).cross(p - a)) >= 0.0 &&
                           mesh.normal(t).dot((c - b).cross(p - b)) >= 0.0 &&
                           mesh.normal(t).dot((a - c).cross(p - c)) >= 0.0;
    if (is_inside && std::abs(distance) <= best.value_or(reach)) best = std::abs(distance);
  }
  return best;
}

TEST(SurfaceRay, FindsTheNearestFaceLikeASearchThroughAll) {
  const SurfaceMesh mesh = make_surface_mesh(make_torus_mesh(0.3, 0.1, 24, 16));
  SurfaceRay ray;
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 origin(0.4 * std::sin(1.3 * i), 0.4 * std::sin(2.1 * i + 1.0), 0.15 * std::sin(0.7 * i));
    const Vec3 direction = Vec3(std::sin(3.3 * i), std::cos(1.9 * i), std::sin(0.4 * i + 2.0)).normalized();
    const auto hit = ray.find(mesh, origin, direction, 0.2);
    const auto all = find_by_all(mesh, origin, direction, 0.2);
    ASSERT_EQ(hit.has_value(), all.has_value()) << i;
    if (!hit) continue;
    ++found;
    EXPECT_NEAR(std::abs(hit->distance), *all, 1e-12) << i;
  }
  EXPECT_GT(found, 100);
}

TEST(SurfaceRay, NearTrianglesAnswerAsTheTreeDoesWhileTheLineMoves) {
  const SurfaceMesh mesh = make_surface_mesh(make_torus_mesh(0.3, 0.1, 24, 16));
  SurfaceRay ray;
  int found = 0;
  const int num_queries = 4000;
  for (int i = 0; i < num_queries; ++i) {
    // Wanders over the ring, tilting and reaching farther and less far.
    const double t = 1e-3 * i;
    const Vec3 origin(0.36 * std::cos(t), 0.36 * std::sin(1.1 * t), 0.05 + 0.04 * std::sin(7.0 * t));
    const Vec3 direction = Vec3(0.3 * std::sin(5.0 * t), 0.3 * std::cos(3.0 * t), 1.0).normalized();
    const double reach = 0.15 + 0.1 * std::sin(11.0 * t);
    SurfaceRay fresh;
    const auto hit = ray.find(mesh, origin, direction, reach), expected = fresh.find(mesh, origin, direction, reach);
    ASSERT_EQ(hit.has_value(), expected.has_value()) << i;
    if (!hit) continue;
    ++found;
    EXPECT_EQ(hit->triangle, expected->triangle) << i;
    EXPECT_EQ(hit->distance, expected->distance) << i;
  }
  EXPECT_GT(found, num_queries / 2);
  EXPECT_LT(ray.num_searches(), num_queries / 5);
}

}  // namespace
}  // namespace abut
