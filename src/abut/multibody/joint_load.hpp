#pragma once

#include <limits>

namespace abut {

enum class MotorMode { none, torque, velocity, position };

/// What a motor is told at this instant; its owner reads it from a table or a profile.
struct MotorCommand {
  double value = 0.0;  ///< torque [N m] (force [N]), target speed or target position, by mode
  double rate = 0.0;   ///< d(value)/dt; used by position control only
};

/// Motor on one joint coordinate, its force clipped to +-force_limit.
///   torque    value
///   velocity  gain (value - v)                                     gain [N m s/rad] or [N s/m]
///   position  gain (value - q) + derivative_gain (rate - v)        gain [N m/rad] or [N/m]
struct JointMotor {
  MotorMode mode = MotorMode::none;
  double gain = 0.0;
  double derivative_gain = 0.0;
  double force_limit = std::numeric_limits<double>::infinity();  ///< [N m] or [N], >= 0
};

/// What acts along ONE scalar joint coordinate q with speed v. "Force" stands for torque [N m] on an angle [rad] and
/// for force [N] on a travel [m]; stiffness and damping are per radian or per metre.
struct JointLoad {
  double stiffness = 0.0, rest = 0.0;                       ///< spring -stiffness (q - rest)
  double damping = 0.0;                                     ///< -damping v
  double lower = -std::numeric_limits<double>::infinity();  ///< [rad] or [m]; infinite: no limit
  double upper = std::numeric_limits<double>::infinity();   ///< [rad] or [m]
  double limit_stiffness = 0.0;                             ///< [N m/rad] or [N/m], >= 0
  double limit_damping = 0.0;                               ///< [N m s/rad] or [N s/m], >= 0
  double coulomb = 0.0;                                     ///< friction at speed, >= 0
  double viscous = 0.0;                                     ///< friction per speed, >= 0
  double v_eps = 1e-3;        ///< speed [rad/s] or [m/s] > 0 below which friction falls smoothly to zero
  bool has_stiction = false;  ///< friction is that of JointStiction; then, zero where a rule decides:
  double stiction = 0.0, sigma_0 = 0.0, sigma_1 = 0.0, v_stribeck = 0.0, tau_dwell = 0.0;
  JointMotor motor;
};

/// Result for one coordinate. The books close to rounding, at any state:
///   force v = -stored_rate - damping_power - friction_power + motor_power.
struct JointLoadResult {
  double force = 0.0;           ///< total, on the joint coordinate
  double motor_force = 0.0;     ///< the motor's share
  double stored = 0.0;          ///< in spring and limits [J]
  double stored_rate = 0.0;     ///< d(stored)/dt [W]
  double damping_power = 0.0;   ///< dissipated by damper and limits [W], >= 0
  double friction_power = 0.0;  ///< dissipated by joint friction [W], >= 0
  double motor_power = 0.0;     ///< into the system [W], either sign
};

/// Limits. With depth x > 0 beyond a limit and x' its rate, the limit pushes back with
///   f = k x + clip(c x', -k x, k x),   k = limit_stiffness, c = limit_damping:
/// a spring and damper whose damping may at most match the spring. So f lies between 0 and 2 k x: it never pulls, and
/// starts from zero at touch instead of jumping, which integrators need. Damping is dissipated: clip(...) x' >= 0.
/// Friction. f = coulomb v / sqrt(v^2 + v_eps^2) + viscous v, smooth (all derivatives) and 71 % of coulomb at v =
/// v_eps; a joint at rest under load creeps at about v_eps load / coulomb.
JointLoadResult calc_joint_load(const JointLoad& load, double q, double v, MotorCommand command = {});

/// Throws InputError where a value is not finite (limits may be infinite), a coefficient that must not be negative is,
/// v_eps is not positive, or lower >= upper.
void check_joint_load(const JointLoad& load);

}  // namespace abut
