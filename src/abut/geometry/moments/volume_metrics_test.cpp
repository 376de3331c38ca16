#include "abut/geometry/moments/volume_metrics.hpp"

#include <gtest/gtest.h>

namespace abut {
namespace {

VolumeMetrics make_ball(const Vec3& center, double radius) {
  const double volume = 4.18879 * radius * radius * radius;
  return {volume, center, Mat3(0.4 * volume * radius * radius * Mat3::Identity()), Vec3::Zero()};
}

TEST(VolumeMetrics, RemotenessIsMeasuredByThePieceItself) {
  const VolumeMetrics ball = make_ball(Vec3(1, 0, 0), 0.1);
  EXPECT_NEAR(calc_remoteness(ball, Vec3(1.1, 0, 0)), 5.0, 1e-6);
  EXPECT_EQ(calc_remoteness(ball, ball.centroid), 0.0);
}

// Second moments of a piece that has just begun are rounding: one below zero made all of space near to it, and the
// force of a large piece went to the small one.
TEST(VolumeMetrics, NothingIsNearAPieceAsSmallAsRounding) {
  VolumeMetrics speck = make_ball(Vec3(0, 0.04, 0), 1e-9);
  speck.inertia = Vec3(1.0, 1.0, 3.0).asDiagonal();  // - 0.5 m^2 along one axis
  speck.inertia *= 1e-45;
  const VolumeMetrics large = make_ball(Vec3(0, -0.03, 0), 0.01);
  const Vec3 inside(0, -0.03, 0.005);
  EXPECT_GT(calc_remoteness(speck, inside), calc_remoteness(large, inside));
  EXPECT_EQ(calc_remoteness(speck, speck.centroid), 0.0);
}

}  // namespace
}  // namespace abut
