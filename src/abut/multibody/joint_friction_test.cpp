#include "abut/multibody/joint_friction.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace abut {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Coordinate {
  double q = 0.0, v = 0.0, z = 0.0, heat = 0.0;
};

/// One coordinate of inertia 0.35 kg m^2 under a torque [N m], for some time [s], by small explicit steps.
Coordinate move(const JointFriction& friction, Coordinate c, double torque, double time) {
  constexpr double kStep = 1e-5, kInertia = 0.35;
  for (int i = 0; i < static_cast<int>(time / kStep); ++i) {
    const JointFrictionRates rates = calc_joint_friction(friction, c.z, c.v);
    c.heat += kStep * rates.heat;
    c.v += kStep * (torque + rates.force) / kInertia;
    c.z += kStep * rates.z_rate;
    c.q += kStep * c.v;
  }
  return c;
}

TEST(JointFriction, HoldsALoadBelowItAndLetsALargerOneGo) {
  const JointFriction friction = make_joint_friction(10.0, 1e-3, 0.35, kInfinite);
  const Coordinate held = move(friction, {}, 4.9, 3.0);
  EXPECT_NEAR(held.q, 0.49 * kJointBristleTravel, 1e-3 * kJointBristleTravel);  // and not a creep of v_eps / 2 for 3 s
  EXPECT_NEAR(held.v, 0.0, 1e-9);
  const Coordinate slides = move(friction, {}, 13.5, 1.0);
  EXPECT_NEAR(slides.v, 3.5 / 0.35, 0.01);
}

TEST(JointFriction, SlidesWithAllOfItAndStops) {
  const JointFriction friction = make_joint_friction(7.0, 1e-3, 0.35, kInfinite);
  Coordinate c;
  c.v = 1.0;
  c = move(friction, c, 0.0, 0.2);
  EXPECT_NEAR(c.q, 0.35 / (2.0 * 7.0), 1e-4);  // v^2 I / (2 f)
  EXPECT_NEAR(c.v, 0.0, 1e-6);
}

TEST(JointFriction, HeatIsNeverNegativeAndTheBooksClose) {
  const JointFriction friction = make_joint_friction(3.0, 1e-3, 0.35, kInfinite);
  for (const double z : {-1.2e-5, -3e-6, 0.0, 5e-6, 1e-5}) {
    for (const double v : {-1.0, -1e-3, -1e-5, 0.0, 2e-5, 5e-4, 0.1}) {
      const JointFrictionRates rates = calc_joint_friction(friction, z, v);
      EXPECT_GE(rates.heat, -1e-15) << z << " " << v;
      EXPECT_LE(std::abs(rates.force), 3.0);
      EXPECT_NEAR(-rates.force * v, friction.stiffness * z * rates.z_rate + rates.heat, 1e-12);
    }
  }
}

TEST(JointFriction, FixedStepsBoundItsRates) {
  const JointFriction friction = make_joint_friction(10.0, 1e-3, 0.35, 1000.0);
  EXPECT_DOUBLE_EQ(friction.damping, 0.5 * 0.35 * 1000.0);
  EXPECT_DOUBLE_EQ(friction.stiffness, 0.35 * 1e6 / 16.0);
  EXPECT_EQ(make_joint_friction(1e-3, 1e-3, 0.35, 1000.0).stiffness, 1e-3 / kJointBristleTravel);
}

}  // namespace
}  // namespace abut
