#include "abut/solve/ode/finite_difference_jacobian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {

double calc_increment(const ErrorWeights& weights, const VecX& y, Eigen::Index i) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return std::max(std::sqrt(epsilon) * weights.typical_magnitude(i), 1e3 * epsilon * std::abs(y[i]));
}

double calc_scaled_increment(const ErrorWeights& weights, const VecX& y, Eigen::Index i, double scale) {
  const double floor = 64.0 * std::numeric_limits<double>::epsilon() * std::abs(y[i]);
  return std::copysign(std::max(std::abs(scale) * calc_increment(weights, y, i), floor), scale);
}

bool calc_jacobian(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f,
                   double scale, VecX* y_scratch, VecX* f_scratch, MatX* jacobian) {
  ++rates.work().jacobians;
  *y_scratch = y;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    double increment = calc_scaled_increment(weights, y, i, scale);
    bool is_fine = false;
    for (int side = 0; side < 2 && !is_fine; ++side) {
      (*y_scratch)[i] = y[i] + increment;
      increment = (*y_scratch)[i] - y[i];  // what was really added after rounding
      is_fine = rates(t, *y_scratch, f_scratch);
      if (!is_fine) increment = -increment;
    }
    if (!is_fine) return false;
    jacobian->col(i) = (*f_scratch - f) / increment;
    (*y_scratch)[i] = y[i];
  }
  return true;
}

}  // namespace abut
