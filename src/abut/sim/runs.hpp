#pragma once

#include <memory>

#include "abut/math/archive.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/run_book.hpp"
#include "abut/sim/run_clock.hpp"

namespace abut {

/// How a run ended, whatever the method.
struct RunEnd {
  RunStatus status = RunStatus::done;
  std::string message, advice;
  RunWork work;
  std::vector<std::string> notes;  ///< what the method has to say of itself
};

/// A way to move a model on in time, bound to its dynamics, its state, its books and its clock.
class Method {
 public:
  virtual ~Method() = default;

  /// At the start of a run: finds the contacts that are there from the start. Not where a state is read.
  virtual void begin() = 0;
  /// One step from the state's time, ending at `limit` [s] or before. False when the run cannot go on: `end` says why.
  virtual bool step(double limit, RunEnd& end) = 0;
  /// From outside something was changed that forces depend on.
  virtual void note_change() {}
  /// Brings what a sample shows up to the state's time.
  virtual void show() {}
  /// The last sample.
  virtual void finish(RunEnd& end) = 0;
  /// Counts and notes for the summary.
  virtual void report(RunEnd& end) const = 0;
  /// All that the next step depends on beside the state and the dynamics, between steps.
  virtual void exchange(ByteWriter& archive) = 0;
  virtual void exchange(ByteReader& archive) = 0;
};

/// Fixed steps; contacts are noticed at the first step that finds them overlapping.   [Gonthier 2007 (3.44), (3.45)]
std::unique_ptr<Method> make_fixed_step_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Fixed steps on velocities, with contacts as complementarity conditions at the end of each.   [Peiret et al. 2016]
std::unique_ptr<Method> make_lcp_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Fixed steps whose motion, contact geometry and layer deflection are all unknown at the end of each. [Chakraborty et
/// al. 2007]
std::unique_ptr<Method> make_ncp_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Fixed steps inside of which contacts are followed at their own pace, with their true stiffness and restitution.
std::unique_ptr<Method> make_micro_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Error-controlled steps; the integrator stops exactly where a contact begins or ends, and starts afresh there.
std::unique_ptr<Method> make_adaptive_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// The one that the model's scene asks for.
std::unique_ptr<Method> make_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock);

/// Time constant of a patch: the period over 2 pi of the small oscillation of its effective mass on the spring at this
/// depth, or at the depth its touch speed will reach when that is larger [s].
double calc_time_constant(const Patch& patch, double depth);

/// Depth at which the patch's spring would have taken up all of the kinetic energy at touch [m].
double calc_impact_depth(const Patch& patch);
/// The same for a touch at this speed [m/s].
double calc_impact_depth(const Patch& patch, double speed);

}  // namespace abut
