#include "abut/geometry/mesh/closed_mesh.hpp"

#include <numbers>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_check.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"

namespace abut {
namespace {

std::string message_of(MeshData data) {
  try {
    make_closed_mesh(std::move(data), "part.stl");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ClosedMesh, HalfEdgesOfABoxPairUp) {
  const TriangleMesh mesh(make_box_mesh(Vec3(1, 2, 3)));
  EXPECT_FALSE(mesh.edge_faults().has_any());
  EXPECT_EQ(mesh.num_shells(), 1);
  for (int h = 0; h < 36; ++h) {
    EXPECT_EQ(mesh.twin(mesh.twin(h)), h);
    EXPECT_EQ(mesh.start(mesh.twin(h)), mesh.end(h));
  }
}

TEST(ClosedMesh, MassPropertiesOfABoxAreExactFarFromTheOrigin) {
  const Vec3 half(1, 2, 3), offset(100, -200, 300);
  const MassProperties mass =
      calc_mass_properties(make_closed_mesh(make_moved(make_box_mesh(half), Pose(Mat3::Identity(), offset))), 2.0);
  EXPECT_NEAR(mass.mass, 96.0, 1e-12 * 96.0);
  EXPECT_LT((mass.center_of_mass - offset).norm(), 1e-13 * offset.norm());
  const Mat3 expected = Vec3(96.0 / 3 * 13, 96.0 / 3 * 10, 96.0 / 3 * 5).asDiagonal();
  // Second moments about the frame's origin are 1e4 times larger: four digits go.
  EXPECT_LT((mass.inertia - expected).norm(), 1e-10 * expected.norm());
}

TEST(ClosedMesh, InsideOutIsTurnedAndReported) {
  const ClosedMesh mesh = make_closed_mesh(make_flipped(make_sphere_mesh(1.0, 2)));
  EXPECT_TRUE(mesh.report().is_flipped);
  EXPECT_GT(mesh.moments().volume, 0.0);
}

TEST(ClosedMesh, WeldsASoupOfTriangles) {
  MeshData soup;
  const MeshData box = make_box_mesh(Vec3::Ones());
  for (const auto& t : box.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (const int v : t) soup.vertices.push_back(box.vertices[v]);
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  soup.triangles.push_back({0, 1, 1});
  const ClosedMesh mesh = make_closed_mesh(soup);
  EXPECT_EQ(mesh.vertices().size(), 8u);
  EXPECT_EQ(mesh.report().cleaning.num_welded, 28);
  EXPECT_EQ(mesh.report().cleaning.num_degenerate, 1);
  for (std::size_t i = 0; i < soup.vertices.size(); ++i) soup.vertices[i].x() += 1e-7 * static_cast<double>(i % 5);
  EXPECT_NE(message_of(soup).find("open edges"), std::string::npos);
  EXPECT_EQ(make_closed_mesh(soup, "box", 1e-6).vertices().size(), 8u);
}

TEST(ClosedMesh, RefusesAndNamesEveryFault) {
  MeshData open = make_box_mesh(Vec3::Ones());
  open.triangles.pop_back();
  EXPECT_EQ(message_of(open).find("part.stl: not the closed surface of a solid: 3 open edges;"), 0u)
      << message_of(open);
  // What an open mesh needs in that region, which may be the one it already has.
  EXPECT_NE(message_of(open).find("surface = true"), std::string::npos);
  EXPECT_NE(message_of(open).find("region = \"perimeter\""), std::string::npos);

  MeshData turned = make_box_mesh(Vec3::Ones());
  std::swap(turned.triangles[3][0], turned.triangles[3][1]);
  EXPECT_NE(message_of(turned).find("solid: 3 misoriented edges ("), std::string::npos) << message_of(turned);

  const MeshData box = make_box_mesh(Vec3::Ones());
  const MeshData crossed = make_union(box, make_moved(box, Pose(Mat3::Identity(), Vec3(0.5, 0.31, 0.17))));
  EXPECT_NE(message_of(crossed).find("self-intersection"), std::string::npos) << message_of(crossed);

  // Two boxes that share one edge: four triangles meet there.
  const MeshData pinched = make_union(box, make_moved(box, Pose(Mat3::Identity(), Vec3(2, 2, 0))));
  EXPECT_NE(message_of(pinched).find("solid: 1 non-manifold edge ("), std::string::npos) << message_of(pinched);

  EXPECT_NE(message_of(MeshData{}).find("without triangles"), std::string::npos);
  EXPECT_NE(message_of(MeshData{{Vec3::Zero()}, {{0, 0, 7}}}).find("names vertex 7, but there are 1"),
            std::string::npos);
  EXPECT_NE(message_of(MeshData{{Vec3(0, NAN, 0)}, {{0, 0, 0}}}).find("finite"), std::string::npos);
}

TEST(ClosedMesh, FansThatTouchInAVertexAreSplit) {
  const MeshData box = make_box_mesh(Vec3::Ones());
  const ClosedMesh mesh = make_closed_mesh(make_union(box, make_moved(box, Pose(Mat3::Identity(), Vec3(2, 2, 2)))));
  EXPECT_EQ(mesh.vertices().size(), 16u);
  EXPECT_EQ(mesh.mesh().num_shells(), 2);
}

TEST(ClosedMesh, FlatTrianglesAreTurnedAway) {
  // The top face of a box gets a vertex on its diagonal's neighbour edge, with a triangle of zero area along it.
  MeshData data = make_box_mesh(Vec3::Ones());
  data.vertices.emplace_back(0, -1, 1);  // middle of edge 4-5
  data.triangles.push_back({4, 8, 5});
  // Edge 4-5 of the top stays; the side (0, 5, 4) now meets the vertex: two triangles replace it.
  for (std::size_t i = 0; i < data.triangles.size(); ++i) {
    if (data.triangles[i] == std::array<int, 3>{0, 5, 4}) data.triangles[i] = {0, 8, 4};
  }
  data.triangles.push_back({0, 5, 8});
  const ClosedMesh mesh = make_closed_mesh(data);
  EXPECT_EQ(mesh.report().num_flattened, 1);
  EXPECT_NEAR(mesh.moments().volume, 8.0, 1e-14);
}

/// Two cubes, one moved by half its size along each axis: every edge that crosses does so in the middle of a face, on
/// the diagonal between its two triangles. And a third of which a corner only touches a face from outside.
TEST(ClosedMesh, SeesEdgesThatCrossOnDiagonals) {
  const MeshData cube = make_box_mesh(Vec3::Ones());
  const auto count = [&](const Vec3& move) {
    const TriangleMesh two(make_union(cube, make_moved(cube, Pose(Mat3::Identity(), move))));
    return count_self_intersections(two, BoundingTree(two.data()));
  };
  EXPECT_GT(count(Vec3(1, 1, 1)), 0);
  EXPECT_EQ(count(Vec3(2, 1, 1)), 0);
  EXPECT_EQ(count(Vec3(2, 2, 2)), 0);
}

/// Cubes moved along one axis have four planes in common: no edge passes through a face there, and yet what both cover
/// would count twice. Cubes face to face only touch.
TEST(ClosedMesh, SeesFacesThatCoverEachOther) {
  const MeshData cube = make_box_mesh(Vec3::Ones());
  const auto count = [&](const Vec3& move) {
    const TriangleMesh two(make_union(cube, make_moved(cube, Pose(Mat3::Identity(), move))));
    return count_self_intersections(two, BoundingTree(two.data()));
  };
  EXPECT_GT(count(Vec3(1, 0, 0)), 0);
  EXPECT_GT(count(Vec3(0.5, 1, 0)), 0);
  EXPECT_EQ(count(Vec3(2, 0, 0)), 0);
  EXPECT_EQ(count(Vec3(2, 0.5, 0)), 0);
}

TEST(ClosedMesh, TellsCavitiesFromShellsThatCountTwice) {
  const MeshData cube = make_box_mesh(Vec3::Ones()), small = make_box_mesh(Vec3::Constant(0.5));
  EXPECT_NEAR(make_closed_mesh(make_union(cube, make_flipped(small))).moments().volume, 7.0, 1e-14);
  EXPECT_NE(message_of(make_union(cube, small)).find("solid: 1 shell inside another"), std::string::npos)
      << message_of(make_union(cube, small));
  const MeshData apart = make_moved(small, Pose(Mat3::Identity(), Vec3(3, 0, 0)));
  EXPECT_NEAR(make_closed_mesh(make_union(cube, apart)).moments().volume, 9.0, 1e-14);
}

TEST(ClosedMesh, CountsSelfIntersectionsLikeBruteForce) {
  const MeshData sphere = make_sphere_mesh(1.0, 2);
  const TriangleMesh mesh(make_union(sphere, make_moved(sphere, Pose(Mat3::Identity(), Vec3(0.9, 0.1, 0.2)))));
  const int with_tree = count_self_intersections(mesh, BoundingTree(mesh.data()));
  int by_brute_force = 0;
  for (int i = 0; i < mesh.num_triangles(); ++i) {
    for (int j = i + 1; j < mesh.num_triangles(); ++j) {
      MeshData two;
      for (const int t : {i, j}) {
        for (const int v : mesh.triangles()[t]) two.vertices.push_back(mesh.vertices()[v]);
      }
      two.triangles = {{0, 1, 2}, {3, 4, 5}};
      clean_mesh(two);
      by_brute_force += count_self_intersections(TriangleMesh(two), BoundingTree(two));
    }
  }
  EXPECT_EQ(with_tree, by_brute_force);
  EXPECT_GT(with_tree, 20);
}

}  // namespace
}  // namespace abut
