#pragma once

#include <optional>

#include "abut/scene/field.hpp"
#include "abut/scene/integrator_list.hpp"
#include "abut/scene/method_list.hpp"

namespace abut {

/// How long and how the motion is computed.
struct RunSpec : Located {
  using Method = MethodKind;
  using Integrator = IntegratorKind;
  enum class Start { given, equilibrium };

  double duration = 0.0;  ///< [s]
  Method method = Method::adaptive;
  Integrator integrator = Integrator::automatic;
  Start start = Start::given;
  double tolerance = 1e-6;                ///< relative, adaptive only
  std::optional<double> step;             ///< [s], explicit only, required there
  std::optional<double> max_step;         ///< [s], adaptive only
  std::optional<double> record_interval;  ///< [s]
  int threads = 0;                        ///< 0: automatic
  std::optional<int> max_steps;

  double record_interval_or_default() const { return record_interval.value_or(duration / 1000.0); }
};

template <>
struct EnumNames<RunSpec::Start> {
  using Start = RunSpec::Start;
  static constexpr EnumTable<Start, 2> values{{{Start::given, "given"}, {Start::equilibrium, "equilibrium"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RunSpec> auto& s) {
  v(s.duration,
    FieldInfo{.key = "duration",
              .unit = "s",
              .doc = "Simulated time; at 1e9 s, thirty years, instants are told apart to a tenth of a microsecond.",
              .minimum = 0,
              .maximum = 1e9,
              .exclusive = true,
              .required = true});
  v(s.method, FieldInfo{.key = "method", .doc = run_docs().method.c_str()});
  v(s.integrator, FieldInfo{.key = "integrator", .doc = run_docs().integrator.c_str()});
  v(s.start, FieldInfo{.key = "start",
                       .doc = "given: as the scene says; equilibrium: at rest near by, where all loads of time 0 "
                              "balance."});
  v(s.tolerance, FieldInfo{.key = "tolerance",
                           .unit = "1",
                           .doc = "Relative error allowed in one step (adaptive).",
                           .minimum = 1e-13,
                           .maximum = 1e-1});
  v(s.step, FieldInfo{.key = "step",
                      .unit = "s",
                      .doc = run_docs().step.c_str(),
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
