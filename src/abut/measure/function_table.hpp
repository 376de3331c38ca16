#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// What a measure may call. The order is that of the table in function_table.cpp and of docs/validation.md.
enum class Function {
  sqrt,
  abs,
  exp,
  ln,
  sin,
  cos,
  atan2,
  positive,
  min,
  max,
  position,
  velocity,
  speed,
  angular_velocity,
  direction,
  joint,
  joint_rate,
  joint_force,
  sensor,
  reaction,
  energy,
  depth,
  normal_force,
  friction_force,
  force,
  normal,
  slip_speed,
  misalignment,
  point,
  torque,
  volume,
  area,
  gyration_radius,
  dwell,
  at,
  reference,
  max_over,
  min_over,
  mean_over,
  time_of_max,
  peak,
  peak_time,
  first_time,
  last_time,
  touches,
  touches_between,
  touch_time,
  touch_speed,
  lift_time,
  lift_speed,
  restitution,
  contact_time,
  first_contact,
  peak_force,
  peak_depth,
  damping_work,
  friction_work,
  worst_residual,
  energy_turnover,
  steps_accepted,
  is_done,
  exact_restitution,
  gonthier_damping,
  impact_restitution,
  impact_duration,
  impact_depth,
  contact_modulus,
  hertz_stiffness,
  elliptical_stiffness,
};

/// What a parameter accepts.
enum class Parameter {
  number,    ///< an expression, evaluated before the call
  signal,    ///< an expression of the time t, evaluated as often as the function needs
  count,     ///< an expression of the contact number n, evaluated as often as the function needs
  body,      ///< the name of a body of the scene
  joint,     ///< the name of a joint of the scene
  energy,    ///< a column of the energy ledger
  sensor,    ///< the name of a sensor of the scene
  reaction,  ///< the name of a joint that a sensor of type reaction looks at
  axis,      ///< x, y or z
};

struct FunctionInfo {
  Function function;
  const char* name;
  std::vector<Parameter> parameters;
  bool needs_run;     ///< reads the record of a run, so that the check must name a scene
  const char* usage;  ///< "touch_time(a, b, n)"
  const char* doc;    ///< one line, with the unit
};

std::span<const FunctionInfo> all_functions();

/// Null when there is none of that name.
const FunctionInfo* find_function(std::string_view name);

/// Names of all functions, for spelling suggestions.
std::vector<std::string> function_names();

}  // namespace abut
