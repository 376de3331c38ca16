#include "abut/math/mesh_data.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "abut/math/triangulate_polygon.hpp"

namespace abut {
namespace {

TEST(MeshData, CleaningKeepsOrderAndCounts) {
  MeshData mesh{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(-0.0, 1, 0), Vec3(0, 1, -0.0), Vec3(9, 9, 9), Vec3(1, 0, 1e-9)},
                {{0, 1, 2}, {0, 3, 2}, {5, 3, 0}, {1, 5, 3}}};
  MeshData welded = mesh;
  const MeshCleaning exact = clean_mesh(welded);
  EXPECT_EQ(exact.num_welded, 1);      // vertex 3 equals 2: zeros of both signs are equal
  EXPECT_EQ(exact.num_degenerate, 1);  // (0, 3, 2)
  EXPECT_EQ(exact.num_unused, 1);
  EXPECT_EQ(welded.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {3, 2, 0}, {1, 3, 2}}));
  const MeshCleaning close = clean_mesh(mesh, 1e-8);
  EXPECT_EQ(close.num_welded, 2);
  EXPECT_EQ(close.num_degenerate, 2);
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 2, 0}}));
}

TEST(MeshData, WeldingAgreesWithBruteForce) {
  std::mt19937 engine(1);
  MeshData mesh;
  for (int i = 0; i < 600; ++i) {
    mesh.vertices.emplace_back(engine() % 6, engine() % 5, engine() % 4);
    if (i % 3 == 2) mesh.triangles.push_back({i - 2, i - 1, i});
  }
  for (const double tolerance : {0.0, 1e-6}) {
    MeshData welded = mesh;
    clean_mesh(welded, tolerance);
    std::size_t kept = 0;
    for (const auto& t : mesh.triangles) {
      const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
      if (a == b || b == c || c == a) continue;
      ASSERT_LT(kept, welded.triangles.size());
      for (int k = 0; k < 3; ++k) EXPECT_EQ(welded.vertices[welded.triangles[kept][k]], mesh.vertices[t[k]]);
      ++kept;
    }
    EXPECT_EQ(kept, welded.triangles.size());
    for (std::size_t i = 0; i < welded.vertices.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(welded.vertices[i], welded.vertices[j]);
    }
  }
}

TEST(TriangulatePolygon, StarsAreCoveredWithoutOverlap) {
  // Stars with n spikes, tilted in space: all triangles turn the right way and their areas sum to the polygon's.
  for (const int n : {3, 5, 12}) {
    std::vector<Vec3> vertices;
    std::vector<int> corners;
    const Mat3 R = Eigen::AngleAxisd(0.9, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    for (int i = 0; i < 2 * n; ++i) {
      const double angle = std::numbers::pi * i / n, radius = i % 2 ? 0.3 : 1.0;
      vertices.push_back(R * Vec3(radius * std::cos(angle), radius * std::sin(angle), 0.0));
      corners.push_back(i);
    }
    std::vector<std::array<int, 3>> triangles;
    triangulate_polygon(vertices, corners, triangles);
    ASSERT_EQ(triangles.size(), static_cast<std::size_t>(2 * n - 2));
    double area = 0.0;
    for (const auto& t : triangles) {
      const double share = 0.5 * R.col(2).dot((vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]));
      EXPECT_GT(share, 0.0);
      area += share;
    }
    EXPECT_NEAR(area, n * 0.3 * std::sin(std::numbers::pi / n), 1e-14);
  }
}

TEST(TriangulatePolygon, RubbishStillGivesTheRightNumber) {
  const std::vector<Vec3> vertices = {Vec3(0, 0, 0), Vec3(1, 1, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 0)};
  std::vector<std::array<int, 3>> triangles;
  triangulate_polygon(vertices, {0, 1, 2, 3, 4, 0, 0}, triangles);  // crosses itself, with equal corners
  EXPECT_EQ(triangles.size(), 5u);
}

}  // namespace
}  // namespace abut
