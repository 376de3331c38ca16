#pragma once

#include <memory>

#include "abut/sim/runs.hpp"

namespace abut {

/// What a method with fixed steps does; the loop around it is the same for all.
class StepMethod {
 public:
  virtual ~StepMethod() = default;

  /// Brings everything that a step looks at up to state.time, and what a sample shows where one follows.
  virtual void prepare(bool is_sampled) = 0;
  /// A sample was taken, which moves what the dynamics refer to.
  virtual void resume() {}
  /// From state.time to t_next. False when it cannot: then `end` says why.
  virtual bool step(double t_next, RunEnd& end) = 0;
  /// Why energy came from nowhere, as far as the method knows.
  virtual void explain_divergence(RunEnd& end) const { end.advice = "Try a shorter step."; }
  /// Counts and notes for the summary.
  virtual void report(RunEnd& end) const = 0;
  /// What the next step, and the report, depend on beside the state and the dynamics.
  virtual void exchange(ByteWriter& archive) = 0;
  virtual void exchange(ByteReader& archive) = 0;
};

/// Steps of run.step, the one before a stop shorter where it must be; samples where due; ends at max_steps, when a step
/// fails, and when the motion has gained energy from nowhere.
std::unique_ptr<Method> make_step_loop(std::unique_ptr<StepMethod> method, const RunSpec& run, State& state,
                                       RunBook& book, RunClock& clock);

}  // namespace abut
