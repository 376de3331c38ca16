#include "abut/geometry/mesh/mesh_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/detail/triangle_pair.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_fixture_test.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"

namespace abut {
namespace {

using testing::RandomPoses;
using Crossings = std::span<const TriangleCrossing>;

bool is_before(const Vec3& p, const Vec3& q) {
  return std::tuple(p.x(), p.y(), p.z()) < std::tuple(q.x(), q.y(), q.z());
}

double calc_length(Crossings crossings) {
  double length = 0.0;
  for (const TriangleCrossing& c : crossings) length += (c.end - c.start).norm();
  return length;
}

/// Whether every end is the start of one more segment, to the last bit.
bool is_closed(Crossings crossings) {
  std::vector<Vec3> starts, ends;
  for (const TriangleCrossing& c : crossings) {
    starts.push_back(c.start);
    ends.push_back(c.end);
  }
  std::sort(starts.begin(), starts.end(), is_before);
  std::sort(ends.begin(), ends.end(), is_before);
  return starts == ends;
}

/// Loops, by joining segments over triangles: at each end the curve goes on in the neighbour over the pierced edge.
int count_loops(Crossings crossings) {
  std::vector<int> parent(crossings.size());
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = static_cast<int>(i);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    for (std::size_t j = 0; j < crossings.size(); ++j) {
      if (crossings[i].end == crossings[j].start) parent[root(static_cast<int>(i))] = root(static_cast<int>(j));
    }
  }
  int count = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) count += parent[i] == static_cast<int>(i);
  return count;
}

std::vector<TriangleCrossing> calc_by_brute_force(const SurfaceMesh& a, const SurfaceMesh& b, const Pose& X_AB) {
  std::vector<TriangleCrossing> found;
  const Pose X = MeshCrossing::calc_placement(a, b, X_AB);
  for (int i = 0; i < a.num_triangles(); ++i) {
    const std::array<int, 3>& s = a.triangles()[i];
    for (int j = 0; j < b.num_triangles(); ++j) {
      const std::array<int, 3>& t = b.triangles()[j];
      const std::array<Vec3, 3> q = {X * b.vertices()[t[0]], X * b.vertices()[t[1]], X * b.vertices()[t[2]]};
      detail::PairSegment segment;
      if (detail::find_segment({&a.vertices()[s[0]], &a.vertices()[s[1]], &a.vertices()[s[2]]}, {&q[0], &q[1], &q[2]},
                               segment)) {
        found.push_back({i, j, Vec3::Zero(), Vec3::Zero()});
      }
    }
  }
  return found;
}

bool has_same_pairs(Crossings x, Crossings y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const TriangleCrossing& p, const TriangleCrossing& q) {
    return p.triangle_a == q.triangle_a && p.triangle_b == q.triangle_b;
  });
}

bool is_identical(Crossings x, Crossings y) {
  return has_same_pairs(x, y) &&
         std::equal(x.begin(), x.end(), y.begin(), [](const TriangleCrossing& p, const TriangleCrossing& q) {
           return p.start == q.start && p.end == q.end;
         });
}

std::vector<SurfaceMesh> make_samples() {
  std::vector<SurfaceMesh> samples;
  samples.push_back(make_surface_mesh(make_box_mesh(Vec3(0.5, 0.4, 0.3))));
  samples.push_back(make_surface_mesh(make_uv_sphere_mesh(0.5, 15, 10)));
  samples.push_back(make_surface_mesh(make_torus_mesh(0.5, 0.2, 12, 8)));
  samples.push_back(make_surface_mesh(
      make_prism_mesh({{-0.6, -0.5}, {0.6, -0.5}, {0.6, 0.5}, {0.1, 0.5}, {0.1, 0.0}, {-0.6, 0.0}}, -0.2, 0.3)));
  samples.push_back(make_surface_mesh(make_union(make_sphere_mesh(0.4, 2), make_box_mesh(Vec3::Constant(0.35)))));
  return samples;
}

