#include "validate/function_table.hpp"

namespace abut {

namespace {

using P = Parameter;
using F = Function;

const std::vector<FunctionInfo>& table() {
  static const std::vector<FunctionInfo> functions = {
      {F::sqrt, "sqrt", {P::number}, false, "sqrt(x)", "square root"},
      {F::abs, "abs", {P::number}, false, "abs(x)", "magnitude"},
      {F::exp, "exp", {P::number}, false, "exp(x)", "exponential"},
      {F::ln, "ln", {P::number}, false, "ln(x)", "natural logarithm"},
      {F::sin, "sin", {P::number}, false, "sin(x)", "sine of an angle [rad]"},
      {F::cos, "cos", {P::number}, false, "cos(x)", "cosine of an angle [rad]"},
      {F::atan2, "atan2", {P::number, P::number}, false, "atan2(y, x)", "angle of the point (x, y) [rad]"},
      {F::min, "min", {P::number, P::number}, false, "min(x, y)", "the smaller"},
      {F::max, "max", {P::number, P::number}, false, "max(x, y)", "the larger"},

      {F::position, "position", {P::body, P::axis}, true, "position(body, axis)", "of the body's origin at t [m]"},
      {F::velocity, "velocity", {P::body, P::axis}, true, "velocity(body, axis)", "of the body's origin at t [m/s]"},
      {F::speed, "speed", {P::body}, true, "speed(body)", "magnitude of that velocity [m/s]"},
      {F::angular_velocity, "angular_velocity", {P::body, P::axis}, true, "angular_velocity(body, axis)", "at t, world axes [rad/s]"},
      {F::direction, "direction", {P::body, P::axis, P::axis}, true, "direction(body, body_axis, axis)", "world component of a unit vector fixed to the body, at t"},
      {F::joint, "joint", {P::joint, P::number}, true, "joint(joint, i)", "i-th coordinate at t, counted from 0 [m or rad]"},
      {F::joint_rate, "joint_rate", {P::joint, P::number}, true, "joint_rate(joint, i)", "i-th velocity at t [m/s or rad/s]"},
      {F::joint_force, "joint_force", {P::joint, P::number}, true, "joint_force(joint, i)", "force of motors, springs, friction and prescribed motion at t [N or N m]"},
      {F::energy, "energy", {P::energy}, true, "energy(name)", "column of the energy ledger at t [J]"},

      {F::depth, "depth", {P::body, P::body}, true, "depth(a, b)", "largest depth of the pair at t, 0 when apart [m]"},
      {F::normal_force, "normal_force", {P::body, P::body}, true, "normal_force(a, b)", "sum over the patches of the pair at t [N]"},
      {F::friction_force, "friction_force", {P::body, P::body}, true, "friction_force(a, b)", "magnitude of the tangential force on a at t [N]"},
      {F::force, "force", {P::body, P::body, P::axis}, true, "force(a, b, axis)", "contact force on a at t [N]"},
      {F::normal, "normal", {P::body, P::body, P::axis}, true, "normal(a, b, axis)", "contact normal from b into a at t, 0 when apart"},
      {F::slip_speed, "slip_speed", {P::body, P::body}, true, "slip_speed(a, b)", "largest tangential speed of a on b at t [m/s]"},
      {F::dwell, "dwell", {P::body, P::body}, true, "dwell(a, b)", "largest stiction recovered at t, 0 to 1"},

      {F::at, "at", {P::number, P::signal}, true, "at(time, signal)", "the signal at that time"},
      {F::max_over, "max_over", {P::number, P::number, P::signal}, true, "max_over(t0, t1, signal)", "largest value"},
      {F::min_over, "min_over", {P::number, P::number, P::signal}, true, "min_over(t0, t1, signal)", "smallest value"},
      {F::time_of_max, "time_of_max", {P::number, P::number, P::signal}, true, "time_of_max(t0, t1, signal)", "when it is largest [s]"},
      {F::peak, "peak", {P::number, P::signal}, true, "peak(n, signal)", "n-th local maximum"},
      {F::peak_time, "peak_time", {P::number, P::signal}, true, "peak_time(n, signal)", "when the n-th local maximum is reached [s]"},
      {F::first_time, "first_time", {P::signal}, true, "first_time(signal)", "first time the signal is above 0 [s]"},
      {F::last_time, "last_time", {P::signal}, true, "last_time(signal)", "last time the signal is above 0 [s]"},

      {F::touches, "touches", {P::body, P::body}, true, "touches(a, b)", "number of touches"},
      {F::touches_between, "touches_between", {P::body, P::body, P::number, P::number}, true, "touches_between(a, b, t0, t1)", "number of touches with t0 < time <= t1"},
      {F::touch_time, "touch_time", {P::body, P::body, P::number}, true, "touch_time(a, b, n)", "instant of the n-th touch, counted from 1 [s]"},
      {F::touch_speed, "touch_speed", {P::body, P::body, P::number}, true, "touch_speed(a, b, n)", "speed of approach at that instant [m/s]"},
      {F::lift_time, "lift_time", {P::body, P::body, P::number}, true, "lift_time(a, b, n)", "end of the n-th contact [s]"},
      {F::lift_speed, "lift_speed", {P::body, P::body, P::number}, true, "lift_speed(a, b, n)", "speed of separation at that instant [m/s]"},
      {F::restitution, "restitution", {P::body, P::body, P::number}, true, "restitution(a, b, n)", "lift_speed / touch_speed"},
      {F::contact_time, "contact_time", {P::body, P::body, P::number}, true, "contact_time(a, b, n)", "lift_time - touch_time [s]"},
      {F::first_contact, "first_contact", {P::body, P::body, P::count}, true, "first_contact(a, b, f)", "smallest n for which f, an expression of n, is above 0; contacts that have not ended do not count"},

      {F::peak_force, "peak_force", {P::body, P::body}, true, "peak_force(a, b)", "largest normal force of a patch in the run [N]"},
      {F::peak_depth, "peak_depth", {P::body, P::body}, true, "peak_depth(a, b)", "largest depth in the run [m]"},
      {F::damping_work, "damping_work", {P::body, P::body}, true, "damping_work(a, b)", "dissipated by the damping of the normal force [J]"},
      {F::friction_work, "friction_work", {P::body, P::body}, true, "friction_work(a, b)", "dissipated by dry and viscous friction [J]"},
      {F::worst_residual, "worst_residual", {}, true, "worst_residual", "largest error of the energy balance over the samples, in magnitude [J]"},
      {F::energy_turnover, "energy_turnover", {}, true, "energy_turnover", "scale of the energies involved [J]"},
      {F::steps_accepted, "steps_accepted", {}, true, "steps_accepted", "number of steps"},
      {F::is_done, "is_done", {}, true, "is_done", "1 when the run reached its end, 0 when it failed; without it a failed run fails its checks"},

      {F::exact_restitution, "exact_restitution", {P::number}, false, "exact_restitution(D)", "restitution of f = k x^p (1 + D v / v0)"},
      {F::gonthier_damping, "gonthier_damping", {P::number}, false, "gonthier_damping(e)", "d of (1 + d/e) / (1 - d) = exp(d (1 + 1/e))"},
      {F::impact_restitution, "impact_restitution", {P::number, P::number, P::number}, false, "impact_restitution(p, r, d)", "restitution of x'' = -max(0, x^p + d x^r x')"},
      {F::impact_duration, "impact_duration", {P::number, P::number, P::number}, false, "impact_duration(p, r, d)", "its duration"},
      {F::impact_depth, "impact_depth", {P::number, P::number, P::number}, false, "impact_depth(p, r, d)", "its largest depth"},
      {F::contact_modulus, "contact_modulus", {P::number, P::number, P::number, P::number}, false, "contact_modulus(E_a, nu_a, E_b, nu_b)", "E* [Pa]"},
      {F::hertz_stiffness, "hertz_stiffness", {P::number, P::number}, false, "hertz_stiffness(modulus, R)", "4/3 E* sqrt(R) [N/m^1.5]"},
      {F::elliptical_stiffness, "elliptical_stiffness", {P::number, P::number, P::number}, false, "elliptical_stiffness(modulus, c_1, c_2)", "of two relative principal curvatures [N/m^1.5]"},
  };
  return functions;
}

}  // namespace

std::span<const FunctionInfo> all_functions() { return table(); }

const FunctionInfo* find_function(std::string_view name) {
  for (const FunctionInfo& info : table()) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const FunctionInfo& info : table()) names.emplace_back(info.name);
  return names;
}

}  // namespace abut
