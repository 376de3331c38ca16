#pragma once

#include "abut/solve/ode/error_weights.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {

/// Increment with which component i of y is perturbed to differentiate the rates [unit of y_i].
///
/// sqrt(machine epsilon) of the typical magnitude of the component balances truncation against rounding in the rates;
/// it is taken from the error weights, not from |y_i|, because a coordinate of 1 m may carry a contact depth of 1e-6 m.
/// The floor of a thousand roundings of y_i keeps the difference meaningful for components that are large and coarse.
double calc_increment(const ErrorWeights& weights, const VecX& y, Eigen::Index i);

/// The increment for a difference of `scale` times the usual size and on its side, never below a few roundings of y_i.
double calc_scaled_increment(const ErrorWeights& weights, const VecX& y, Eigen::Index i, double scale);

/// df/dy by one-sided differences, size() evaluations; `f` is the rates at (t, y). The increments are multiplied by
/// `scale`: a negative one looks to the other side of a kink, a small one resolves a feature narrower than the usual
/// increment. False when a perturbed state is refused on both sides.
bool calc_jacobian(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f,
                   double scale, VecX* y_scratch, VecX* f_scratch, MatX* jacobian);

}  // namespace abut
