#pragma once

#include <limits>
#include <memory>
#include <string>

#include "abut/math/archive.hpp"
#include "abut/solve/ode/error_weights.hpp"
#include "abut/solve/ode/ode_system.hpp"
#include "abut/solve/ode/work_counter.hpp"

namespace abut {

enum class StepStatus {
  accepted,
  step_too_small,    ///< the error test asks for a step below the resolution of time
  rates_not_finite,  ///< the system refused its state however short the step
  newton_failed      ///< implicit methods: the stage equations did not converge however short the step
};

/// Outcome of one step as data; after a failure the state is still that of the last accepted step.
struct StepOutcome {
  StepStatus status = StepStatus::accepted;
  double t = 0.0;      ///< time reached [s]
  int rejected = 0;    ///< tries thrown away on the way
  std::string reason;  ///< empty unless failed

  bool is_accepted() const { return status == StepStatus::accepted; }
};

/// What the caller knows at a restart. All optional.
struct RestartHint {
  double first_step = 0.0;        ///< upper bound on the first step [s]; 0 = unknown
  bool trust_first_step = false;  ///< take first_step as it is, without the cost of an estimate
  double max_step = std::numeric_limits<double>::infinity();  ///< upper bound on every step [s]
  double stiffness_rate = 0.0;  ///< largest |eigenvalue| of df/dy [1/s]; 0 = unknown; used by AutoStepper
  /// Least magnitude of the quadratures, in their unit; 0 = their error does not count. Where it is given, their error
  /// in one step is held to the tolerance of the motion times this, or times the largest of them once they have grown:
  /// smooth motion may pass over corners in a power unseen.
  double quadrature_scale = 0.0;
};

/// Error that one step may make in each quadrature, in their unit.
double calc_quadrature_allowance(const ErrorWeights& weights, const RestartHint& hint, const VecX& quadratures);

/// A one-step integrator with error control and dense output, driven step by step.
///
/// restart() copies its arguments and evaluates nothing; the first step() does. It must follow every jump of the state
/// or of the equations, and re-reads the sizes of the system.
class AdaptiveStepper {
 public:
  virtual ~AdaptiveStepper() = default;

  virtual void restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                       const RestartHint& hint = {}) = 0;

  /// One accepted step forward, never past t_limit (> time()); ends on t_limit exactly when it gets there.
  virtual StepOutcome step(double t_limit) = 0;

  /// State and quadratures at t inside the last step; either pointer may be null.
  virtual void interpolate(double t, double* y, double* quadratures) = 0;

  /// Replaces the last step by one from the same start to t_end, step_start() < t_end <= the first end of that step, at
  /// the full accuracy of the method (an interpolated state has only that of the dense output; multistep methods give
  /// that one). May be called repeatedly. False: not possible; the state is then undefined until restart().
  virtual bool shorten_step(double t_end) = 0;

  virtual double time() const = 0;
  virtual const double* state() const = 0;
  virtual const double* quadratures() const = 0;
  virtual double step_start() const = 0;  ///< time at which the last step began [s]
  virtual double step_size() const = 0;   ///< step the controller would take next [s]; 0 before the first step
  virtual WorkCounter work() const = 0;

  /// All that the next step depends on, between steps.
  virtual void exchange(ByteWriter& archive) = 0;
  virtual void exchange(ByteReader& archive) = 0;
};

enum class AdaptiveMethod { automatic, dormand_prince, radau, bdf, adams };

/// Integrator with default options. `system` must outlive it.
std::unique_ptr<AdaptiveStepper> make_adaptive_stepper(AdaptiveMethod method, OdeSystem& system);

}  // namespace abut
