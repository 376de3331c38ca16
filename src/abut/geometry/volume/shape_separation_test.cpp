#include "abut/geometry/volume/shape_separation.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace abut {
namespace {

Shape make_cell(std::vector<CellPart> parts) {
  return CutShape{std::make_shared<const CellParts>(CellParts{std::move(parts)})};
}

/// A block from z = -0.08 to 0 m with a blind hole of radius 0.0202 m down to z = -0.06 m, whose cylinder ends above
/// it.
Shape make_block() {
  return make_cell({{Box{Vec3(0.06, 0.06, 0.04)}, Pose(Mat3::Identity(), Vec3(0.0, 0.0, -0.04)), false},
                    {Cylinder{0.0202, 0.06}, Pose(), true}});
}

double calc_distance(const Shape& a, const Vec3& position, const Shape& b) {
  return Separator(a, b).calc(Pose(Mat3::Identity(), position), Pose()).distance;
}

TEST(Separation, PegThatSticksOutOfAHoleIsApartFromItsWallAndBottom) {
  const Shape peg = Cylinder{0.02, 0.05}, block = make_block();
  // 0.1 mm beside the axis leaves as much to the wall; the upper end is above the cylinder that was cut away.
  EXPECT_NEAR(calc_distance(peg, Vec3(0.0001, 0.0, 0.02), block), 0.0001, 1e-12);
  EXPECT_NEAR(calc_distance(peg, Vec3(0.0, 0.0, -0.01 + 3e-5), block), 3e-5, 1e-12);
  EXPECT_LE(calc_distance(peg, Vec3(0.0, 0.0, -0.01 - 3e-5), block), 0.0);
}

TEST(Separation, HoleThatEndsInsideItsCellKeepsItsEnds) {
  const Shape cave = make_cell({{Box{Vec3::Constant(0.2)}, Pose(), false}, {Cylinder{0.1, 0.1}, Pose(), true}});
  const Shape ball = Sphere{0.03};
  EXPECT_NEAR(calc_distance(ball, Vec3(0.0, 0.0, 0.06), cave), 0.01, 1e-12);
  EXPECT_NEAR(calc_distance(ball, Vec3(0.0, 0.0, -0.06), cave), 0.01, 1e-12);
}

TEST(Separation, BallInAConicalHole) {
  // A countersink of half-angle 45 degrees, apex at z = -0.1 m: the ball's centre is 0.1 / sqrt(2) from its wall.
  Mat3 upside_down = Mat3::Identity();
  upside_down(1, 1) = upside_down(2, 2) = -1.0;
  const Shape block = make_cell({{Box{Vec3(0.5, 0.5, 0.5)}, Pose(Mat3::Identity(), Vec3(0.0, 0.0, -0.5)), false},
                                 {Cone{std::atan(1.0), 0.3}, Pose(upside_down, Vec3(0.0, 0.0, -0.1)), true}});
  EXPECT_NEAR(calc_distance(Sphere{0.05}, Vec3::Zero(), block), 0.1 / std::sqrt(2.0) - 0.05, 1e-12);
}

TEST(Separation, PegBetweenAChamferAndItsHoleIsApartFromBoth) {
  Mat3 upside_down = Mat3::Identity();
  upside_down(1, 1) = upside_down(2, 2) = -1.0;
  const Shape block = make_cell({{Box{Vec3(0.06, 0.06, 0.04)}, Pose(Mat3::Identity(), Vec3(0.0, 0.0, -0.04)), false},
                                 {Cylinder{0.0202, 0.06}, Pose(), true},
                                 {Cone{std::atan(1.0), 0.1}, Pose(upside_down, Vec3(0.0, 0.0, -0.0222)), true}});
  const Shape peg = Cylinder{0.02, 0.05};
  // Above the chamfer's circle, its upper end beyond the cone that was cut away: 0.3 mm along the cone's normal.
  EXPECT_NEAR(calc_distance(peg, Vec3(0.001, 0.0, 0.0492), block), 0.0004 / std::sqrt(2.0), 1e-12);
  // Tilted in the hole, its upper part is out of the cylinder, its lower one out of the cone.
  const Pose tilted(Mat3(Eigen::AngleAxisd(0.01, Vec3::UnitY())), Vec3(5e-4, 0.0, 0.045));
  const double distance = Separator(peg, block).calc(tilted, Pose()).distance;
  EXPECT_GT(distance, 1e-4);
  EXPECT_LT(distance, 2e-4);
  EXPECT_LE(calc_distance(peg, Vec3(0.0003, 0.0, 0.01), block), 0.0);
}

}  // namespace
}  // namespace abut
