// The hard places of clipping: shallow, touching and aligned solids, and the way through them.

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/polyhedron/polyhedron_checks_test.hpp"
#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::expect_same_region;
using testing::Random;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Pose lift(double z) { return {Mat3::Identity(), Vec3(0, 0, z)}; }

/// Metrics of a plate of the given size, about its centroid at the origin.
VolumeMetrics make_plate(const Vec3& size) {
  const Vec3 s = size.cwiseAbs2() * (size.prod() / 12.0);
  VolumeMetrics m;
  m.volume = size.prod();
  m.inertia = Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal();
  m.area_vector = Vec3(0, 0, size.x() * size.y());
  return m;
}

/// Equal cubes, one on the other, by 2^-30 m (0.93 nm): all numbers are exact, so must the answer be.
TEST(ConvexClipLimits, NanometreOverlapOfAlignedBoxes) {
  PolyhedronClip clip;
  const ConvexPolyhedron cube = make_box_polyhedron(Vec3::Constant(0.125));
  const double depth = 0x1p-30;
  const VolumeMetrics m = calc_clip_metrics(cube, lift(0.25 - depth), cube, Pose(), clip);
  VolumeMetrics expected = make_plate(Vec3(0.25, 0.25, depth));
  expected.centroid = Vec3(0, 0, 0.125 - 0.5 * depth);
  expect_same_region(m, expected, 4.0 * kEpsilon);
  EXPECT_LE((m.area_vector - expected.area_vector).norm(), 1e-16);
}

/// The same turned at random: the corners are rounded to half a unit of their coordinates (below 2^-3 m: 1.4e-17 m),
/// and so is each term of their distance from the plane; eight such errors over the depth is what may be lost.
TEST(ConvexClipLimits, NanometreOverlapInGeneralPose) {
  PolyhedronClip clip;
  Random random(1);
  const ConvexPolyhedron cube = make_box_polyhedron(Vec3::Constant(0.125));
  for (const double depth : {0x1p-30, 0x1p-24, 0x1p-17, 0x1p-10}) {
    for (int trial = 0; trial < 50; ++trial) {
      const Pose X(random.rotation(), Vec3::Zero());
      const VolumeMetrics m = calc_clip_metrics(cube, X * lift(0.25 - depth), cube, X, clip);
      const VolumeMetrics plate = make_plate(Vec3(0.25, 0.25, depth));
      const double tolerance = 8.0 * 0.125 * kEpsilon / depth;
      EXPECT_NEAR(m.volume, plate.volume, tolerance * plate.volume);
      EXPECT_LE((m.inertia - X.R * plate.inertia * X.R.transpose()).norm(), (tolerance + 1e-14) * plate.inertia.norm());
      EXPECT_LE((m.area_vector - X.R * plate.area_vector).norm(), 1e-15);
    }
  }
}

/// Coinciding means to rounding, not to some engineering tolerance: 512 units off a cube are cut off.
TEST(ConvexClipLimits, TheThinnestSliceCounts) {
  PolyhedronClip clip;
  const std::vector<Plane> knife = {{Vec3::UnitX(), 0.5 - 0x1p-43}};
  const double volume = calc_clip_metrics(make_box_polyhedron(Vec3::Constant(0.5)), Pose(), knife, Pose(), clip).volume;
  EXPECT_NEAR(volume, 1.0 - 0x1p-43, 4.0 * kEpsilon);
}

TEST(ConvexClipLimits, TouchingAndApartIsNothing) {
  PolyhedronClip clip;
  const ConvexPolyhedron cube = make_box_polyhedron(Vec3::Constant(0.125));
  for (const double z : {0.25, 0.25 + 0x1p-50, 0.3, 10.0}) {
    const VolumeMetrics m = calc_clip_metrics(cube, lift(z), cube, Pose(), clip);
    EXPECT_EQ(m.volume, 0.0);
    EXPECT_EQ(m.area(), 0.0);
    EXPECT_TRUE(m.centroid.allFinite());
  }
}

