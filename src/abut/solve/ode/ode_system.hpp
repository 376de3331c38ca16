#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/solve/ode/rate_structure.hpp"

namespace abut {

/// Which sign change of an event function counts. The exact rule is in event_watch.hpp.
enum class EventDirection { falling, rising, both, guard };

/// A piece of a step over which the event functions are complete.
struct EventPiece {
  double end = 0.0;         ///< [s]
  bool is_renewed = false;  ///< there are other functions than before, or the same under other numbers
};

/// A system of ordinary differential equations dy/dt = f(t, y) with y a flat array of doubles, as the integrators see
/// it.
///
/// Quadratures Q are integrals of functions of (t, y) that never act back on y (work, dissipated energy). They are
/// integrated with the weights of the motion itself, so that an energy balance closes to the order of the method; they
/// take part in the choice of the step where RestartHint gives their magnitude. Event functions g_k(t, y) mark instants
/// at which a run stops; they must be continuous.
///
/// The sizes may change between two restarts of an integrator, never in between. Calls may update caches inside the
/// system but must return the same bits for the same arguments.
class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  virtual int size() const = 0;
  virtual int num_quadratures() const { return 0; }
  virtual int num_events() const { return 0; }
  virtual EventDirection event_direction(int /*event*/) const { return EventDirection::falling; }

  /// Writes dy/dt and, unless `quadrature_rates` is null, dQ/dt. Returning false, or writing a number that is not
  /// finite, refuses the state: an adaptive step is then tried again shorter, a fixed step fails.
  virtual bool calc_rates(double t, const double* y, double* ydot, double* quadrature_rates) = 0;

  virtual void calc_events(double /*t*/, const double* /*y*/, double* /*g*/) {}
  /// At the instant of the last calc_events(): no function falls faster than this [unit of g/s]. Zero where nothing is
  /// known of it; such a function is looked at in few places of a step only.
  virtual void calc_event_speeds(double* speeds) { std::fill(speeds, speeds + num_events(), 0.0); }
  /// The same bound for functions that are not to be looked at more closely for it, such as those of contacts that
  /// last: one above zero stays there for as long as it would take to fall that fast. Infinite where nothing is known.
  virtual void calc_event_bounds(double* bounds) {
    std::fill(bounds, bounds + num_events(), std::numeric_limits<double>::infinity());
  }
  /// calc_events() for those k with wanted[k] != 0 alone; the others may be written or left as they are.
  virtual void calc_wanted_events(double t, const double* y, const std::vector<char>& /*wanted*/, double* g) {
    calc_events(t, y, g);
  }
  /// Change of g within which a parabola tells whether it dips below zero, in its unit.
  virtual double event_span(int /*event*/) const { return std::numeric_limits<double>::infinity(); }
  /// What function `event` is about, whatever its number.
  virtual std::uint64_t event_key(int event) const { return static_cast<std::uint64_t>(event); }
  /// Before the events of a step are looked for: all functions that may fire between t0 and the end of the piece must
  /// be among them. `interpolate` gives the states inside the step. The only call besides restarts at which the number
  /// of events may change.
  using Interpolate = FunctionView<void(double t, double* y)>;
  virtual EventPiece prepare_events(double /*t0*/, double t1, const Interpolate& /*interpolate*/) {
    return {t1, false};
  }

  /// Puts y back on invariants that integration only keeps to the tolerance (unit quaternions, closed loops). Called
  /// after each accepted step. Must change a valid state by rounding only.
  virtual void project(double /*t*/, double* /*y*/) {}
  /// The same for states interpolated inside a step, from which no integration goes on: what is dear may be left out.
  virtual void project_inside(double t, double* y) { project(t, y); }
  /// Whether integration itself must go on from the projected state, which methods with a history of their own do not.
  virtual bool needs_projection() const { return false; }

  /// Which states act on which rates, where that is known and worth knowing; false otherwise. It may change between two
  /// restarts of an integrator, never in between.
  virtual bool calc_structure(RateStructure* /*structure*/) const { return false; }

  /// Semi-implicit Euler splits y = [q | v | rest]: positions, velocities, everything else. Unused by the other
  /// methods.
  virtual int position_size() const { return 0; }
  virtual int velocity_size() const { return 0; }
  /// dq/dt for the positions and velocities in y.
  virtual void calc_position_rates(const double* /*y*/, double* /*qdot*/) {}

  /// Runs body(begin, end) over ranges that cover [0, count), on several threads where the system has them. The long
  /// vectors of large systems are updated through it; each index is written by itself, so the bits do not depend on the
  /// split.
  virtual void parallel_for(int count, const FunctionView<void(int, int)>& body) { body(0, count); }
};

}  // namespace abut
