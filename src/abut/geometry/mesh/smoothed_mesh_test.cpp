#include "abut/geometry/mesh/smoothed_mesh.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kCrease = 0.9;

TEST(SmoothedMesh, VolumeConvergesAtFourthOrder) {
  const double sphere = 4.0 / 3.0 * kPi, torus = 2.0 * kPi * kPi * 0.5 * 0.04;
  double last_sphere = 0.0, last_torus = 0.0;
  for (int level = 2; level <= 4; ++level) {
    const double error_sphere =
        calc_moments(make_smoothed(make_sphere_mesh(1.0, level), kCrease)).volume / sphere - 1.0;
    const MeshData ring = make_torus_mesh(0.5, 0.2, 5 << level, 3 << level);
    const double error_torus = calc_moments(make_smoothed(ring, kCrease)).volume / torus - 1.0;
    if (level > 2) {
      EXPECT_NEAR(std::log2(last_sphere / error_sphere), 4.0, 0.15);
      EXPECT_NEAR(std::log2(last_torus / error_torus), 4.0, 0.15);
    }
    last_sphere = error_sphere;
    last_torus = error_torus;
  }
  EXPECT_LT(std::abs(last_sphere), 3e-5);  // 2.04e-5 measured; without smoothing 5.9e-3
}

TEST(SmoothedMesh, FlatFacesAndSharpEdgesStayPut) {
  const MeshData box = make_divided(make_box_mesh(Vec3(1, 2, 3)), 2), smoothed = make_smoothed(box, kCrease);
  for (std::size_t v = 0; v < box.vertices.size(); ++v) EXPECT_EQ(box.vertices[v], smoothed.vertices[v]);
}

TEST(SmoothedMesh, RimOfACylinderMovesOutwardsOnly) {
  std::vector<Vec2> outline;
  for (int i = 0; i < 40; ++i) outline.emplace_back(std::cos(i * kPi / 20), std::sin(i * kPi / 20));
  const MeshData smoothed = make_smoothed(make_prism_mesh(outline, 0.0, 1.0), kCrease);
  for (const Vec3& v : smoothed.vertices) {
    EXPECT_NEAR(v.z() * (1.0 - v.z()), 0.0, 1e-8);  // the small term that decides corners of many faces
    EXPECT_GT(v.head<2>().norm(), 1.0);
  }
  EXPECT_NEAR(calc_moments(smoothed).volume / kPi, 1.0, 3e-5);  // 1.6e-5 measured; without 4.1e-3
}

TEST(SmoothedMesh, LensOfTwoSpheresIsWithinHalfAPercent) {
  const ClosedMesh sphere = make_closed_mesh(make_smoothed(make_sphere_mesh(0.1, 5), kCrease));
  ASSERT_EQ(sphere.triangles().size(), 8192u);
  const double distance = 0.196, h = 0.1 - 0.5 * distance, expected = 2.0 * kPi * h * h * (0.3 - h) / 3.0;
  testing::RandomPoses random(1);
  MeshInterference interference;
  for (int i = 0; i < 50; ++i) {
    const Mat3 R = random.rotation(), Q = random.rotation();
    const auto& pieces = interference.calc(sphere, Pose(R, Vec3::Zero()), sphere, Pose(Q, Vec3(0, 0, distance)));
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_NEAR(pieces[0].volume / expected, 1.0, 1e-3);  // 5.4e-4 the worst of 200 poses; 4.3e-2 without smoothing
  }
}

}  // namespace
}  // namespace abut
