#include "abut/contact/region/volume_site.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

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
    site.calc({poses_.data(), zero_.data(), zero_.data(), zero_.data()}, of_slot, geometry.data(), volumes.data());
    return geometry;
  }

  const Vec3 direction_{std::cos(0.7), std::sin(0.7), 0.0};
  Collider ball_, bore_;
  std::array<Pose, 2> poses_;
  std::array<Vec3, 2> zero_{Vec3::Zero(), Vec3::Zero()};
};

TEST_F(BallInBore, NormalAtTouchPointsFromTheWallToTheBall) {
  // The middles of the two lie the other way.
  const PointContact touch = calc(0.9 - 1e-13, {})[0];
  EXPECT_NEAR(touch.gap, 1e-13, 1e-15);
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

}  // namespace
}  // namespace abut
