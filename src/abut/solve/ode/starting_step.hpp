#pragma once

#include "abut/solve/ode/error_weights.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {

/// Room for the estimates below, kept by the integrator so that a restart allocates nothing.
struct StartingScratch {
  VecX y, f;
  void resize(int n) {
    y.setZero(n);
    f.setZero(n);
  }
};

/// First step [s] for a method of the given order, at most h_max (finite); costs one to four evaluations.
///
/// After Hairer, Norsett & Wanner (Solving ODEs I, II.4), made independent of the unit of time: with d1 = |f| and
/// d2 = |df/dt|, both in units of the weights, tau = d1 / d2 is the time over which the motion changes and d1 tau its
/// amplitude, so (h / tau)^(order + 1) d1 tau = 0.1 keeps the first error below the tolerance. df/dt is a difference
/// over a trial step, which is shortened and taken again while it is much longer than the result: a stiff contact that
/// only starts inside the trial step is seen this way.
double calc_starting_step(RateEvaluator& rates, double t, const VecX& y, const VecX& f, const VecX& w, int order,
                          double h_max, StartingScratch* scratch);

}  // namespace abut
