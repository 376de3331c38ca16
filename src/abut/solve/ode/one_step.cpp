#include "abut/solve/ode/one_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/base/error.hpp"

namespace abut {

void OneStepStepper::begin_anew(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                                const RestartHint& hint) {
  const int n = system_.size();
  const int nq = system_.num_quadratures();
  ABUT_REQUIRE(weights.absolute.size() == n && (n == 0 || weights.absolute.minCoeff() > 0.0),
               "{} positive absolute tolerances are needed, {} were given", n, weights.absolute.size());
  if (y_.size() != n || q_.size() != nq) resize(n, nq);
  y_ = Eigen::Map<const VecX>(y, n);
  if (nq > 0) q_ = Eigen::Map<const VecX>(quadratures, nq);
  t_ = t_old_ = t;
  y_old_ = y_;
  q_old_ = q_;
  weights_ = weights;
  hint_ = hint;
  is_started_ = false;
  h_ = h_used_ = 0.0;
  ++work_.restarts;
}

void OneStepStepper::choose_first_step(const VecX& f, double t_limit) {
  const double h_max = std::min(hint_.max_step, t_limit - t_);
  const double bound = hint_.first_step > 0.0 ? std::min(hint_.first_step, h_max) : h_max;
  weights_.calc_weights(y_, y_, &w_);
  h_ = hint_.trust_first_step && hint_.first_step > 0.0
           ? bound
           : calc_starting_step(rates_, t_, y_, f, w_, 5, bound, &scratch_);
  is_started_ = true;
}

double OneStepStepper::calc_shortest_step(double t) {
  return 16.0 * std::numeric_limits<double>::epsilon() * std::abs(t) + std::numeric_limits<double>::min();
}

}  // namespace abut
