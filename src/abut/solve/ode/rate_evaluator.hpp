#pragma once

#include "abut/math/types.hpp"
#include "abut/solve/ode/ode_system.hpp"
#include "abut/solve/ode/work_counter.hpp"

namespace abut {

/// True when every entry is finite: 0 x is 0 for finite x and NaN otherwise.
inline bool is_finite(const VecX& x) { return x.size() == 0 || (0.0 * x.array()).sum() == 0.0; }

/// Calls the rates of a system, counts the calls and refuses what is not finite, so that no integrator forgets to.
class RateEvaluator {
 public:
  RateEvaluator(OdeSystem& system, WorkCounter& work) : system_(system), work_(work) {}

  bool operator()(double t, const VecX& y, VecX* ydot) { return evaluate(t, y, ydot, nullptr); }

  /// Also the rates of the quadratures; `quadrature_rates` may be empty.
  bool operator()(double t, const VecX& y, VecX* ydot, VecX* quadrature_rates) {
    if (quadrature_rates->size() == 0) return evaluate(t, y, ydot, nullptr);
    return evaluate(t, y, ydot, quadrature_rates->data()) && is_finite(*quadrature_rates);
  }

  OdeSystem& system() { return system_; }
  WorkCounter& work() { return work_; }

 private:
  bool evaluate(double t, const VecX& y, VecX* ydot, double* quadrature_rates) {
    ++work_.rate_evaluations;
    return system_.calc_rates(t, y.data(), ydot->data(), quadrature_rates) && is_finite(*ydot);
  }

  OdeSystem& system_;
  WorkCounter& work_;
};

}  // namespace abut
