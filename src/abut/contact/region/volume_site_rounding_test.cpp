// What pieces of volumes that are no more than rounding may do to contacts: nothing.

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "abut/contact/region/volume_site.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {
namespace {

/// A site of two colliders, A moving through the frame of B.
class Look {
 public:
  Look(const Collider& a, const Collider& b)
      : a_(a),
        b_(b),
        site_(a_, b_, VolumeRule{}),
        patches(site_.num_slots(), nullptr),
        geometry(site_.num_slots()),
        volumes(site_.num_slots()) {}
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  void calc(const Vec3& place, const Vec3& velocity = Vec3::Zero(), Gaps gaps = Gaps::exact) {
    const std::array<Pose, 2> poses{Pose{Mat3::Identity(), place}, Pose()};
    const std::array<Vec3, 2> middles{place, Vec3::Zero()}, velocities{velocity, Vec3::Zero()};
    const std::array<Vec3, 2> zero{Vec3::Zero(), Vec3::Zero()};
    site_.calc({poses.data(), middles.data(), velocities.data(), zero.data()}, patches, gaps, geometry.data(),
               volumes.data());
  }

 private:
  Collider a_, b_;
  VolumeSite site_;

 public:
  std::vector<const Patch*> patches;
  std::vector<PointContact> geometry;
  std::vector<VolumeContact> volumes;
};

Collider make_static(const Shape& shape) {
  Collider collider;
  collider.link = 1;
  collider.shape = shape;
  collider.is_static = true;
  collider.bounding_radius = std::numeric_limits<double>::infinity();
  return collider;
}

Collider make_block_with(const std::vector<CellPart>& holes) {
  const Vec3 half_size(0.06, 0.06, 0.05);
  std::vector<CellPart> parts = {{Box{half_size}, Pose(), false}};
  parts.insert(parts.end(), holes.begin(), holes.end());
  Collider block;
  block.link = 0;
  block.shape = CutShape{std::make_shared<const CellParts>(CellParts{parts})};
  block.bounding_radius = half_size.norm();
  return block;
}

constexpr double kDepth = 1e-3;  // [m]
const Vec3 kInPlane(0.0, 0.0, 0.05 - kDepth);

/// One mesh of two blocks of 0.1 m, 0.5 m apart, on a plane: the first as deep as kDepth when it is in kInPlane, the
/// other one `depth` then.
Look make_blocks(double depth) {
  const MeshData block = make_box_mesh(Vec3::Constant(0.05));
  const MeshData other = make_moved(block, Pose{Mat3::Identity(), Vec3(0.5, 0.0, kDepth - depth)});
  Collider blocks;
  blocks.link = 0;
  blocks.shape = Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_union(block, other)))};
  blocks.bounding_radius = 0.6;
  return {blocks, make_static(HalfSpace{Vec3::UnitZ()})};
}

Patch make_patch_of_first_block() {
  Patch patch;
  patch.last_centroid = Vec3(0, 0, -0.5 * kDepth);
  patch.last_normal = Vec3::UnitZ();
  patch.last_volume = 0.01 * kDepth;
  patch.last_inertia = 1e-8 * Mat3::Identity();
  return patch;
}

TEST(VolumeSiteRounding, ALaterCornerTouchesWhereItIsMoreThanThat) {
  const Patch patch = make_patch_of_first_block();
  for (const auto& [depth, touches] : {std::pair(1e-13, false), std::pair(1e-9, true)}) {
    Look look = make_blocks(depth);
    look.patches[0] = &patch;
    look.calc(kInPlane);
    EXPECT_GT(look.volumes[0].volume, 0.0);
    EXPECT_EQ(look.volumes[1].volume > 0.0, touches) << depth;
  }
  // The first of all touches as soon as it shows.
  Look look = make_blocks(1e-13);
  look.calc(kInPlane);
  EXPECT_GT(look.volumes[1].volume, 0.0);
}

/// A block of 2 m whose top is a field of hills in 16 x 16 pairs of triangles.
MeshData make_hills() {
  constexpr int kCells = 16, kPoints = kCells + 1;
  MeshData mesh;
  for (const bool is_top : {true, false}) {
    for (int j = 0; j < kPoints; ++j) {
      for (int i = 0; i < kPoints; ++i) {
        const double x = -1.0 + 2.0 * i / kCells, y = -1.0 + 2.0 * j / kCells;
        const double height = 0.05 * std::cos(4.0 * x) * std::cos(4.0 * y) + 0.2 * (x * x + y * y);
        mesh.vertices.emplace_back(x, y, is_top ? height : -0.5);
      }
    }
  }
  const auto top = [](int i, int j) { return j * kPoints + i; };
  const auto low = [](int i, int j) { return kPoints * kPoints + j * kPoints + i; };
  for (int j = 0; j < kCells; ++j) {
    for (int i = 0; i < kCells; ++i) {
      mesh.triangles.push_back({top(i, j), top(i + 1, j), top(i + 1, j + 1)});
      mesh.triangles.push_back({top(i, j), top(i + 1, j + 1), top(i, j + 1)});
      mesh.triangles.push_back({low(i, j), low(i + 1, j + 1), low(i + 1, j)});
      mesh.triangles.push_back({low(i, j), low(i, j + 1), low(i + 1, j + 1)});
    }
  }
  const auto wall = [&](int i, int j, int k, int l) {
    mesh.triangles.push_back({top(i, j), low(i, j), low(k, l)});
    mesh.triangles.push_back({top(i, j), low(k, l), top(k, l)});
  };
  for (int i = 0; i < kCells; ++i) {
    wall(i, 0, i + 1, 0);
    wall(kCells, i, kCells, i + 1);
    wall(i + 1, kCells, i, kCells);
    wall(0, i + 1, 0, i);
  }
  return mesh;
}