/// Coinciding faces belong to A whatever rounding says, so that the area vector does not flicker: it is the contact
/// area straight up, though the sides of equal stacked boxes lie in one plane each.
TEST(ConvexClipLimits, AlignedSidesLeaveTheAreaVectorStraight) {
  PolyhedronClip clip;
  Random random(2);
  const ConvexPolyhedron box = make_box_polyhedron(Vec3(0.1, 0.07, 0.05));
  for (int trial = 0; trial < 300; ++trial) {
    const Pose X = random.pose(1.0);
    const VolumeMetrics m = calc_clip_metrics(box, X * lift(0.06), box, X, clip);
    EXPECT_NEAR(m.volume, 0.2 * 0.14 * 0.04, 1e-15);
    EXPECT_LE((m.area_vector - X.R * Vec3(0, 0, 0.2 * 0.14)).norm(), 1e-15);
    const VolumeMetrics same = calc_clip_metrics(box, X, box, X, clip);
    EXPECT_NEAR(same.volume, 8.0 * 0.1 * 0.07 * 0.05, 1e-16);
    EXPECT_LE(same.area(), 1e-16);
  }
}

/// Largest |V(x - h) - 2 V(x) + V(x + h)| over a sweep of n steps h about x = 0.
double find_largest_second_difference(const std::function<double(double)>& volume, double h, int n) {
  double largest = 0.0;
  for (int i = -n; i <= n; ++i) {
    largest = std::max(largest, std::abs(volume((i - 1) * h) - 2.0 * volume(i * h) + volume((i + 1) * h)));
  }
  return largest;
}

/// Along a line the volume is C1 except where a face meets a parallel face or edge, and its second derivative is below
/// the sum of the lengths of edges times the sines of slopes, here 10 m. A jump of 1e-15 m^3 in volumes of 1e-3 m^3
/// would show.
TEST(ConvexClipLimits, NoJumpWhereAVertexCrossesAFace) {
  PolyhedronClip clip;
  Random random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const ConvexPolyhedron a = make_box_polyhedron(Vec3(0.1, 0.12, 0.15));
    const ConvexPolyhedron b = make_box_polyhedron(Vec3(0.11, 0.08, 0.2));
    const Mat3 R = random.rotation();
    const int f = trial % 6, v = trial % 8;
    // Vertex v of A in the middle of face f of B, A moving along a general direction.
    const Vec3 inside(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05));
    Vec3 target = inside;
    target[f / 2] = (f % 2 == 0 ? 1.0 : -1.0) * Vec3(0.11, 0.08, 0.2)[f / 2];
    const Vec3 start = target - R * a.vertices()[v], direction = random.unit();
    const auto volume = [&](double x) {
      return calc_clip_metrics(a, Pose(R, start + x * direction), b, Pose(), clip).volume;
    };
    const double h = 1e-8;
    EXPECT_LE(find_largest_second_difference(volume, h, 50), 10.0 * h * h + 1e-17);
  }
}

/// The first derivatives of the volume, so also those of the centroid's moments, pass with it: the centroid of the
/// interference moves no faster than the shape of the overlap lets it (1e3 here; V is at least 1e-4 of a body).
TEST(ConvexClipLimits, CentroidAndAreaVectorMoveContinuously) {
  PolyhedronClip clip;
  const ConvexPolyhedron a = make_box_polyhedron(Vec3(0.1, 0.12, 0.15)), b = make_box_polyhedron(Vec3(0.11, 0.08, 0.2));
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose X = random.pose(0.1);
    const Vec3 spin = random.unit(), push = 0.1 * random.unit();
    VolumeMetrics last;
    const double h = 1e-4;
    for (int i = 0; i < 2000; ++i) {
      const double s = h * i;
      const Pose X_WA(Mat3(Eigen::AngleAxisd(s, spin)) * X.R, X.p + s * push);
      const VolumeMetrics m = calc_clip_metrics(a, X_WA, b, Pose(), clip);
      if (i > 0 && last.volume > 1e-6 && m.volume > 1e-6) {
        // Speeds: surface of A below 0.25 m^2, moving at less than 0.25 + 0.1 m per unit of s.
        ASSERT_LE(std::abs(m.volume - last.volume), 0.25 * 0.35 * h);
        ASSERT_LE((m.centroid - last.centroid).norm(), 0.5 * 0.25 * 0.35 * h / last.volume);
        ASSERT_LE((m.area_vector - last.area_vector).norm(), 2.0 * h);
      }
      last = m;
    }
  }
}

