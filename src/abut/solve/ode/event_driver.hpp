#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "abut/solve/ode/adaptive_stepper.hpp"
#include "abut/solve/ode/event_watch.hpp"

namespace abut {

enum class AdvanceStatus {
  stepped,      ///< one step was taken, neither the stop nor an event was reached (only from step())
  reached,      ///< t_stop
  event,        ///< at least one event function fired; the state is the one at that instant
  interrupted,  ///< the observer asked to stop
  failed        ///< the integrator gave up; the state is the last good one
};

struct AdvanceResult {
  AdvanceStatus status = AdvanceStatus::stepped;
  double t = 0.0;           ///< [s]
  std::vector<int> events;  ///< all that fired at this instant (within rounding), ascending
  StepStatus step_status = StepStatus::accepted;
  std::string reason;  ///< empty unless failed
};

/// Runs an integrator up to a time or to the first event. When an event fires is defined in event_watch.hpp.
///
/// A crossing found on the dense output is landed on with the method itself: the step is taken again from its start to
/// the root, and the root corrected by secants until |g| is at rounding level. The state at an event thus has the
/// accuracy of a step, not of the interpolation, and |g| is zero to rounding, on either side. Where that does not
/// converge (a dip that only the dense output has), the interpolated state is taken.
///
/// After an event the integrator is restarted, because the equations usually change there: by the caller through
/// restart(), with a new state if it jumps, or by the next step() itself.
class EventDriver {
 public:
  using Options = EventWatch::Options;
  /// Called after each step, event or not; inside, interpolate() covers [step_start(), time()]. False interrupts the
  /// run.
  using Observer = std::function<bool(const EventDriver& driver)>;

  EventDriver(OdeSystem& system, AdaptiveStepper& stepper) : EventDriver(system, stepper, Options()) {}
  EventDriver(OdeSystem& system, AdaptiveStepper& stepper, const Options& options);

  void restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
               const RestartHint& hint = {});

  /// One step, at most to t_stop.
  AdvanceResult step(double t_stop);
  /// Steps until t_stop, an event, a failure or an interruption. Events are located whatever t_stop is; a caller that
  /// wants output at many times should rather stop late and interpolate in the observer than stop often.
  AdvanceResult advance(double t_stop, const Observer& observer = {});

  double time() const { return t_; }
  const double* state() const { return y_.data(); }
  const double* quadratures() const { return q_.data(); }
  double step_start() const { return t_start_; }
  /// Dense output in [step_start(), time()]; either pointer may be null.
  void interpolate(double t, double* y, double* quadratures) const;
  /// Values of the event functions at time(), where no event has fired there.
  const VecX& event_values() const { return watch_.values(); }
  WorkCounter work() const;

  /// Between steps; the integrator is saved by its owner.
  template <class Archive>
  void visit(Archive& archive) {
    archive(watch_, weights_, hint_, needs_restart_, t_, t_start_, t_step_end_, t_event_, y_, q_, g_, slopes_,
            y_scratch_, g_scratch_, last_fired_, fired_keys_, num_events_);
  }

 private:
  std::optional<EventWatch::Crossing> look_through();
  void renew_events(double t, const double* y, const std::vector<std::uint64_t>& on_zero);
  AdvanceResult finish_event(const EventWatch::Crossing& crossing);
  bool land(int event, double t_guess);
  void take_interpolated(double t);
  void calc_slopes(double t);
  std::vector<int> collect_fired(int event) const;
  int find_earlier(int event) const;
  double tolerance(int k) const;
  void evaluate_at(double t, double* g);

  OdeSystem& system_;
  AdaptiveStepper& stepper_;
  EventWatch watch_;
  ErrorWeights weights_;
  RestartHint hint_;
  bool needs_restart_ = true;
  double t_ = 0.0, t_start_ = 0.0, t_step_end_ = 0.0, t_event_ = 0.0;
  VecX y_, q_, g_, slopes_;
  VecX y_scratch_, g_scratch_;
  std::vector<int> last_fired_;
  std::vector<std::uint64_t> fired_keys_;  ///< of last_fired_, sorted
  long num_events_ = 0;
};

}  // namespace abut