/// The rim of its base touches a hill at the first of these heights, where slices of its flank round to 3e-18 m^3. A
/// cube of that is 1.5e-6 m deep, and the touch was taken for missed.
TEST(VolumeSiteRounding, NoiseIsNotDeep) {
  Collider cone;
  cone.link = 0;
  cone.shape = Cone{M_PI / 6.0, 0.15};
  cone.X_LS.p = Vec3(0, 0, 0.1);
  cone.bounding_radius = 0.1;
  Collider ground = make_static(Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_hills()))});
  ground.bounding_radius = 1.6;
  Look look(cone, ground);
  for (const double sunk : {0.0, 1e-7, 1e-6}) {
    look.calc(Vec3(0.3, 0.1, 0.09153689811340346 - sunk));
    for (const PointContact& contact : look.geometry) EXPECT_GT(contact.gap, -sunk - 1e-8) << sunk;
  }
}

TEST(VolumeSiteRounding, ACornerThatHasShownNoMoreDoesNotLift) {
  const Patch first = make_patch_of_first_block();
  Patch second;
  second.last_centroid = Vec3(0.5, 0.0, 0.0);
  second.last_normal = Vec3::UnitZ();
  Look look = make_blocks(-1e-12);
  look.patches = {&first, &second};
  look.patches.resize(look.geometry.size(), nullptr);
  second.last_volume = 1e-18, second.last_inertia = 2e-21 * Mat3::Identity();
  look.calc(kInPlane);
  EXPECT_LT(look.geometry[1].gap, 0.0);
  EXPECT_GT(look.geometry[1].gap, -1e-300);
  // What has been a contact ends when it no longer shows.
  second.last_volume = 1e-9, second.last_inertia = 2e-12 * Mat3::Identity();
  look.calc(kInPlane);
  EXPECT_GT(look.geometry[1].gap, 1e-3);
}

/// A peg in a hole made of two, clear of its walls by nobody knows how much: it is in neither alone.
TEST(VolumeSiteRounding, ATouchLastsWhileBodiesGoIntoEachOther) {
  const auto make_hole = [](double x) {
    return CellPart{Box{Vec3(0.025, 0.02, 1.0)}, Pose{Mat3::Identity(), Vec3(x, 0, 0)}, true};
  };
  Look look(make_block_with({make_hole(-0.015), make_hole(0.015)}), make_static(Box{Vec3(0.039, 0.019, 0.1)}));
  Patch patch;
  patch.last_centroid = Vec3(0.0395, 0.0, 0.0);
  patch.last_normal = Vec3::UnitX();
  look.patches[0] = &patch;
  const double unknown = 1e-9 * 0.06;  // at least, of the smaller body
  for (const double speed : {-0.1, 0.1}) {
    look.calc(Vec3::Zero(), speed * Vec3::UnitX(), Gaps::alone);
    EXPECT_EQ(look.geometry[0].gap < 0.0, speed < 0.0) << speed << " " << look.geometry[0].gap;
  }
  EXPECT_GT(look.geometry[0].gap, 0.5 * unknown);
  // One that has been a contact lifts.
  patch.last_volume = 1e-9, patch.last_inertia = 1e-12 * Mat3::Identity();
  look.calc(Vec3::Zero(), Vec3(-0.1, 0.0, 0.0), Gaps::alone);
  EXPECT_GT(look.geometry[0].gap, 0.0);
}

/// Where the distance is known to its rounding, a touch at no distance is the same: a body laid in a wedge, or dropped
/// on a plane, would otherwise lift where its piece does not show.
TEST(VolumeSiteRounding, ATouchAtNoDistanceLastsWhileBodiesGoIntoEachOther) {
  Collider ball;
  ball.link = 0;
  ball.shape = Sphere{0.125};
  ball.is_centered = true;
  ball.bounding_radius = 0.125;
  Look look(ball, make_static(HalfSpace{Vec3::UnitZ()}));
  Patch patch;
  patch.last_normal = Vec3::UnitZ();
  look.patches[0] = &patch;
  for (const double speed : {-0.1, 0.1}) {
    look.calc(Vec3(0, 0, 0.125), speed * Vec3::UnitZ(), Gaps::alone);
    EXPECT_EQ(look.volumes[0].volume, 0.0);
    EXPECT_EQ(look.geometry[0].gap < 0.0, speed < 0.0) << speed << " " << look.geometry[0].gap;
  }
}

/// Volume over area of a sliver is anything: here 1e-8 m at 1e-12 m below the touch, and a touch was looked for there.
TEST(VolumeSiteRounding, NoTouchIsDeeperThanItsVolume) {
  Look look(make_block_with({{Cylinder{0.02, 1.0}, Pose(), true}}), make_static(Cavity{0.3}));
  const double touch =
      0.05 - std::sqrt(0.09 - 2.0 * 0.06 * 0.06);  // [m] below the middle of the cavity, of four corners
  double deepest = 0.0;
  for (int k = 0; k < 40; ++k) {
    const double depth = 1e-12 * k;
    look.calc(Vec3(0.0, 0.0, touch - depth));
    deepest = std::max(deepest, -look.geometry[0].gap - depth);
  }
  EXPECT_LT(deepest, 3e-10);
}

}  // namespace
}  // namespace abut
