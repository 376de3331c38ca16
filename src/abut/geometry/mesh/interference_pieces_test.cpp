#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/convex_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"
#include "abut/geometry/volume/interference.hpp"

namespace abut {
namespace {

using testing::RandomPoses;

Pose shift(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

ClosedMesh make_box(double x, double y, double z) { return make_closed_mesh(make_box_mesh(Vec3(x, y, z))); }

TEST(InterferencePieces, UShapePressedByABarGivesTwoPatches) {
  const ClosedMesh u = make_closed_mesh(make_prism_mesh(
      {Vec2(-3, 0), Vec2(3, 0), Vec2(3, 4), Vec2(2, 4), Vec2(2, 1), Vec2(-2, 1), Vec2(-2, 4), Vec2(-3, 4)}, -0.5, 0.5));
  const ClosedMesh bar = make_box(5, 0.5, 2);
  MeshInterference interference;
  const auto& pieces = interference.calc(bar, shift(0, 4.375, 0), u, Pose());
  ASSERT_EQ(pieces.size(), 2u);
  for (const VolumeMetrics& m : pieces) {
    EXPECT_NEAR(m.volume, 0.125, 1e-15);
    EXPECT_NEAR(std::abs(m.centroid.x()), 2.5, 1e-14);
    EXPECT_NEAR(m.centroid.y(), 3.9375, 1e-14);
    EXPECT_NEAR(m.area_vector.y(), 1.0, 1e-14);  // from B into A
  }
  EXPECT_LT(pieces[0].centroid.x() * pieces[1].centroid.x(), 0.0);
  // Deeper, the bar reaches the bottom of the U: one piece.
  EXPECT_EQ(interference.calc(bar, shift(0, 1.25, 0), u, Pose()).size(), 1u);
}

TEST(InterferencePieces, TorusThroughTorusMeetsTwice) {
  const ClosedMesh torus = make_closed_mesh(make_torus_mesh(0.5, 0.2, 40, 20));
  const Mat3 R = Eigen::AngleAxisd(1.3, Vec3::UnitX()).toRotationMatrix();
  MeshInterference interference;
  const std::vector<VolumeMetrics> pieces = interference.calc(torus, Pose(), torus, Pose(R, Vec3(0.05, 0, 0)));
  ASSERT_EQ(pieces.size(), 2u);
  // The order is that of A's triangles, which start at +x.
  EXPECT_GT(pieces[0].centroid.x(), 0.4);
  EXPECT_LT(pieces[1].centroid.x(), -0.4);
  // Two torus meshes linked like a chain do not meet.
  const Mat3 Q = Eigen::AngleAxisd(1.5707, Vec3::UnitX()).toRotationMatrix();
  EXPECT_TRUE(interference.calc(torus, Pose(), torus, Pose(Q, Vec3(0.5, 0, 0))).empty());
}

TEST(InterferencePieces, OneInsideTheOtherIsWhole) {
  const ClosedMesh big = make_box(1, 1, 1), small = make_closed_mesh(make_sphere_mesh(0.3, 2));
  MeshInterference interference;
  for (const bool is_exchanged : {false, true}) {
    const auto& pieces = is_exchanged ? interference.calc(small, shift(0.1, 0.2, 0.3), big, Pose())
                                      : interference.calc(big, Pose(), small, shift(0.1, 0.2, 0.3));
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_NEAR(pieces[0].volume, small.moments().volume, 1e-15);
    EXPECT_LT(pieces[0].area_vector.norm(), 1e-15);
    EXPECT_LT((pieces[0].centroid - Vec3(0.1, 0.2, 0.3)).norm(), 1e-15);
  }
  EXPECT_TRUE(interference.calc(big, Pose(), small, shift(0.9, 0.9, 1.9)).empty());
}

/// A box with a box-shaped cavity.
ClosedMesh make_hollow(double outer, double inner) {
  return make_closed_mesh(
      make_union(make_box_mesh(Vec3::Constant(outer)), make_flipped(make_box_mesh(Vec3::Constant(inner)))));
}

TEST(InterferencePieces, CavitiesBelongToThePieceAroundThem) {
  const ClosedMesh hollow = make_hollow(0.5, 0.25), box = make_box(1, 1, 1), small = make_box(0.1, 0.1, 0.1);
  MeshInterference interference;
  // Wholly inside, cavity included.
  auto pieces = interference.calc(box, Pose(), hollow, shift(0.1, 0, 0));
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume, 1.0 - 0.125, 1e-15);
  // A small box in the cavity touches nothing.
  EXPECT_TRUE(interference.calc(small, Pose(), hollow, Pose()).empty());
  // Half embedded: on the face of the box there is a ring whose inner outline is another shell of the hollow body; the
  // piece is one, with moments of outer minus inner.
  pieces = interference.calc(box, Pose(), hollow, shift(0.13, 0.07, 1.0));
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume, 0.5 - 0.0625, 1e-15);
  EXPECT_NEAR(pieces[0].centroid.z(), (0.5 * 0.75 - 0.0625 * 0.875) / (0.5 - 0.0625), 1e-15);
  EXPECT_NEAR(pieces[0].area_vector.z(), -(1.0 - 0.25), 1e-14);
}

TEST(InterferencePieces, TwoHollowBodiesInOneMeshKeepTheirCavitiesApart) {
  const MeshData cell =
      make_union(make_box_mesh(Vec3::Constant(0.5)), make_flipped(make_box_mesh(Vec3::Constant(0.25))));
  const MeshData small =
      make_union(make_box_mesh(Vec3::Constant(0.4)), make_flipped(make_box_mesh(Vec3::Constant(0.1))));
  const ClosedMesh two = make_closed_mesh(make_union(small, make_moved(cell, shift(3, 0, 0))));
  const ClosedMesh bath = make_box(5, 1, 1);
  MeshInterference interference;
  for (const double z : {0.0, 1.01}) {
    const auto& pieces = interference.calc(bath, Pose(), two, shift(-1.5, 0.01, z));
    ASSERT_EQ(pieces.size(), 2u);
    const double part_small = z == 0.0 ? 1.0 : 0.39 / 0.8, part_hole = z == 0.0 ? 1.0 : 0.09 / 0.2;
    const double part_cell = z == 0.0 ? 1.0 : 0.49, part_big_hole = z == 0.0 ? 1.0 : 0.24 / 0.5;
    const int left = pieces[0].centroid.x() < pieces[1].centroid.x() ? 0 : 1;
    EXPECT_NEAR(pieces[left].volume, 0.512 * part_small - 0.008 * part_hole, 1e-14);
    EXPECT_NEAR(pieces[1 - left].volume, 1.0 * part_cell - 0.125 * part_big_hole, 1e-14);
  }
}

TEST(InterferencePieces, SpikeThroughOneBigTriangle) {
  // No edge of A is cut: the spike passes through the inside of two of its triangles.
  const ClosedMesh slab = make_box(10, 10, 1), spike = make_box(0.1, 0.2, 5);
  MeshInterference interference;
  const auto& pieces = interference.calc(slab, Pose(), spike, shift(3, -4, 0.3));
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume, 0.2 * 0.4 * 2, 1e-15);
  EXPECT_LT(pieces[0].area_vector.norm(), 1e-14);
}

