#include "abut/solve/ode/starting_step.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

double calc_starting_step(RateEvaluator& rates, double t, const VecX& y, const VecX& f, const VecX& w, int order,
                          double h_max, StartingScratch* scratch) {
  const double d0 = scaled_max_norm(y, w);
  const double d1 = scaled_max_norm(f, w);
  double trial = d0 > 0.0 && d1 > 0.0 ? std::min(h_max, 0.01 * d0 / d1) : 1e-3 * h_max;
  double h = trial;
  for (int attempt = 0; attempt < 4; ++attempt) {
    scratch->y = y + trial * f;
    if (!rates(t + trial, scratch->y, &scratch->f)) {
      trial *= 0.01;
      h = trial;
      continue;
    }
    scratch->f -= f;
    const double d2 = scaled_max_norm(scratch->f, w) / trial;
    if (d2 <= 1e-14 * d1 / h_max || d2 == 0.0) return std::min(h_max, 100.0 * trial);
    const double tau = d1 > 0.0 ? d1 / d2 : std::sqrt(1.0 / d2);
    const double amplitude = std::max(d1 * tau, 0.1);
    h = std::min(tau * std::pow(0.1 / amplitude, 1.0 / (order + 1)), std::min(100.0 * trial, h_max));
    if (h >= 0.1 * trial) break;
    trial = h;
  }
  return h;
}

}  // namespace abut
