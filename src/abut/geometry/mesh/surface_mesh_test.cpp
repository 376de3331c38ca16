#include "abut/geometry/mesh/surface_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {
namespace {

std::string message_of(const auto& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SurfaceMesh, SoupOfABoxGetsItsNeighboursBack) {
  const MeshData box = make_box_mesh(Vec3(1, 2, 3));
  MeshData soup;
  for (const std::array<int, 3>& t : box.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(box.vertices[v]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  const SurfaceMesh surface = make_surface_mesh(soup);
  EXPECT_EQ(surface.report().cleaning.num_welded, 28);
  EXPECT_FALSE(surface.report().edges.has_any());
  for (int t = 0; t < 12; ++t) {
    for (int k = 0; k < 3; ++k) {
      const int n = surface.neighbor(t, k);
      ASSERT_GE(n, 0);
      EXPECT_TRUE(surface.neighbor(n, 0) == t || surface.neighbor(n, 1) == t || surface.neighbor(n, 2) == t);
    }
    const std::array<int, 3>& c = surface.triangles()[t];
    EXPECT_GT(surface.normal(t).dot(surface.vertices()[c[0]]), 0.0);
    EXPECT_NEAR(surface.normal(t).norm(), 1.0, 1e-15);
  }
  EXPECT_NEAR(surface.radius(), std::sqrt(14.0), 1e-15);
  EXPECT_NEAR(surface.mean_size(), std::sqrt(88.0 / 6.0), 1e-14);  // 88 m^2 on 6 squares of two triangles
}

TEST(SurfaceMesh, BadTrianglesAreDroppedAndCounted) {
  MeshData mesh = make_box_mesh(Vec3::Ones());
  mesh.triangles.push_back({0, 0, 1});
  mesh.vertices.emplace_back(5, 5, 5);
  mesh.vertices.emplace_back(6, 6, 6);
  mesh.vertices.emplace_back(7, 7, 7);
  mesh.triangles.push_back({8, 9, 10});
  const SurfaceMesh surface = make_surface_mesh(mesh);
  EXPECT_EQ(surface.num_triangles(), 12);
  EXPECT_EQ(surface.report().cleaning.num_degenerate, 1);
  EXPECT_EQ(surface.report().num_dropped, 1);
  EXPECT_EQ(describe_surface(surface.report(), "box.stl"), "box.stl: 2 triangles without area removed");
}

TEST(SurfaceMesh, FaultsAreToldAndBorne) {
  MeshData mesh = make_box_mesh(Vec3::Ones());
  mesh.triangles.pop_back();
  mesh.triangles.push_back({0, 1, 7});  // through the inside of the box
  const SurfaceMesh surface = make_surface_mesh(mesh);
  EXPECT_EQ(describe_surface(surface.report(), "half"), "half: 3 open edges; 1 edge of more than two triangles");
  // A strip of seven triangles, joined with a half turn, has one side only.
  MeshData strip;
  for (int i = 0; i < 7; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 7.0;
    strip.vertices.emplace_back(std::cos(angle), std::sin(angle), i % 2);
    strip.triangles.push_back({i, (i + 1) % 7, (i + 2) % 7});
  }
  EXPECT_GT(make_surface_mesh(strip).report().edges.num_misoriented, 0);
}

TEST(SurfaceMesh, TrianglesAgreeOnTheirOutside) {
  const MeshData whole = make_uv_sphere_mesh(1.0, 15, 10);
  for (const bool is_open : {false, true}) {
    MeshData mesh = whole;
    if (is_open) mesh.triangles.resize(200);
    int num_wrong = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); t += 3, ++num_wrong) {
      std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    }
    const SurfaceMesh surface = make_surface_mesh(mesh);
    EXPECT_EQ(surface.report().num_turned, num_wrong);
    EXPECT_EQ(surface.report().edges.num_misoriented, 0);
    for (int t = 0; t < surface.num_triangles(); ++t) {
      ASSERT_GT(surface.normal(t).dot(surface.vertices()[surface.triangles()[t][0]]), 0.9);
    }
  }
  const SurfaceMesh turned = make_surface_mesh(make_flipped(whole));
  EXPECT_TRUE(turned.report().is_flipped);
  EXPECT_GT(turned.normal(0).dot(turned.vertices()[turned.triangles()[0][0]]), 0.9);
  EXPECT_EQ(describe_surface(turned.report(), "ball"), "ball: 1 closed surface turned inside out");
  // A cavity faces inwards and stays so.
  const SurfaceMesh hollow = make_surface_mesh(make_union(whole, make_flipped(make_uv_sphere_mesh(0.5, 15, 10))));
  EXPECT_FALSE(hollow.report().is_flipped);
  EXPECT_LT(hollow.normal(300).dot(hollow.vertices()[hollow.triangles()[300][0]]), 0.0);
}

TEST(SurfaceMesh, WhatIsNoMeshIsRefused) {
  EXPECT_EQ(message_of([] { make_surface_mesh(MeshData{}, "a.obj"); }), "a.obj: a mesh without triangles is no body");
  EXPECT_EQ(message_of([] {
              make_surface_mesh({{Vec3::Zero(), Vec3::UnitX(), 2.0 * Vec3::UnitX()}, {{0, 1, 2}}}, "a.obj");
            }),
            "a.obj: all triangles are degenerate");
  EXPECT_NE(message_of([] {
              make_surface_mesh({{Vec3::Zero()}, {{0, 1, 2}}}, "a.obj");
            }).find("names vertex 1"),
            std::string::npos);
}

/// Closed, oriented outwards, and as large as the solid to the order of the facets.
TEST(ShapeMesh, VolumesOfSolids) {
  const double pi = std::numbers::pi;
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Polyhedron tetrahedron{std::make_shared<const ConvexPolyhedron>(make_convex_hull(points))};
  const std::vector<std::pair<Shape, double>> solids = {
      {Sphere{0.5}, pi / 6.0},
      {Box{Vec3(1, 2, 3)}, 48.0},
      {Ellipsoid{Vec3(1, 2, 3)}, 8.0 * pi},
      {Cylinder{0.5, 2.0}, pi},
      {Cone{pi / 4.0, 1.0}, pi / 3.0},
      {Capsule{0.5, 1.0}, pi * (0.5 + 1.0 / 6.0)},
      {tetrahedron, 1.0 / 6.0},
      {Superquadric{Vec3(1, 2, 3), 2.0}, 8.0 * pi},
  };
  for (const auto& [shape, volume] : solids) {
    for (const int n : {16, 64}) {
      const ClosedMesh mesh =
          make_closed_mesh(make_shape_mesh(shape, {.num_segments = n}), std::string(shape_name(shape)));
      EXPECT_FALSE(mesh.report().is_flipped) << shape_name(shape);
      EXPECT_LE(mesh.moments().volume, volume * (1.0 + 1e-14)) << shape_name(shape);
      // Sag on both curvatures: twice (pi / n)^2 / 2 of the radius, times 3 for the volume.
      EXPECT_GE(mesh.moments().volume, volume * (1.0 - 3.0 * std::pow(pi / n, 2))) << shape_name(shape) << " " << n;
    }
  }
}

TEST(ShapeMesh, EndlessShapesFaceOutwards) {
  const SurfaceMesh plane = make_surface_mesh(make_shape_mesh(HalfSpace{Vec3(0, 0.6, 0.8), 2.0}));
  EXPECT_LT((plane.normal(0) - Vec3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_NEAR(plane.normal(0).dot(plane.vertices()[0]), 2.0, 1e-12);
  const SurfaceMesh wedge = make_surface_mesh(make_shape_mesh(Wedge{Vec3::UnitZ(), Vec3::UnitX()}, {.reach = 2.0}));
  EXPECT_EQ(wedge.normal(0), Vec3(Vec3::UnitZ()));
  EXPECT_EQ(wedge.normal(3), Vec3(Vec3::UnitX()));
  EXPECT_LE(wedge.bounds().upper.x(), 0.0);
  EXPECT_EQ(wedge.bounds().lower, Vec3(-2, -2, -2));
  const SurfaceMesh bore = make_surface_mesh(make_shape_mesh(Bore{0.5}, {.num_segments = 8, .reach = 3.0}));
  for (int t = 0; t < bore.num_triangles(); ++t) {
    EXPECT_LT(bore.normal(t).dot(bore.vertices()[bore.triangles()[t][0]]), 0.0);
  }
}

TEST(ShapeMesh, RefusesWhatItCannot) {
  EXPECT_EQ(message_of([] { make_shape_mesh(Sphere{}, {.num_segments = 7}); }),
            "7 flat pieces round a full turn; 8 to 4096 are possible");
  EXPECT_NE(message_of([] { make_shape_mesh(CutShape{std::make_shared<const CellParts>()}); }), "");
  EXPECT_NE(message_of([] { make_shape_mesh(Sphere{-1.0}); }), "");
}

TEST(MakeMesh, UvSphereOfTheThesis) {
  const MeshData sphere = make_uv_sphere_mesh(0.2, 15, 10);
  EXPECT_EQ(sphere.vertices.size(), 137u);  // [Moisio 2013, table 6.1]
  EXPECT_EQ(sphere.triangles.size(), 270u);
  for (const Vec3& v : sphere.vertices) EXPECT_NEAR(v.norm(), 0.2, 1e-16);
}

/// Depth of the subtree at path.back(), whose nodes follow one another up to `end`; counts its triangles, and those
/// corners that are outside of a ball above them.
int check_subtree(const SurfaceMesh& mesh, std::vector<int>& path, int end, std::vector<int>& count, int& num_outside) {
  const std::vector<BoundingTree::Node>& nodes = mesh.tree().nodes();
  const int index = path.back();
  const BoundingTree::Node& node = nodes[index];
  if (node.is_leaf()) {
    EXPECT_EQ(end, index + 1);
    ++count[node.triangle()];
    for (const int v : mesh.triangles()[node.triangle()]) {
      num_outside += static_cast<int>(std::count_if(path.begin(), path.end(), [&](int above) {
        return (mesh.vertices()[v] - nodes[above].calc_center()).norm() > double{nodes[above].radius};
      }));
    }
    return 1;
  }
  int depth = 0;
  for (const auto& [child, last] : {std::pair(index + 1, node.link), std::pair(node.link, end)}) {
    path.push_back(child);
    depth = std::max(depth, check_subtree(mesh, path, last, count, num_outside));
    path.pop_back();
  }
  return 1 + depth;
}

/// Large trees are built by several threads.
TEST(SurfaceMesh, LargeTreeHoldsEachTriangleOnce) {
  const SurfaceMesh mesh = make_surface_mesh(make_uv_sphere_mesh(0.3, 240, 80));
  ASSERT_GT(mesh.num_triangles(), 1 << 15);
  const int num_nodes = static_cast<int>(mesh.tree().nodes().size());
  EXPECT_EQ(num_nodes, 2 * mesh.num_triangles() - 1);
  std::vector<int> count(mesh.triangles().size(), 0);
  std::vector<int> path = {0};
  int num_outside = 0;
  EXPECT_EQ(check_subtree(mesh, path, num_nodes, count, num_outside), mesh.tree().depth());
  EXPECT_EQ(num_outside, 0);
  EXPECT_EQ(std::count(count.begin(), count.end(), 1), mesh.num_triangles());
  // The same each time, whoever built which part.
  const SurfaceMesh again = make_surface_mesh(make_uv_sphere_mesh(0.3, 240, 80));
  for (int i = 0; i < num_nodes; ++i) {
    const BoundingTree::Node &x = mesh.tree().nodes()[i], &y = again.tree().nodes()[i];
    ASSERT_TRUE(x.link == y.link && x.radius == y.radius && (x.center == y.center).all() && (x.half == y.half).all())
        << i;
  }
}

}  // namespace
}  // namespace abut
