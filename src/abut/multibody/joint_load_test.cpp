#include "abut/multibody/joint_load.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

JointLoad make_full_load() {
  JointLoad load;
  load.stiffness = 30.0;
  load.rest = 0.2;
  load.damping = 1.5;
  load.lower = -0.5;
  load.upper = 0.7;
  load.limit_stiffness = 4000.0;
  load.limit_damping = 50.0;
  load.coulomb = 2.0;
  load.viscous = 0.4;
  load.v_eps = 1e-2;
  return load;
}

TEST(JointLoad, PowerBooksCloseEverywhere) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> coordinate(-1.5, 1.5), speed(-6.0, 6.0), target(-2.0, 2.0);
  for (const MotorMode mode : {MotorMode::none, MotorMode::torque, MotorMode::velocity, MotorMode::position}) {
    JointLoad load = make_full_load();
    load.motor = {mode, 12.0, 3.0, 15.0};
    for (int n = 0; n < 500; ++n) {
      const double q = coordinate(engine), v = speed(engine);
      const JointLoadResult r = calc_joint_load(load, q, v, {target(engine), target(engine)});
      const double books = -r.stored_rate - r.damping_power - r.friction_power + r.motor_power;
      // A dozen roundings of the largest term.
      const double largest =
          std::max({std::abs(r.stored_rate), r.damping_power, r.friction_power, std::abs(r.motor_power)});
      ASSERT_NEAR(r.force * v, books, 12.0 * std::numeric_limits<double>::epsilon() * largest) << q << " " << v;
      ASSERT_GE(r.damping_power, 0.0);
      ASSERT_GE(r.friction_power, 0.0);
      ASSERT_GE(r.stored, 0.0);
    }
  }
}

TEST(JointLoad, StoredRateIsTheDerivativeOfStored) {
  const JointLoad load = make_full_load();
  constexpr double kStep = 1e-6;
  for (const double q : {-0.9, -0.3, 0.5, 0.95}) {
    const double v = 1.7;
    const double slope =
        (calc_joint_load(load, q + kStep * v, v).stored - calc_joint_load(load, q - kStep * v, v).stored) /
        (2.0 * kStep);
    // Quadratic in q, so the central difference is exact up to rounding eps * 200 J / h.
    EXPECT_NEAR(calc_joint_load(load, q, v).stored_rate, slope, 1e-6);
  }
}

TEST(JointLoad, SpringAndDamper) {
  JointLoad load;
  load.stiffness = 10.0;
  load.rest = 1.0;
  load.damping = 2.0;
  const JointLoadResult r = calc_joint_load(load, 1.5, 3.0);
  EXPECT_DOUBLE_EQ(r.force, -5.0 - 6.0);
  EXPECT_DOUBLE_EQ(r.stored, 1.25);
  EXPECT_DOUBLE_EQ(r.damping_power, 18.0);
}

TEST(JointLoad, LimitsPushInwardsOnlyAndStartFromZero) {
  JointLoad load;
  load.lower = -1.0;
  load.upper = 2.0;
  load.limit_stiffness = 100.0;
  load.limit_damping = 10.0;
  EXPECT_EQ(calc_joint_load(load, 0.5, 9.0).force, 0.0);
  EXPECT_DOUBLE_EQ(calc_joint_load(load, -1.5, 0.0).force, 50.0);
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 2.5, 0.0).force, -50.0);
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 2.5, 2.0).force, -70.0);
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 2.5, -2.0).force, -30.0);
  EXPECT_EQ(calc_joint_load(load, 2.5, -1e3).force, 0.0);  // leaves faster than the spring follows
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 2.5, 1e3).force, -100.0);
  EXPECT_NEAR(calc_joint_load(load, 2.0 + 1e-12, 5.0).force, 0.0, 1e-9);
}

TEST(JointLoad, FrictionIsOddSmoothAndBounded) {
  JointLoad load;
  load.coulomb = 2.0;
  load.v_eps = 0.1;
  EXPECT_EQ(calc_joint_load(load, 0.0, 0.0).force, 0.0);
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 0.0, 0.1).force, -2.0 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 0.0, -0.1).force, 2.0 / std::sqrt(2.0));
  EXPECT_NEAR(calc_joint_load(load, 0.0, 1e3).force, -2.0, 2e-8);  // 1 - (v_eps / v)^2 / 2
  load.viscous = 0.5;
  EXPECT_NEAR(calc_joint_load(load, 0.0, 1e3).force, -502.0, 2e-8);
}

TEST(JointLoad, MotorModesAndSaturation) {
  JointLoad load;
  load.motor = {MotorMode::torque, 0.0, 0.0, 5.0};
  EXPECT_EQ(calc_joint_load(load, 0.3, 2.0, {4.0, 0.0}).force, 4.0);
  EXPECT_EQ(calc_joint_load(load, 0.3, 2.0, {4.0, 0.0}).motor_power, 8.0);
  EXPECT_EQ(calc_joint_load(load, 0.3, 2.0, {-7.0, 0.0}).force, -5.0);
  load.motor = {MotorMode::velocity, 3.0, 0.0, 100.0};
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 0.3, 2.0, {5.0, 0.0}).force, 9.0);
  load.motor = {MotorMode::position, 10.0, 2.0, std::numeric_limits<double>::infinity()};
  EXPECT_DOUBLE_EQ(calc_joint_load(load, 0.5, 2.0, {1.0, 3.0}).force, 5.0 + 2.0);
  load.motor.mode = MotorMode::none;
  EXPECT_EQ(calc_joint_load(load, 0.5, 2.0, {1.0, 3.0}).motor_force, 0.0);
}

TEST(JointLoad, SaysWhatIsWrong) {
  const auto message_of = [](auto change) -> std::string {
    JointLoad load = make_full_load();
    change(load);
    try {
      check_joint_load(load);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of([](JointLoad&) {}), "");
  EXPECT_EQ(message_of([](JointLoad& l) { l.stiffness = -1.0; }),
            "joint stiffness is -1; it must be finite and not negative");
  EXPECT_EQ(message_of([](JointLoad& l) { l.lower = 0.9; }),
            "joint limits are reversed: lower 0.9 is not below upper 0.7");
  EXPECT_EQ(message_of([](JointLoad& l) { l.v_eps = 0.0; }),
            "joint friction v_eps is 0; it must be finite and positive");
  EXPECT_EQ(message_of([](JointLoad& l) { l.motor.force_limit = NAN; }),
            "motor force_limit is nan; it must not be negative");
}

}  // namespace
}  // namespace abut
