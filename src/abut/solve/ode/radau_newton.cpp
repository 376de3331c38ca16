#include "abut/solve/ode/radau_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/solve/ode/radau_coefficients.hpp"

namespace abut {

void RadauNewton::resize(Eigen::Index n) {
  for (int i = 0; i < 3; ++i) {
    transformed_[i].setZero(n);
    correction_[i].setZero(n);
    stage_rates_[i].setZero(n);
  }
  y_stage_.setZero(n);
  complex_rhs_.setZero(n);
}

void RadauNewton::factorise(double h, const Jacobian& jacobian, WorkCounter* work) {
  matrices_.factorise(h, jacobian);
  ++work->factorisations;
}

void RadauNewton::filter(VecX* rhs) const { matrices_.solve(rhs); }

RadauNewtonResult RadauNewton::solve(RateEvaluator& rates, double t, double h, const VecX& y, const VecX& w,
                                     Stages* z) {
  const RadauCoefficients& radau = radau_coefficients();
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = radau.t_inverse.row(i);
    transformed_[i] = row[0] * (*z)[0] + row[1] * (*z)[1] + row[2] * (*z)[2];
  }
  // Corrections below a few roundings of y itself carry no information.
  const double floor = 8.0 * std::numeric_limits<double>::epsilon() * scaled_max_norm(y, w);
  RadauNewtonResult result;
  if (!matrices_.is_usable()) {
    result.is_refused = true;
    return result;
  }
  double norm_old = 0.0;
  for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
    if (!calc_correction(rates, t, h, y, *z)) {
      // Past convergence the iterate is good already; a refusal there is a matter of rounding next to a border.
      result.is_refused = !result.is_converged;
      return result;
    }
    ++rates.work().newton_iterations;
    const double norm = correction_norm(w);
    const double theta = iteration == 0 ? 0.0 : norm / norm_old;
    if (result.is_converged && theta >= 1.0) return result;  // rounding level: the last correction would not help
    if (!result.is_converged) {
      result.iterations = iteration + 1;
      result.contraction = iteration == 0 ? 0.0 : (iteration == 1 ? theta : std::sqrt(theta * result.contraction));
      if (!is_converging(iteration, norm, floor, &result)) return result;
    }
    apply_correction(z);
    norm_old = std::max(norm, std::numeric_limits<double>::min());
    const double eta = iteration == 0 ? 1.0 : theta / std::max(1.0 - theta, 0.1);
    const double remaining = eta * norm;
    if (remaining <= std::max(options_.tolerance, floor) || norm <= floor) result.is_converged = true;
    if (remaining <= std::max(options_.target, floor) || norm <= floor) return result;
    if (result.is_converged && theta > options_.fast_contraction) return result;
  }
  return result;
}

bool RadauNewton::is_converging(int iteration, double norm, double floor, RadauNewtonResult* result) const {
  if (!std::isfinite(norm)) return false;
  if (iteration == 0) return true;
  const double theta = result->contraction;
  if (theta >= 0.99) {
    result->is_converged = norm <= options_.stagnation;
    return false;
  }
  const int left = options_.max_iterations - 1 - iteration;
  const double predicted = std::pow(theta, left) / (1.0 - theta) * norm / std::max(options_.tolerance, floor);
  if (predicted < 1.0) return true;
  result->step_factor = 0.8 * std::pow(std::clamp(predicted, 1e-4, 20.0), -1.0 / (4.0 + left));
  return false;
}

bool RadauNewton::calc_correction(RateEvaluator& rates, double t, double h, const VecX& y, const Stages& z) {
  const RadauCoefficients& radau = radau_coefficients();
  for (int i = 0; i < 3; ++i) {
    y_stage_ = y + z[i];
    if (!rates(t + radau.c[i] * h, y_stage_, &stage_rates_[i])) return false;
  }
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = radau.t_inverse.row(i);
    correction_[i] = row[0] * stage_rates_[0] + row[1] * stage_rates_[1] + row[2] * stage_rates_[2];
  }
  const double alpha = radau.alpha / h;
  const double beta = radau.beta / h;
  correction_[0] -= (radau.gamma / h) * transformed_[0];
  correction_[1] += beta * transformed_[2] - alpha * transformed_[1];
  correction_[2] -= beta * transformed_[1] + alpha * transformed_[2];
  if (y.size() == 0) return true;
  filter(&correction_[0]);
  complex_rhs_.real() = correction_[1];
  complex_rhs_.imag() = correction_[2];
  matrices_.solve(&complex_rhs_);
  correction_[1] = complex_rhs_.real();
  correction_[2] = complex_rhs_.imag();
  return true;
}

double RadauNewton::correction_norm(const VecX& w) const {
  return std::max(
      {scaled_max_norm(correction_[0], w), scaled_max_norm(correction_[1], w), scaled_max_norm(correction_[2], w)});
}

void RadauNewton::apply_correction(Stages* z) {
  const RadauCoefficients& radau = radau_coefficients();
  for (int i = 0; i < 3; ++i) transformed_[i] += correction_[i];
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = radau.t.row(i);
    (*z)[i] = row[0] * transformed_[0] + row[1] * transformed_[1] + row[2] * transformed_[2];
  }
}

}  // namespace abut
