#pragma once

#include <optional>

#include "abut/scene/field.hpp"

namespace abut {

/// How long and how the motion is computed.
struct RunSpec : Located {
  enum class Method { adaptive, explicit_, lcp, ncp };
  /// automatic is a choice by the solver with `adaptive`, and rk4 with `explicit`.
  enum class Integrator { automatic, rk, radau, bdf, adams, euler, semi_implicit_euler, heun, rk3, rk4, rk5 };

  double duration = 0.0;  ///< [s]
  Method method = Method::adaptive;
  Integrator integrator = Integrator::automatic;
  double tolerance = 1e-6;                ///< relative, adaptive only
  std::optional<double> step;             ///< [s], explicit only, required there
  std::optional<double> max_step;         ///< [s], adaptive only
  std::optional<double> record_interval;  ///< [s]
  int threads = 0;                        ///< 0: automatic
  std::optional<int> max_steps;

  double record_interval_or_default() const { return record_interval.value_or(duration / 1000.0); }
};

template <>
struct EnumNames<RunSpec::Method> {
  using Method = RunSpec::Method;
  static constexpr EnumTable<Method, 4> values{
      {{Method::adaptive, "adaptive"}, {Method::explicit_, "explicit"}, {Method::lcp, "lcp"}, {Method::ncp, "ncp"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<RunSpec::Integrator> {
  using Integrator = RunSpec::Integrator;
  static constexpr EnumTable<Integrator, 11> values{{{Integrator::automatic, "auto"},
                                                     {Integrator::rk, "rk"},
                                                     {Integrator::radau, "radau"},
                                                     {Integrator::bdf, "bdf"},
                                                     {Integrator::adams, "adams"},
                                                     {Integrator::euler, "euler"},
                                                     {Integrator::semi_implicit_euler, "semi-implicit-euler"},
                                                     {Integrator::heun, "heun"},
                                                     {Integrator::rk3, "rk3"},
                                                     {Integrator::rk4, "rk4"},
                                                     {Integrator::rk5, "rk5"}}};
  static constexpr PlannedNames<0> planned{};
};

/// Methods of fixed step: they need one, and know no tolerance.
constexpr bool has_fixed_step(RunSpec::Method method) { return method != RunSpec::Method::adaptive; }

/// Whether the integrator belongs to the method; automatic belongs to all.
constexpr bool is_integrator_of(RunSpec::Method method, RunSpec::Integrator integrator) {
  if (integrator == RunSpec::Integrator::automatic) return true;
  if (method >= RunSpec::Method::lcp) return false;
  return (integrator >= RunSpec::Integrator::euler) == (method == RunSpec::Method::explicit_);
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RunSpec> auto& s) {
  v(s.duration,
    FieldInfo{
        .key = "duration", .unit = "s", .doc = "Simulated time.", .minimum = 0, .exclusive = true, .required = true});
  v(s.method, FieldInfo{.key = "method",
                        .doc = "Error-controlled steps with located contact events; fixed steps; or fixed steps on "
                               "velocities with contacts as "
                               "complementarity conditions."});
  v(s.integrator,
    FieldInfo{.key = "integrator",
              .doc = "With adaptive: auto, rk, radau, bdf, adams. With explicit: euler, semi-implicit-euler, "
                     "heun, rk3, rk4, rk5; auto means rk4."});
  v(s.tolerance, FieldInfo{.key = "tolerance",
                           .unit = "1",
                           .doc = "Relative error allowed in one step (adaptive).",
                           .minimum = 1e-13,
                           .maximum = 1e-1});
  v(s.step, FieldInfo{.key = "step",
                      .unit = "s",
                      .doc = "Fixed step; required with explicit, lcp and ncp, refused with adaptive.",
                      .minimum = 0,
                      .exclusive = true,
                      .otherwise = "chosen by error control (adaptive)"});
  v(s.max_step, FieldInfo{.key = "max_step",
                          .unit = "s",
                          .doc = "Longest step allowed (adaptive).",
                          .minimum = 0,
                          .exclusive = true,
                          .otherwise = "no limit"});
  v(s.record_interval, FieldInfo{.key = "record_interval",
                                 .unit = "s",
                                 .doc = "Time between recorded samples.",
                                 .minimum = 0,
                                 .exclusive = true,
                                 .otherwise = "duration / 1000"});
  v(s.threads, FieldInfo{.key = "threads",
                         .doc = "Number of threads, 0 for automatic; the result does not depend on it.",
                         .minimum = 0,
                         .maximum = 1024});
  v(s.max_steps, FieldInfo{.key = "max_steps",
                           .doc = "The run stops with an error after this many steps.",
                           .minimum = 1,
                           .otherwise = "no limit"});
}

}  // namespace abut
