#pragma once

#include "abut/base/function_view.hpp"
#include "abut/solve/ode/rate_structure.hpp"

namespace abut {

/// Which sign change of an event function counts. The exact rule is in event_driver.hpp.
enum class EventDirection { falling, rising, both };

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

  /// Puts y back on invariants that integration only keeps to the tolerance (unit quaternions). Called after each
  /// accepted step and on interpolated states. Must change a valid state by rounding only.
  virtual void project(double* /*y*/) {}

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