TEST(InterferencePieces, TinyDepthKeepsItsDigits) {
  // A corner dips 1 um into a slab of 20 m: V = d^3 / (6 nx ny nz), whatever the size of the slab's triangles.
  const ClosedMesh slab = make_box(10, 10, 1), box = make_box(0.5, 0.5, 0.5);
  const Mat3 R = (Eigen::AngleAxisd(0.7, Vec3::UnitX()) * Eigen::AngleAxisd(0.6, Vec3::UnitY())).toRotationMatrix();
  const Vec3 n = R.transpose() * Vec3::UnitZ();
  MeshInterference interference;
  for (const double depth : {1e-3, 1e-6}) {
    const double height = 0.5 * n.cwiseAbs().sum();
    const auto& pieces = interference.calc(box, Pose(R, Vec3(1.1, 2.3, 1.0 + height - depth)), slab, Pose());
    ASSERT_EQ(pieces.size(), 1u);
    const double expected = depth * depth * depth / (6.0 * std::abs(n.prod()));
    // Positions of 2 to 3 m round at 4.4e-16 m, some ten times on the way, and the depth enters in the cube; 3.2e-15 /
    // depth was measured.
    EXPECT_NEAR(pieces[0].volume, expected, expected * (1e-12 + 1.3e-14 / depth));
  }
}

TEST(InterferencePieces, SamplesIntegratePolynomials) {
  RandomPoses random(11);
  const ClosedMesh torus = make_closed_mesh(make_torus_mesh(0.5, 0.2, 16, 12)), box = make_box(0.2, 0.3, 0.4);
  MeshInterference interference;
  std::vector<VolumeSample> samples;
  for (int round = 0; round < 20; ++round) {
    const std::vector<VolumeMetrics> pieces = interference.calc(torus, random.pose(0.1), box, random.pose(0.5));
    for (int i = 0; i < static_cast<int>(pieces.size()); ++i) {
      for (const int detail : {1, 2, 3, 5}) {
        interference.calc_samples(i, detail, samples);
        double volume = 0.0;
        Vec3 first = Vec3::Zero();
        Mat3 second = Mat3::Zero();
        for (const VolumeSample& s : samples) {
          const Vec3 r = s.point - pieces[i].centroid;
          volume += s.weight;
          first += s.weight * r;
          second += s.weight * r * r.transpose();
        }
        EXPECT_NEAR(volume, pieces[i].volume, 1e-12 * volume);
        EXPECT_LT(first.norm(), 1e-12 * volume);
        const Mat3 inertia = second.trace() * Mat3::Identity() - second;
        if (detail == 1) continue;  // exact for linear functions only
        EXPECT_LT((inertia - pieces[i].inertia).norm(), 1e-11 * pieces[i].inertia.norm());
      }
    }
  }
}

