#include <gtest/gtest.h>

#include "abut/geometry/volume/slice_events.hpp"

namespace abut {
namespace {

/// A pin of radius 20 mm, 0.1 m long, tilted in a hole of radius 20.2 mm below z = 0, all of whose clearance a tilt of
/// 4 mrad about the middle takes up.
Region make_pin_in_hole(double tilt, const Vec3& middle) {
  Region region;
  Quadric hole{QuadricKind::cylinder, Vec3(0.0202, 0.0202, 0.0), Pose(), true, 1};
  // In the frame of the pin.
  hole.X.R = Eigen::AngleAxisd(-tilt, Vec3::UnitX());
  hole.X.p = hole.X.R * -middle;
  region.quadrics = {{QuadricKind::cylinder, Vec3(0.02, 0.02, 0.0), Pose(), false, 0}, hole};
  region.planes = {{Vec3::UnitZ(), 0.05, 0}, {-Vec3::UnitZ(), 0.05, 0}};
  region.planes.push_back({hole.X.R.col(2), hole.X.R.col(2).dot(hole.X.p), 1});
  region.radius = 0.06;
  return region;
}

TEST(SlicedRegion, APinClearOfItsHoleIsSeenToBeNothing) {
  SlicedRegion sliced;
  EXPECT_FALSE(make_sliced_region(make_pin_in_hole(0.0, Vec3(1e-4, 0, 0)), sliced));
  EXPECT_FALSE(make_sliced_region(make_pin_in_hole(3.5e-3, Vec3::Zero()), sliced));
  EXPECT_TRUE(make_sliced_region(make_pin_in_hole(4.5e-3, Vec3::Zero()), sliced));
  EXPECT_TRUE(make_sliced_region(make_pin_in_hole(0.0, Vec3(2.1e-4, 0, 0)), sliced));
}

/// A face of a cell bounds a region twice where its depth is measured from there. Which of the two were taken would be
/// rounding, from slice to slice.
TEST(SlicedRegion, AFaceThatBoundsTwiceLeavesOneLine) {
  Region region = make_pin_in_hole(4.5e-3, Vec3::Zero());
  const Vec3 normal = Vec3(1.0, 0.2, 0.1).normalized();
  for (const double offset : {0.01, 0.01 + 2e-17, 0.01 - 2e-17, 0.01 + 1e-12})
    region.planes.push_back({normal, offset, 1});
  region.planes.push_back({(normal + Vec3(0, 0, 1e-12)).normalized(), 0.01, 1});
  SlicedRegion sliced;
  ASSERT_TRUE(make_sliced_region(region, sliced));
  // The plane across the hole, the face and two that are beside it by more than rounding.
  EXPECT_EQ(sliced.line_planes, (std::vector<int>{2, 3, 6, 7}));
}

/// Only the lower half of the pin is below the plane.
TEST(SlicedRegion, APlaneAslantToTheSlicesLimitsThem) {
  SlicedRegion sliced;
  ASSERT_TRUE(make_sliced_region(make_pin_in_hole(4.5e-3, Vec3::Zero()), sliced));
  EXPECT_EQ(sliced.t_lower, -0.05);
  // The plane rises over the pin by 0.02 times the tilt, for which 1.5 times as much is allowed.
  EXPECT_GT(sliced.t_upper, 0.02 * 4.5e-3);
  EXPECT_LT(sliced.t_upper, 1.5 * 0.02 * 4.5e-3);
}

}  // namespace
}  // namespace abut
