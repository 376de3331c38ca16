#include "abut/geometry/mesh/mesh_queries.hpp"

#include <set>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/cross_section.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {
namespace {

using testing::RandomPoses;

TriangleCorners corners(const MeshData& mesh, int t, const Pose& X) {
  const auto& c = mesh.triangles[t];
  return {X * mesh.vertices[c[0]], X * mesh.vertices[c[1]], X * mesh.vertices[c[2]]};
}

TEST(BoundingTree, HoldsEveryTriangleOnce) {
  const MeshData mesh = make_torus_mesh(1.0, 0.3, 30, 17);
  const BoundingTree tree(mesh);
  std::set<int> seen;
  for (const auto& node : tree.nodes()) {
    if (!node.is_leaf()) continue;
    EXPECT_TRUE(seen.insert(node.triangle()).second);
  }
  EXPECT_EQ(seen.size(), mesh.triangles.size());
  EXPECT_LT(tree.depth(), 24);
}

TEST(BoundingTree, NoPairOfTouchingTrianglesIsMissed) {
  RandomPoses random(5);
  const MeshData a = make_torus_mesh(0.5, 0.2, 16, 9), b = make_sphere_mesh(0.3, 2);
  const BoundingTree tree_a(a), tree_b(b);
  PairStack stack;
  int num_touching = 0;
  for (int round = 0; round < 20; ++round) {
    const Pose X = random.pose(0.6);
    std::set<std::pair<int, int>> found;
    visit_overlapping_pairs(tree_a, tree_b, X, stack, [&](int i, int j) { found.insert({i, j}); });
    for (int i = 0; i < static_cast<int>(a.triangles.size()); ++i) {
      for (int j = 0; j < static_cast<int>(b.triangles.size()); ++j) {
        if (found.count({i, j})) continue;
        ASSERT_GT(find_closest_points(corners(a, i, Pose()), corners(b, j, X)).distance, 0.0);
      }
    }
    num_touching += static_cast<int>(found.size());
  }
  EXPECT_GT(num_touching, 100);
}

TEST(MeshQueries, DistancesAgreeWithBruteForce) {
  RandomPoses random(6);
  const MeshData a = make_torus_mesh(0.5, 0.2, 12, 7), b = make_box_mesh(Vec3(0.1, 0.2, 0.3));
  const BoundingTree tree_a(a), tree_b(b);
  MeshQueryScratch scratch;
  for (int round = 0; round < 50; ++round) {
    const Pose X = random.pose(1.0);
    double best = 1e9, best_point = 1e9;
    for (int i = 0; i < static_cast<int>(a.triangles.size()); ++i) {
      best_point = std::min(best_point, (find_closest_point(corners(a, i, Pose()), X.p) - X.p).norm());
      for (int j = 0; j < 12; ++j) {
        best = std::min(best, find_closest_points(corners(a, i, Pose()), corners(b, j, X)).distance);
      }
    }
    const ClosestPair pair = find_closest_points(a, tree_a, b, tree_b, X, scratch);
    EXPECT_EQ(pair.distance, best);
    EXPECT_NEAR((pair.on_a - pair.on_b).norm(), best, 1e-15);
    EXPECT_EQ(find_closest_point(a, tree_a, X.p, scratch).pair.distance, best_point);
  }
}

TEST(MeshQueries, TriangleDistanceIsTheLeastOverSampledPoints) {
  RandomPoses random(7);
  for (int round = 0; round < 30; ++round) {
    TriangleCorners a, b;
    for (int k = 0; k < 3; ++k) {
      a[k] = random.vector(1.0);
      b[k] = random.vector(1.0) + Vec3(0.8, 0, 0);
    }
    const ClosestPair pair = find_closest_points(a, b);
    double sampled = 1e9;
    const int n = 24;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        const Vec3 p = a[0] + (a[1] - a[0]) * i / n + (a[2] - a[0]) * j / n;
        sampled = std::min(sampled, (find_closest_point(b, p) - p).norm());
      }
    }
    EXPECT_LE(pair.distance, sampled + 1e-14);
    EXPECT_GE(pair.distance, sampled - 2.0 * 3.5 / n);  // samples are at most an edge of a cell apart
  }
}

