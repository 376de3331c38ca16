#include "abut/geometry/mesh/detail/near_pairs.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"

namespace abut {
namespace {

using testing::RandomPoses;

Pose turned_about_z(double angle, const Vec3& p) {
  return {Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), p};
}

/// B rolls along A in small moves, to and fro as the stages of an integrator do, with a leap now and then.
Pose make_move(int i) {
  const double s = 1e-3 * (i % 7) + 4e-3 * (i / 7) + (i % 50 == 49 ? 0.2 : 0.0);
  return turned_about_z(s, Vec3(0.9 - 0.1 * s, 0.02 * s, 1e-4 * i));
}

TEST(NearPairs, WhatIsKeptChangesNoBit) {
  const ClosedMesh a = make_closed_mesh(make_sphere_mesh(0.5, 3)), b = make_closed_mesh(make_sphere_mesh(0.45, 3));
  MeshInterference kept;
  for (int i = 0; i < 200; ++i) {
    MeshInterference fresh;
    const std::vector<VolumeMetrics> x = kept.calc(a, Pose(), b, make_move(i));
    const std::vector<VolumeMetrics> y = fresh.calc(a, Pose(), b, make_move(i));
    ASSERT_EQ(x.size(), y.size()) << i;
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_EQ(x[k].volume, y[k].volume) << i;
      EXPECT_EQ(x[k].centroid, y[k].centroid) << i;
      EXPECT_EQ(x[k].inertia, y[k].inertia) << i;
      EXPECT_EQ(x[k].area_vector, y[k].area_vector) << i;
    }
  }
}

TEST(NearPairs, SmallMovesSearchSeldom) {
  const ClosedMesh a = make_closed_mesh(make_sphere_mesh(0.5, 3)), b = make_closed_mesh(make_sphere_mesh(0.45, 3));
  detail::NearPairs near;
  long num_visited = 0;
  for (int i = 0; i < 1000; ++i)
    near.visit(a, b, turned_about_z(1e-5 * i, Vec3(0.9, 0, 1e-5 * i)), [&](const detail::NearPair&) { ++num_visited; });
  EXPECT_LT(near.num_searches(), 50);
  EXPECT_GT(num_visited, 1000);
}

TEST(NearPairs, OtherSolidsAreSearchedAnew) {
  detail::NearPairs near;
  const auto count = [&near](const ClosedMesh& a, const ClosedMesh& b) {
    long num_visited = 0;
    near.visit(a, b, Pose(Mat3::Identity(), Vec3(0.9, 0, 0)), [&](const detail::NearPair&) { ++num_visited; });
    return num_visited;
  };
  const ClosedMesh small = make_closed_mesh(make_sphere_mesh(0.3, 2)),
                   large = make_closed_mesh(make_sphere_mesh(0.7, 2));
  EXPECT_EQ(count(small, small), 0);
  EXPECT_GT(count(small, large), 0);
  EXPECT_EQ(count(small, small), 0);
}

TEST(MeshInterference, FlushFacesBelongToBoth) {
  // A box on another of the same outline, sunk in by a tenth: their sides are flush, to rounding where both are turned.
  // The area vector is that of the face below. Which body's sides bound the slab is rounding, and it used to get up to
  // 0.1 sideways from that, other ones at every pose.
  const ClosedMesh box = make_closed_mesh(make_divided(make_box_mesh(Vec3::Constant(0.5)), 1));
  RandomPoses random(7);
  MeshInterference interference;
  for (int i = 0; i < 100; ++i) {
    const Pose X = i == 0 ? Pose() : random.pose(1.0);
    const auto& pieces = interference.calc(box, X, box, X * Pose(Mat3::Identity(), Vec3(0, 0, 0.9)));
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_LT((X.R.transpose() * pieces[0].area_vector - Vec3(0, 0, -1)).norm(), 1e-12) << i;
  }
}

}  // namespace
}  // namespace abut
