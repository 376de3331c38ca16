#include "abut/contact/region/volume_site.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {
namespace {

/// A ball of radius 0.1 m and a round hole of radius 1 m about the world's z.
class BallInBore : public testing::Test {
 protected:
  BallInBore() {
    ball_.link = 0;
    ball_.shape = Sphere{0.1};
    ball_.is_centered = true;
    ball_.bounding_radius = 0.1;
    bore_.link = 1;
    bore_.shape = Bore{1.0};
    bore_.is_centered = true;
    bore_.is_static = true;
    bore_.bounding_radius = std::numeric_limits<double>::infinity();
  }

  /// Geometry of all slots with the ball's centre at `r` from the axis [m].
  std::vector<PointContact> calc(double r, const std::vector<const Patch*>& patches) {
    poses_[0].p = r * direction_ + Vec3(0, 0, 0.3);
    VolumeSite site(ball_, bore_, VolumeRule{});
    std::vector<PointContact> geometry(site.num_slots());
    std::vector<VolumeContact> volumes(site.num_slots());
    std::vector<const Patch*> of_slot = patches;
    of_slot.resize(site.num_slots(), nullptr);
    site.calc({poses_.data(), zero_.data(), zero_.data(), zero_.data()}, of_slot, Gaps::exact, geometry.data(),
              volumes.data());
    return geometry;
  }