TEST(MeshQueries, InsideAgreesWithTheShapeAndDecidesOnItsSurface) {
  RandomPoses random(8);
  MeshQueryScratch scratch;
  const ClosedMesh torus = make_closed_mesh(make_torus_mesh(0.5, 0.2, 64, 48));
  int num_inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.vector(0.8);
    const double d = std::hypot(std::hypot(p.x(), p.y()) - 0.5, p.z());
    if (std::abs(d - 0.2) < 0.005) continue;  // the facets lie up to 0.0021 inside
    EXPECT_EQ(is_inside(torus, p, scratch), d < 0.2);
    num_inside += d < 0.2 ? 1 : 0;
  }
  EXPECT_GT(num_inside, 100);
  // On faces, edges and corners of a divided box: the point moved by (e, e^2, e^3) decides.
  const ClosedMesh box = make_closed_mesh(make_divided(make_box_mesh(Vec3::Ones()), 2));
  for (const double x : {-1.0, -0.5, 0.0, 0.25, 1.0}) {
    for (const double y : {-1.0, -0.5, 0.0, 0.25, 1.0}) {
      for (const double z : {-1.0, -0.5, 0.0, 0.25, 1.0}) {
        EXPECT_EQ(is_inside(box, Vec3(x, y, z), scratch), x < 1.0 && y < 1.0 && z < 1.0) << x << " " << y << " " << z;
      }
    }
  }
}

TEST(CrossSection, AreaIsTheDerivativeOfTheVolumeBelow) {
  // Of a box across its diagonal: a hexagon of known area; of a torus: two discs and, seen along its axis, an annulus.
  SectionScratch scratch;
  std::vector<SectionSegment> segments;
  const ClosedMesh box = make_closed_mesh(make_box_mesh(Vec3::Ones()));
  calc_cross_section(box, HalfSpace{Vec3(1, 1, 1).normalized(), 0.0}, scratch, segments);
  EXPECT_NEAR(calc_section_area(HalfSpace{Vec3(1, 1, 1).normalized(), 0.0}, segments), 3.0 * std::sqrt(3.0), 1e-14);
  // Through the faces exactly: vertices in the plane count as above.
  calc_cross_section(box, HalfSpace{Vec3::UnitZ(), 1.0}, scratch, segments);
  EXPECT_NEAR(calc_section_area(HalfSpace{Vec3::UnitZ(), 1.0}, segments), 4.0, 1e-15);
  calc_cross_section(box, HalfSpace{Vec3::UnitZ(), -1.0}, scratch, segments);
  EXPECT_TRUE(segments.empty());
  const ClosedMesh torus = make_closed_mesh(make_torus_mesh(0.5, 0.2, 40, 40));
  calc_cross_section(torus, HalfSpace{Vec3::UnitZ(), 0.01}, scratch, segments);
  double volume = 0.0;  // integral of the section's area over the height
  const int n = 2000;
  for (int i = 0; i < n; ++i) {
    const HalfSpace plane{Vec3::UnitZ(), 0.2 * (2.0 * (i + 0.5) / n - 1.0)};
    calc_cross_section(torus, plane, scratch, segments);
    volume += 0.4 / n * calc_section_area(plane, segments);
  }
  EXPECT_NEAR(volume, torus.moments().volume, 1e-6);  // midpoint rule: second order in 0.4 / n where the area is smooth
}

TEST(CrossSection, SegmentsFormClosedLines) {
  RandomPoses random(9);
  SectionScratch scratch;
  std::vector<SectionSegment> segments;
  const ClosedMesh torus = make_closed_mesh(make_torus_mesh(0.5, 0.2, 20, 12));
  for (int i = 0; i < 50; ++i) {
    const HalfSpace plane{random.rotation().col(0), random.uniform(-0.5, 0.5)};
    calc_cross_section(torus, plane, scratch, segments);
    std::multiset<std::array<double, 3>> starts, ends;
    for (const SectionSegment& s : segments) {
      starts.insert({s.p.x(), s.p.y(), s.p.z()});
      ends.insert({s.q.x(), s.q.y(), s.q.z()});
      EXPECT_NEAR(plane.normal.dot(s.p) - plane.offset, 0.0, 1e-15);
    }
    EXPECT_EQ(starts, ends);
    EXPECT_GE(calc_section_area(plane, segments), 0.0);
  }
}

}  // namespace
}  // namespace abut
