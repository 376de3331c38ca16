#include <gtest/gtest.h>

#include "abut/geometry/volume/pose_verdict_test.hpp"

// A fixed sample of what bench/volume_poses_bench goes through: curved bodies and meshes upon each other, flush or
// nearly so, at depths from 1e-9 of the size to all of it, against an integral that shares nothing with the kernels.

namespace abut {
namespace {

void expect_right(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t number = first; number < first + count; ++number) {
    const testing::PosePair pair = testing::PoseFamilies(number).make();
    const testing::PoseVerdict verdict = testing::judge(pair);
    EXPECT_LE(verdict.volume_miss, 1.0) << number << ": " << verdict.volume << " m^3, expected " << verdict.expected;
    EXPECT_LE(verdict.centroid_miss, 1.0) << number;
    EXPECT_LE(verdict.inertia_miss, 1.0) << number;
  }
}

TEST(RandomPoses, AFewAgreeWithChords) { expect_right(17, 3); }

TEST(RandomPosesLong, AgreeWithChords) { expect_right(1000, 60); }

// The reference itself, where the answer is known.
TEST(RandomPoses, ChordsFindACap) {
  const double r = 0.1, depth = 1e-7;
  testing::ChordSolid both{testing::ChordSurface(testing::SurfaceKind::ellipsoid, Pose(), Vec3::Constant(r)),
                           testing::ChordSurface(Vec3(-Vec3::UnitZ()), -(r - depth))};
  const double volume = std::numbers::pi * depth * depth * (r - depth / 3.0);
  const testing::ChordSums sums = testing::ChordReference(both, {}, 2.0 * r).calc();
  EXPECT_NEAR(sums.volume / volume, 1.0, 1e-8);  // depths are known to 1e-17 of 1e-7
  EXPECT_NEAR(sums.first.z() / sums.volume, r - depth * 2.0 / 3.0, 1e-6 * depth);
}

}  // namespace
}  // namespace abut