/// Turning a box through exact alignment with the one below: the overlap of the squares has a kink there,
/// dV/dangle = +- (side^2 / 4) depth, and nothing else.
TEST(ConvexClipLimits, NoJumpThroughFaceAlignment) {
  PolyhedronClip clip;
  const ConvexPolyhedron cube = make_box_polyhedron(Vec3::Constant(0.125));
  for (const Vec3& axis : {Vec3(Vec3::UnitZ()), Vec3(Vec3::UnitX()), Vec3(1, 2, 3)}) {
    double last = 0.0;
    for (int i = -60; i <= 60; ++i) {
      const double angle = std::copysign(std::pow(10.0, -18.0 + 0.2 * std::abs(i)), i);
      const Pose X_WA(Mat3(Eigen::AngleAxisd(angle, axis.normalized())), Vec3(0, 0, 0.24));
      const double volume = calc_clip_metrics(cube, X_WA, cube, Pose(), clip).volume;
      EXPECT_NEAR(volume, 0.25 * 0.25 * 0.01, 0.1 * std::abs(angle) + 1e-17);
      if (i > -60) {
        EXPECT_NEAR(volume, last, 0.1 * std::abs(angle) * 2.6 + 1e-17);
      }
      last = volume;
    }
  }
}

/// Clipping many times with planes through existing vertices and edges: the surface must stay closed, which V - E + F
/// and the sum of all area vectors show.
TEST(ConvexClipLimits, StaysClosedUnderDegenerateCuts) {
  PolyhedronClip clip;
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    const Pose X(random.rotation(), Vec3::Zero());
    clip.start(make_box_polyhedron(Vec3::Ones()), X, ClipOwner::kA);
    for (int cut = 0; cut < 12 && !clip.is_empty(); ++cut) {
      const auto vertices = clip.vertices();
      const auto pick = [&] {
        return vertices[static_cast<std::size_t>(random.uniform(0, 1) * static_cast<double>(vertices.size()))];
      };
      const Vec3 p = pick(), q = pick(), r = pick();
      const Vec3 normal = (q - p).cross(r - p);
      if (normal.norm() < 1e-3) continue;
      const Vec3 outward = normal.normalized() * (normal.dot(p) > 0.0 ? 1.0 : -1.0);
      const double before = calc_clip_metrics(clip).volume;
      clip.cut({outward, outward.dot(p) + random.uniform(-1, 1) * 1e-16}, ClipOwner::kB, cut);
      EXPECT_LE(calc_clip_metrics(clip).volume, before + 1e-14);
      Vec3 sum = Vec3::Zero();
      for (const ClipFace& face : clip.faces()) {
        for (int i = 0; i < face.count; ++i) {
          sum += 0.5 * clip.corner(face, i).cross(clip.corner(face, (i + 1) % face.count));
        }
      }
      ASSERT_LE(sum.norm(), 1e-14);
      // Each half-edge once.
      std::vector<int> count(2 * clip.edges().size(), 0);
      for (const int half_edge : clip.half_edges()) ++count[half_edge];
      for (const int c : count) ASSERT_EQ(c, 1);
    }
  }
}

}  // namespace
}  // namespace abut