TEST(MeshCrossing, LoopsCloseAtRandomPoses) {
  const std::vector<SurfaceMesh> samples = make_samples();
  RandomPoses poses(1);
  int num_crossed = 0;
  for (int i = 0; i < 4000; ++i) {
    const SurfaceMesh &a = samples[i % 5], &b = samples[(i / 5) % 5];
    const Pose X_AB = poses.pose(0.6);
    MeshCrossing crossing;
    const Crossings curve = crossing.calc(a, b, X_AB);
    ASSERT_TRUE(is_closed(curve)) << i;
    if (i % 20 == 0) {
      ASSERT_TRUE(has_same_pairs(curve, calc_by_brute_force(a, b, X_AB))) << i;
    }
    num_crossed += !curve.empty();
    for (const TriangleCrossing& c : curve) {
      const Vec3 along = a.normal(c.triangle_a).cross(X_AB.R * b.normal(c.triangle_b));
      // Ends are right to some roundings of coordinates below 2, over the sine of the angle between the planes.
      ASSERT_GE((c.end - c.start).dot(along), -4e-15) << i;
      ASSERT_LE((c.end - c.start).cross(along).norm(), 4e-14) << i;
    }
  }
  EXPECT_GT(num_crossed, 3000);
}

/// Poses among the 24 rotations of a cube at quarters of its size: coplanar faces, edges on edges, corners on faces and
/// corners on corners nearly always.
TEST(MeshCrossing, LoopsCloseAtDegeneratePoses) {
  std::vector<Mat3> turns;
  const Mat3 x = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix().array().round();
  const Mat3 y = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()).toRotationMatrix().array().round();
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 24; ++i) {
    turns.push_back(R);
    R = R * (i % 4 == 3 ? Mat3(y * x) : x);
  }
  std::vector<SurfaceMesh> samples;
  samples.push_back(make_surface_mesh(make_box_mesh(Vec3::Constant(0.5))));
  samples.push_back(make_surface_mesh(make_divided(make_box_mesh(Vec3::Constant(0.5)), 1)));
  samples.push_back(make_surface_mesh(make_box_mesh(Vec3(0.5, 0.25, 0.25))));
  samples.push_back(make_surface_mesh(
      make_prism_mesh({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {0.0, 0.5}, {0.0, 0.0}, {-0.5, 0.0}}, -0.25, 0.25)));
  samples.push_back(make_surface_mesh(make_sphere_mesh(0.5, 0)));
  RandomPoses random(2);
  const auto place = [&] { return 0.25 * std::round(random.uniform(-4.0, 4.0)); };
  MeshCrossing crossing;
  for (int i = 0; i < 20000; ++i) {
    const SurfaceMesh &a = samples[i % 5], &b = samples[(i / 5) % 5];
    Vec3 p(place(), place(), place());
    if (i % 3 == 0) p += random.vector(2e-16);  // beside it by less than rounding
    MeshCrossing fresh;
    const Crossings curve = fresh.calc(a, b, Pose(turns[i % 24], p));
    ASSERT_TRUE(is_closed(curve)) << i;
    ASSERT_TRUE(is_identical(curve, crossing.calc(a, b, Pose(turns[i % 24], p)))) << i;
    if (i % 20 == 0) {
      ASSERT_TRUE(has_same_pairs(curve, calc_by_brute_force(a, b, Pose(turns[i % 24], p)))) << i;
    }
  }
}

