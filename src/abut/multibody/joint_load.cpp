#include "abut/multibody/joint_load.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "abut/base/error.hpp"

namespace abut {
namespace {

void add_spring(const JointLoad& load, double q, double v, JointLoadResult& r) {
  const double stretch = q - load.rest;
  r.force -= load.stiffness * stretch;
  r.stored += 0.5 * load.stiffness * stretch * stretch;
  r.stored_rate += load.stiffness * stretch * v;
}

void add_damper(const JointLoad& load, double v, JointLoadResult& r) {
  r.force -= load.damping * v;
  r.damping_power += load.damping * v * v;
}

/// `inward` is the direction in which the limit pushes: +1 at the lower, -1 at the upper one.
void add_limit(const JointLoad& load, double depth, double inward, double v, JointLoadResult& r) {
  if (!(depth > 0.0)) return;
  const double depth_rate = -inward * v;
  const double elastic = load.limit_stiffness * depth;
  const double damping = std::clamp(load.limit_damping * depth_rate, -elastic, elastic);
  r.force += inward * (elastic + damping);
  r.stored += 0.5 * elastic * depth;
  r.stored_rate += elastic * depth_rate;
  r.damping_power += damping * depth_rate;
}

void add_friction(const JointLoad& load, double v, JointLoadResult& r) {
  if (load.coulomb == 0.0 && load.viscous == 0.0) return;
  const double friction = load.coulomb * v / std::hypot(v, load.v_eps) + load.viscous * v;
  r.force -= friction;
  r.friction_power += friction * v;
}

double calc_motor_demand(const JointMotor& motor, double q, double v, MotorCommand command) {
  switch (motor.mode) {
    case MotorMode::torque:
      return command.value;
    case MotorMode::velocity:
      return motor.gain * (command.value - v);
    case MotorMode::position:
      return motor.gain * (command.value - q) + motor.derivative_gain * (command.rate - v);
    case MotorMode::none:
      break;
  }
  return 0.0;
}

void check_not_negative(std::string_view what, double value) {
  if (!std::isfinite(value) || value < 0.0) {
    throw InputError(fmt::format("joint {} is {}; it must be finite and not negative", what, value));
  }
}

}  // namespace

JointLoadResult calc_joint_load(const JointLoad& load, double q, double v, MotorCommand command) {
  JointLoadResult r;
  add_spring(load, q, v, r);
  add_damper(load, v, r);
  add_limit(load, load.lower - q, 1.0, v, r);
  add_limit(load, q - load.upper, -1.0, v, r);
  add_friction(load, v, r);
  const double limit = load.motor.force_limit;
  r.motor_force = std::clamp(calc_motor_demand(load.motor, q, v, command), -limit, limit);
  r.motor_power = r.motor_force * v;
  r.force += r.motor_force;
  return r;
}

void check_joint_load(const JointLoad& load) {
  check_not_negative("stiffness", load.stiffness);
  check_not_negative("damping", load.damping);
  check_not_negative("limit_stiffness", load.limit_stiffness);
  check_not_negative("limit_damping", load.limit_damping);
  check_not_negative("friction coulomb", load.coulomb);
  check_not_negative("friction viscous", load.viscous);
  check_not_negative("motor gain", load.motor.gain);
  check_not_negative("motor derivative_gain", load.motor.derivative_gain);
  if (!std::isfinite(load.rest)) throw InputError(fmt::format("joint rest is {}; it must be finite", load.rest));
  if (!std::isfinite(load.v_eps) || !(load.v_eps > 0.0)) {
    throw InputError(fmt::format("joint friction v_eps is {}; it must be finite and positive", load.v_eps));
  }
  if (!(load.motor.force_limit >= 0.0)) {
    throw InputError(fmt::format("motor force_limit is {}; it must not be negative", load.motor.force_limit));
  }
  if (!(load.lower < load.upper)) {
    throw InputError(fmt::format("joint limits are reversed: lower {} is not below upper {}", load.lower, load.upper));
  }
}

}  // namespace abut
