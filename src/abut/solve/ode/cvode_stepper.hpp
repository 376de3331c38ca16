#pragma once

#include <cstddef>
#include <memory>

#include "abut/solve/ode/adaptive_stepper.hpp"

namespace abut {

/// SUNDIALS' CVODES behind the interface of the one-step methods: BDF of order 1-5 for large stiff systems, Adams of
/// order 1-12 for smooth motion whose rates are expensive. (CVODES is CVODE with quadratures; sensitivities are not
/// used.)
///
/// Differences from the other methods: the error norm is the root mean square of the same weights; a restart begins at
/// order 1, so frequent restarts are expensive; shorten_step() interpolates, at the order of the method; project() acts
/// on the state handed out, the history inside keeps its small drift until the next restart.
class CvodeStepper final : public AdaptiveStepper {
 public:
  enum class Family { bdf, adams };
  enum class Corrector {
    newton,      ///< dense LU up to max_dense_size states, GMRES without preconditioner above
    fixed_point  ///< no Jacobian; for Adams on non-stiff systems
  };
  struct Options {
    Family family = Family::bdf;
    Corrector corrector = Corrector::newton;
    int max_dense_size = 400;
    int max_order = 0;  ///< 0: the highest of the family (5 or 12)
    double newton_coefficient =
        0.01;  ///< of the error test to which the corrector converges (CVODE's own default is 0.1)
    /// Numbers of a history that are remembered so that it can be saved (32 MB); then it begins afresh, as after an
    /// event.
    std::size_t max_remembered = std::size_t{1} << 22;
  };

  explicit CvodeStepper(OdeSystem& system) : CvodeStepper(system, Options()) {}
  CvodeStepper(OdeSystem& system, const Options& options);
  ~CvodeStepper() override;

  void restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
               const RestartHint& hint = {}) override;
  StepOutcome step(double t_limit) override;
  void interpolate(double t, double* y, double* quadratures) override;
  bool shorten_step(double t_end) override;

  double time() const override;
  const double* state() const override;
  const double* quadratures() const override;
  double step_start() const override;
  double step_size() const override;
  WorkCounter work() const override;
  /// CVODE has no door to its history: what it was told since the last restart is saved, and told again, without
  /// asking the system.
  void exchange(ByteWriter& archive) override;
  void exchange(ByteReader& archive) override;
  /// Of one that waits for its next restart.
  void exchange_idle(ByteWriter& archive);
  void exchange_idle(ByteReader& archive);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut
