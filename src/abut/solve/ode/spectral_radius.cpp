#include "abut/solve/ode/spectral_radius.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/solve/ode/finite_difference_jacobian.hpp"

namespace abut {

void SpectralRadiusEstimator::resize(Eigen::Index n) {
  for (VecX* x : {&increments_, &direction_, &y_, &f_}) x->setZero(n);
}

double SpectralRadiusEstimator::calc(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y,
                                     const VecX& f) {
  constexpr int kIterations = 4;
  if (y.size() == 0) return 0.0;
  if (y_.size() != y.size()) resize(y.size());
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    increments_[i] = calc_increment(weights, y, i);
    // Golden-ratio sequence: a direction without symmetry, so that it is orthogonal to no eigenvector by accident.
    const double phase = 0.6180339887498949 * static_cast<double>(i + 1);
    direction_[i] = increments_[i] * (phase - std::floor(phase) + 0.2) * (i % 2 == 0 ? 1.0 : -1.0);
  }
  direction_ /= scaled_max_norm(direction_, increments_);
  std::array<double, kIterations> growth{};
  for (double& factor : growth) {
    y_ = y + direction_;
    if (!rates(t, y_, &f_)) return 0.0;
    direction_ = f_ - f;
    factor = scaled_max_norm(direction_, increments_);
    if (!(factor > 0.0) || !std::isfinite(factor)) return 0.0;
    direction_ /= factor;
  }
  return std::sqrt(std::max(growth[1] * growth[2], growth[2] * growth[3]));
}

}  // namespace abut