/// One loop about the common face, never none and never two, wherever rounding puts the walls, and as
/// long as the circumference less the shrinkage, in any of the directions and orders of the two.
TEST(MeshCrossing, AlignedCubesHaveOneLoop) {
  const double b = 0.2, depth = 1e-3, shrunk = b * (1.0 - MeshCrossing::kShrinkage);
  const SurfaceMesh cube = make_surface_mesh(make_box_mesh(Vec3::Constant(0.5 * b)));
  RandomPoses random(3);
  for (int i = 0; i < 3000; ++i) {
    // Up to an offset of 1e-9 m, a turn of 1e-9 in the plane and a tilt of 1e-6 out of it, at which the walls lean by a
    // tenth of the 1e-8 m that separate them.
    const double noise = i < 6 ? 0.0 : std::pow(10.0, random.uniform(-18.0, -9.0)), tilt = 1e3 * noise;
    Vec3 turn = random.vector(tilt);
    turn[i % 3] *= 1e-3;
    const Mat3 R = Mat3::Identity() + skew(turn);
    Vec3 axis = Vec3::Zero();
    axis[i % 3] = i % 6 < 3 ? 1.0 : -1.0;
    // The tilt is about the middle of the common face.
    const Vec3 p = random.vector(noise) + (0.5 * b - depth) * axis + R * (0.5 * b * axis);
    MeshCrossing crossing;
    const Crossings curve = crossing.calc(cube, cube, Pose(R, p));
    ASSERT_TRUE(is_closed(curve)) << i;
    ASSERT_EQ(count_loops(curve), 1) << i;
    ASSERT_NEAR(calc_length(curve), 4.0 * shrunk, 1e-15 + 8.0 * b * tilt * tilt) << i;
  }
}

/// Faces that touch and no more, and bodies in the same place, do not cross; by the rule, not by chance.
TEST(MeshCrossing, TouchingCubesDoNotCross) {
  const SurfaceMesh cube = make_surface_mesh(make_box_mesh(Vec3::Constant(0.1)));
  MeshCrossing crossing;
  for (const double z : {0.2, -0.2, 0.0}) {
    EXPECT_EQ(crossing.calc(cube, cube, Pose(Mat3::Identity(), Vec3(0, 0, z))).size(), 0u) << z;
    EXPECT_EQ(crossing.calc(cube, cube, Pose(Mat3::Identity(), Vec3(0.1, 0, z))).size() > 0, z == 0.0) << z;
  }
}

TEST(MeshCrossing, PolygonOfBoxOnHalfSpace) {
  const SurfaceMesh ground = make_surface_mesh(make_shape_mesh(HalfSpace{}));
  const SurfaceMesh box = make_surface_mesh(make_box_mesh(Vec3(0.1, 0.2, 0.3)));
  MeshCrossing crossing;
  const Crossings flat = crossing.calc(ground, box, Pose(Mat3::Identity(), Vec3(3.0, -2.0, 0.299)));
  EXPECT_TRUE(is_closed(flat));
  const double kept = 1.0 - MeshCrossing::kShrinkage;
  EXPECT_NEAR(calc_length(flat), 1.2 * kept, 1e-13);  // coordinates of 3 m: 4e-16 m each, times the ends
  // On a corner with edges along (1, 1, 1): an equilateral triangle whose sides are sqrt(6) times the depth.
  const Mat3 R = Quat::FromTwoVectors(Vec3(1, 1, 1), Vec3(0, 0, -1)).toRotationMatrix();
  const double depth = 0.01, height = (R * Vec3(0.1, 0.2, 0.3)).z();
  const Crossings corner = crossing.calc(ground, box, Pose(R, Vec3(0.1, 0.2, -height - depth)));
  EXPECT_TRUE(is_closed(corner));
  // The corner itself is nearer to the centre by the shrinkage.
  const double shrunk = depth + MeshCrossing::kShrinkage * height;
  EXPECT_NEAR(calc_length(corner), 3.0 * std::sqrt(6.0) * shrunk, 1e-13);
}

