#pragma once

#include "abut/solve/ode/adaptive_stepper.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"
#include "abut/solve/ode/starting_step.hpp"

namespace abut {

/// What steppers that need nothing but the last step have in common: both ends of it, where the next one begins, and
/// the first step after a restart.
class OneStepStepper : public AdaptiveStepper {
 public:
  double time() const final { return t_; }
  const double* state() const final { return y_.data(); }
  const double* quadratures() const final { return q_.data(); }
  double step_start() const final { return t_old_; }
  double step_size() const final { return h_; }
  WorkCounter work() const final { return work_; }
  /// Of one that waits for its next restart.
  template <class Archive>
  void visit_idle(Archive& archive) {
    archive(work_);
  }

 protected:
  explicit OneStepStepper(OdeSystem& system) : system_(system) {}

  /// The beginning of a restart; `resize` is called before where the sizes of the system are others than they were.
  void begin_anew(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                  const RestartHint& hint);
  virtual void resize(int n, int nq) = 0;
  /// For an error of order 5, with the rates `f` at the start.
  void choose_first_step(const VecX& f, double t_limit);
  /// At which time still moves on [s].
  static double calc_shortest_step(double t);

  OdeSystem& system_;
  ErrorWeights weights_;
  RestartHint hint_;
  WorkCounter work_;
  RateEvaluator rates_{system_, work_};
  StartingScratch scratch_;

  bool is_started_ = false;
  double t_ = 0.0, t_old_ = 0.0, h_ = 0.0, h_used_ = 0.0;  ///< [s]
  VecX y_, y_old_, q_, q_old_, w_;
};

}  // namespace abut