  const Vec3 direction_{std::cos(0.7), std::sin(0.7), 0.0};
  Collider ball_, bore_;
  std::array<Pose, 2> poses_;
  std::array<Vec3, 2> zero_{Vec3::Zero(), Vec3::Zero()};
};

TEST_F(BallInBore, NormalAtTouchPointsFromTheWallToTheBall) {
  // The middles of the two lie the other way.
  const PointContact touch = calc(0.9 - 1e-11, {})[0];
  EXPECT_NEAR(touch.gap, 1e-11, 1e-15);
  // The push that finds it is along one of 26 directions, then along the normal itself.
  EXPECT_LT((touch.normal + direction_).norm(), 1e-7);
  const PointContact deep = calc(0.9 + 1e-3, {})[0];
  EXPECT_LT(deep.gap, 0.0);
  EXPECT_LT((deep.normal + direction_).norm(), 1e-6);  // error bound of curved volumes
}

TEST_F(BallInBore, OneSlotAloneWatchesForATouch) {
  const std::vector<PointContact> apart = calc(0.9 - 1e-15, {});
  ASSERT_GT(apart.size(), 1u);
  EXPECT_LT(apart[0].gap, 2e-15);
  for (std::size_t slot = 1; slot < apart.size(); ++slot) EXPECT_GE(apart[slot].gap, 0.1) << slot;
}

TEST_F(BallInBore, APatchSeesTheGapAtWhichItEnds) {
  Patch patch;
  const std::vector<PointContact> apart = calc(0.9 - 1e-6, {nullptr, &patch});
  EXPECT_NEAR(apart[1].gap, 1e-6, 1e-15);
  EXPECT_GE(apart[0].gap, 0.1);
}

/// Events see the same gaps as forces do, but of bodies that are far apart a bound that may be smaller; and one pose
/// looked at twice gives the same, whatever was asked for first.
TEST(VolumeSite, GapsAloneAreThoseOfForces) {
  Collider box, plate;
  box.link = 0;
  box.shape = Box{Vec3(0.01, 0.05, 0.1)};
  box.bounding_radius = Vec3(0.01, 0.05, 0.1).norm();
  plate = box;
  plate.link = 1;
  VolumeSite site(box, plate, VolumeRule{}), fresh(box, plate, VolumeRule{});
  std::array<Pose, 2> poses;
  const std::array<Vec3, 2> zero{Vec3::Zero(), Vec3::Zero()};
  const BodyMotion motion{poses.data(), zero.data(), zero.data(), zero.data()};
  const std::array<const Patch*, 1> none{nullptr};
  int num_bounds = 0;
  for (int i = 0; i <= 400; ++i) {
    const double x = 0.04 - 5e-5 * i;
    poses[0] = Pose(Eigen::AngleAxisd(0.3 * x, Vec3::UnitY()).toRotationMatrix(), Vec3(x, 0.003, 0.01));
    PointContact alone, exact, expected;
    VolumeContact of_alone, of_exact, of_expected;
    site.calc(motion, none, Gaps::alone, &alone, &of_alone);
    site.calc(motion, none, Gaps::exact, &exact, &of_exact);
    fresh.calc(motion, none, Gaps::exact, &expected, &of_expected);
    EXPECT_EQ(exact.gap, expected.gap);
    EXPECT_EQ(exact.normal, expected.normal);
    EXPECT_EQ(of_exact.field_force, of_expected.field_force);
    if (exact.gap < 1e-4) {
      EXPECT_EQ(alone.gap, exact.gap) << x;
    } else {
      EXPECT_GT(alone.gap, 0.0);
      EXPECT_LE(alone.gap, exact.gap);
      num_bounds += alone.gap < exact.gap ? 1 : 0;
    }
  }
  EXPECT_GT(num_bounds, 50);
}

TEST(ApartWatch, NeverCallsTouchingBodiesApart) {
  // A bar that tumbles and drifts towards a plane: apart while its lowest point is above it.
  ApartWatch watch(0.5);
  const auto pose = [](double t) {
    const Vec3 axis = Vec3(1, 2, 0.5).normalized();
    return Pose{Eigen::AngleAxisd(0.8 * t, axis).toRotationMatrix(), Vec3(0.1 * t, 0, 1.0 - 0.2 * t)};
  };
  const auto height = [](const Pose& X) { return X.p.z() - 0.5 * std::abs(X.R(2, 0)); };  // half its length along x
  int saved = 0, looks = 0;
  for (double t = 0.0; height(pose(t)) > 0.0; t += 1e-3) {
    const Pose X = pose(t);
    ++looks;
    if (watch.is_apart(X)) {
      ++saved;
    } else if (watch.wants_distance()) {
      watch.note(X, height(X));
    }
    const Pose touching{X.R, X.p - Vec3(0, 0, height(X) + 1e-9)};
    ASSERT_FALSE(watch.is_apart(touching)) << t;
  }
  EXPECT_GT(saved, 0.9 * looks);
}

VolumeRule make_rule(VolumeNormal normal) {
  VolumeRule rule;
  rule.normal = normal;
  return rule;
}

/// Of a square bar that lies on its edge on a plane, its faces at 30 and 60 degrees to it, 1 mm deep.
Vec3 calc_normal_below_edge(const VolumeRule& rule) {
  Collider bar, plane;
  bar.link = 0;
  bar.shape = Box{Vec3(0.1, 0.5, 0.1)};
  bar.bounding_radius = 0.6;
  plane.link = 1;
  plane.shape = HalfSpace{Vec3::UnitZ()};
  plane.is_static = true;
  plane.bounding_radius = std::numeric_limits<double>::infinity();
  const double tilt = std::numbers::pi / 6.0;
  const double reach = 0.1 * (std::cos(tilt) + std::sin(tilt));  // from the middle down to the edge
  std::array<Pose, 2> poses;
  poses[0] = {Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix(), Vec3(0, 0, reach - 1e-3)};
  const std::array<Vec3, 2> zero{Vec3::Zero(), Vec3::Zero()};
  VolumeSite site(bar, plane, rule);
  const std::vector<const Patch*> none(site.num_slots(), nullptr);
  std::vector<PointContact> geometry(site.num_slots());
  std::vector<VolumeContact> volumes(site.num_slots());
  site.calc({poses.data(), zero.data(), zero.data(), zero.data()}, none, Gaps::exact, geometry.data(), volumes.data());
  EXPECT_GT(volumes[0].volume, 0.0);
  return geometry[0].normal;
}

TEST(VolumeSite, OnlyThePrincipalAxisLeansBelowAnEdge) {
  // The principal axis of the prism's triangle, corners (d tan a, 0), (-d / tan a, 0), (0, -d): 2 m_xz / (m_xx - m_zz)
  // = tan of twice its lean.
  const double a = std::numbers::pi / 6.0;
  const Eigen::Matrix<double, 3, 2> corners{{std::tan(a), 0}, {-1.0 / std::tan(a), 0}, {0, -1}};
  const Eigen::Matrix<double, 3, 2> arms = corners.rowwise() - corners.colwise().mean();
  const Eigen::Matrix2d moments = arms.transpose() * arms;  // times V / 12
  const double lean = 0.5 * std::atan2(2.0 * moments(0, 1), moments(0, 0) - moments(1, 1));
  EXPECT_GT(std::abs(lean), 0.1);
  const Vec3 principal = calc_normal_below_edge(make_rule(VolumeNormal::principal));
  EXPECT_NEAR(std::abs(std::atan2(principal.x(), principal.z())), std::abs(lean), 1e-9);
  for (const VolumeNormal normal : {VolumeNormal::geometric, VolumeNormal::field})
    EXPECT_LT((calc_normal_below_edge(make_rule(normal)) - Vec3::UnitZ()).norm(), 1e-12);
}

/// Volumes of the slots of two blocks of 0.1 m, one mesh, pressed 1 mm into a plane; `apart` from middle to middle [m].
/// The first block has had a patch for a while if `has_patch`.
std::vector<double> calc_block_volumes(double apart, bool has_patch) {
  const MeshData block = make_box_mesh(Vec3::Constant(0.05));
  const MeshData other = make_moved(block, Pose{Mat3::Identity(), Vec3(apart, 0, 0)});
  Collider blocks, plane;
  blocks.link = 0;
  blocks.shape = Mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(make_union(block, other)))};
  blocks.bounding_radius = apart + 0.1;
  plane.link = 1;
  plane.shape = HalfSpace{Vec3::UnitZ()};
  plane.is_static = true;
  plane.bounding_radius = std::numeric_limits<double>::infinity();
  std::array<Pose, 2> poses;
  poses[0].p = Vec3(0, 0, 0.05 - 1e-3);
  const std::array<Vec3, 2> zero{Vec3::Zero(), Vec3::Zero()};
  VolumeSite site(blocks, plane, VolumeRule{});
  Patch patch;
  patch.last_centroid = Vec3(0, 0, -5e-4);
  patch.last_normal = Vec3::UnitZ();
  std::vector<const Patch*> patches(site.num_slots(), nullptr);
  if (has_patch) patches[0] = &patch;
  std::vector<PointContact> geometry(site.num_slots());
  std::vector<VolumeContact> volumes(site.num_slots());
  site.calc({poses.data(), zero.data(), zero.data(), zero.data()}, patches, Gaps::exact, geometry.data(),
            volumes.data());
  std::vector<double> found;
  for (const VolumeContact& volume : volumes) {
    if (volume.volume > 0.0) found.push_back(volume.volume);
  }
  return found;
}