TEST(InterferencePieces, SamplesOfConvexSolidsArePositiveAndMoveContinuously) {
  const ClosedMesh box = make_box(0.5, 0.5, 0.5), other = make_box(0.4, 0.45, 0.3);
  const Mat3 R = (Eigen::AngleAxisd(0.3, Vec3::UnitX()) * Eigen::AngleAxisd(0.2, Vec3::UnitY())).toRotationMatrix();
  MeshInterference interference;
  std::vector<VolumeSample> samples;
  double last = -1.0;
  for (int i = 0; i < 1500; ++i) {
    const double step = 1e-3;
    if (interference.calc(box, Pose(R, Vec3(0.05, 0.02, 0.7 - step * i)), other, Pose()).empty()) continue;
    interference.calc_samples(0, 2, samples);
    double sum = 0.0;  // an integral without closed form
    for (const VolumeSample& s : samples) {
      ASSERT_GT(s.weight, 0.0);
      sum += s.weight * std::sqrt(0.01 + s.point.head<2>().squaredNorm());
    }
    // The integrand is below 0.8 m and the area below 1 m^2; a jump would show at the size of the cubature's error,
    // 1e-3.
    if (last >= 0.0) {
      EXPECT_NEAR(sum, last, 0.8 * step);
    }
    last = sum;
  }
}

TEST(InterferencePieces, HalfSpaceAgreesWithTheCapOfASphereAndTheWedgeOfABox) {
  const HalfSpace ground{Vec3(1, 2, 2) / 3.0, 0.25};
  const Shape box = Mesh{std::make_shared<const ClosedMesh>(make_box(0.5, 0.4, 0.3))};
  Interference interference = Interference::make(box, ground);
  std::vector<VolumeMetrics> pieces;
  RandomPoses random(12);
  for (int i = 0; i < 30; ++i) {
    const Pose X_WB = random.pose(1.0), X_BA(random.rotation(), ground.normal * 0.3 + random.vector(0.2));
    interference.calc(X_WB * X_BA, X_WB, pieces);
    // The same region as a convex solid of the box's six planes and the ground, in B.
    std::vector<HalfSpace> planes = {ground};
    for (int k = 0; k < 3; ++k) {
      const Vec3 n = X_BA.R.col(k), half(0.5, 0.4, 0.3);
      planes.push_back({n, half[k] + n.dot(X_BA.p)});
      planes.push_back({-n, half[k] - n.dot(X_BA.p)});
    }
    const ClosedMesh region = make_convex_mesh(planes, 4.0);
    ASSERT_EQ(pieces.size(), 1u);
    EXPECT_NEAR(pieces[0].volume, region.moments().volume, 1e-13);
    const Vec3 centroid = region.moments().first / region.moments().volume;
    EXPECT_LT((pieces[0].centroid - X_WB * centroid).norm(), 1e-12);
    EXPECT_LT((pieces[0].area_vector.normalized() - X_WB.R * ground.normal).norm(), 1e-10);
  }
  // Far above and far below.
  Interference level = Interference::make(box, HalfSpace{});
  level.calc(shift(0, 0, 9), Pose(), pieces);
  EXPECT_TRUE(pieces.empty());
  level.calc(shift(0, 0, -900), Pose(), pieces);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_NEAR(pieces[0].volume, 0.48, 1e-14);
}

TEST(ConvexMesh, WedgesAndRefusals) {
  const std::vector<HalfSpace> wedge = {{Vec3::UnitX(), 0.0}, {Vec3::UnitY(), 0.0}};
  EXPECT_NEAR(make_convex_mesh(wedge, 1.0).moments().volume, 2.0, 1e-15);
  const std::vector<HalfSpace> twice = {{Vec3::UnitX(), 0.0}, {Vec3::UnitX(), 0.0}, {Vec3::UnitX(), 5.0}};
  EXPECT_NEAR(make_convex_mesh(twice, 1.0).moments().volume, 4.0, 1e-15);
  const std::vector<HalfSpace> none = {{Vec3::UnitX(), -0.5}, {-Vec3::UnitX(), 0.4}};
  EXPECT_THROW(make_convex_mesh(none, 1.0), InputError);
  const std::vector<HalfSpace> skewed = {{Vec3(1, 1, 0), 0.0}};
  EXPECT_THROW(make_convex_mesh(skewed, 1.0), InputError);
}

}  // namespace
}  // namespace abut