TEST(MeshCrossing, CircleOfSpheres) {
  const double radius = 0.2, depth = 0.01;
  for (const int level : {3, 4, 5, 6}) {
    const SurfaceMesh sphere = make_surface_mesh(make_sphere_mesh(radius, level));
    RandomPoses poses(level);
    const Mat3 R = poses.rotation();
    MeshCrossing crossing;
    const double exact = 2.0 * std::numbers::pi * std::sqrt(radius * depth - 0.25 * depth * depth);
    // Facets lie up to (pi / 2^(level + 2))^2 / 2 radius inside, on both: d(length) / length = d(depth) / (2 depth).
    const double sag = radius * std::pow(std::numbers::pi / std::pow(2.0, level + 2), 2);
    const Vec3 place = (2.0 * radius - depth) * Vec3(0.2, 0.3, 0.933).normalized();
    EXPECT_NEAR(calc_length(crossing.calc(sphere, sphere, Pose(R, place))), exact, exact * sag / depth) << level;
  }
}

/// The list kept from earlier queries must not show: bodies that rest, creep, jump and turn.
TEST(MeshCrossing, HistoryDoesNotShow) {
  const std::vector<SurfaceMesh> samples = make_samples();
  RandomPoses random(5);
  MeshCrossing kept;
  for (int run = 0; run < 12; ++run) {
    const SurfaceMesh &a = samples[run % 5], &b = samples[(run + 1) % 5];
    Vec3 p = random.vector(0.5);
    Quat q(random.rotation());
    const double speed = std::pow(10.0, random.uniform(-7.0, -1.0));
    const Vec3 v = random.vector(speed), w = random.vector(2.0 * speed);
    for (int i = 0; i < 60; ++i) {
      p += v;
      q = (Quat(1.0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z()) * q).normalized();
      if (i % 17 == 16) p = random.vector(0.5);
      MeshCrossing fresh;
      ASSERT_TRUE(is_identical(kept.calc(a, b, Pose(q, p)), fresh.calc(a, b, Pose(q, p)))) << run << " " << i;
    }
  }
  EXPECT_LT(kept.counts().num_searches, kept.counts().num_queries / 2);
}

/// A small motion moves the curve by as little: no segment appears, vanishes or doubles on its own. The length of a
/// loop of two spheres, of 50 segments, changes at most by 2 a segment and motion over the sine between the faces.
TEST(MeshCrossing, LengthIsContinuous) {
  const SurfaceMesh sphere = make_surface_mesh(make_uv_sphere_mesh(0.2, 15, 10));
  RandomPoses random(6);
  MeshCrossing crossing;
  int num_compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const Mat3 R = random.rotation();
    const Vec3 p = random.uniform(0.34, 0.39) * random.vector(1.0).normalized(), step = random.vector(1e-9);
    const double before = calc_length(crossing.calc(sphere, sphere, Pose(R, p)));
    const double after = calc_length(crossing.calc(sphere, sphere, Pose(R, p + step)));
    double least_sine = 1.0;
    for (const TriangleCrossing& c : crossing.crossings()) {
      least_sine = std::min(least_sine, sphere.normal(c.triangle_a).cross(R * sphere.normal(c.triangle_b)).norm());
    }
    if (crossing.crossings().empty() || least_sine < 1e-3) continue;
    ++num_compared;
    ASSERT_NEAR(after, before, 2.0 * 60 * 2e-9 / least_sine) << i;
  }
  EXPECT_GT(num_compared, 1500);
}

TEST(MeshCrossing, OpenSheetsEndAtTheirBorders) {
  // Two crossed squares of one sheet each: one straight line as long as what they share.
  const MeshData square = {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const SurfaceMesh sheet = make_surface_mesh(square);
  const double shrinkage = MeshCrossing::kShrinkage;
  const Mat3 R = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix();
  MeshCrossing crossing;
  EXPECT_NEAR(calc_length(crossing.calc(sheet, sheet, Pose(R, Vec3(0.7, 0.11, 0.13)))), 1.3 - shrinkage, 1e-14);
  EXPECT_EQ(crossing.calc(sheet, sheet, Pose(R, Vec3(2.1, 0.11, 0.13))).size(), 0u);
}

}  // namespace
}  // namespace abut