TEST(VolumeSite, ANewPieceBesideAPatchIsAPartOfIt) {
  const double one = 0.1 * 0.1 * 1e-3, rounding = 1e-15;
  const std::vector<double> joined = calc_block_volumes(0.12, true);
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_NEAR(joined[0], 2.0 * one, rounding);
  // Far from it, and where both are new, each is a contact of its own.
  for (const auto& [apart, has_patch] : {std::pair(0.5, true), std::pair(0.12, false)}) {
    const std::vector<double> separate = calc_block_volumes(apart, has_patch);
    ASSERT_EQ(separate.size(), 2u) << apart;
    for (const double volume : separate) EXPECT_NEAR(volume, one, rounding);
  }
}

/// A least gap in place of a small one would be a jump at the touch, on which nothing can be located.
TEST(VolumeSiteGap, NutGoesToZeroAtTouch) {
  Collider nut, floor;
  const std::vector<CellPart> parts = {{Box{Vec3(0.05, 0.05, 0.02)}, Pose(), false},
                                       {Cylinder{0.03, 0.1}, Pose(), true}};
  nut.link = 0;
  nut.shape = CutShape{std::make_shared<const CellParts>(CellParts{parts})};
  nut.bounding_radius = 0.08;
  floor.link = 1;
  floor.shape = HalfSpace{};
  floor.is_static = true;
  floor.bounding_radius = std::numeric_limits<double>::infinity();
  VolumeSite site(nut, floor, VolumeRule{});
  std::array<Pose, 2> poses;
  const std::array<Vec3, 2> zero = {Vec3::Zero(), Vec3::Zero()};
  const std::vector<const Patch*> patches(static_cast<std::size_t>(site.num_slots()), nullptr);
  std::vector<PointContact> geometry(site.num_slots());
  std::vector<VolumeContact> volumes(site.num_slots());
  for (const double gap : {1e-3, 1e-9, 1e-12, -1e-9}) {
    poses[0].p = Vec3(0.0, 0.0, 0.02 + gap);
    site.calc({poses.data(), zero.data(), zero.data(), zero.data()}, patches, Gaps::exact, geometry.data(),
              volumes.data());
    EXPECT_NEAR(geometry[0].gap, gap, 1e-15 + 1e-6 * std::abs(gap));
  }
}

/// Where hulls meet to the last bit their distance is exactly zero, as it is of a plug in a hole; there the gap of a
/// contact that lasts is nothing, not a little more, or rounding would end it and begin it anew without end.
TEST(VolumeSiteGap, CrateThatRestsOnANutDoesNotLift) {
  Collider crate, nut;
  const std::vector<CellPart> parts = {{Box{Vec3(0.05, 0.05, 0.02)}, Pose(), false},
                                       {Cylinder{0.03, 0.1}, Pose(), true}};
  crate.link = 0;
  crate.shape = Box{Vec3(0.04, 0.06, 0.03)};
  crate.bounding_radius = 0.08;
  nut.link = 1;
  nut.shape = CutShape{std::make_shared<const CellParts>(CellParts{parts})};
  nut.bounding_radius = 0.08;
  VolumeSite site(crate, nut, VolumeRule{});
  std::array<Pose, 2> poses;
  poses[0].R = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  const std::array<Vec3, 2> zero = {Vec3::Zero(), Vec3::Zero()};
  std::vector<PointContact> geometry(site.num_slots());
  std::vector<VolumeContact> volumes(site.num_slots());
  Patch patch;
  std::vector<const Patch*> patches(static_cast<std::size_t>(site.num_slots()), nullptr);
  patches[0] = &patch;
  for (const Vec3& last_normal : {Vec3(Vec3::Zero()), Vec3(Vec3::UnitZ())}) {
    patch.last_normal = last_normal;
    for (int k = -50; k <= 50; ++k) {
      poses[0].p = Vec3(0.003, 0.001, 0.05 + 1e-17 * k);
      site.calc({poses.data(), zero.data(), zero.data(), zero.data()}, patches, Gaps::alone, geometry.data(),
                volumes.data());
      EXPECT_NEAR(geometry[0].gap, 0.0, 1e-15) << k;  // [m]: 50 of the offsets; 8e-11 where it was unknown
    }
  }
}

}  // namespace
}  // namespace abut
