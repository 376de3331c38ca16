#include "abut/solve/ncp/semismooth_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <fmt/format.h>

namespace abut {

namespace {

class Newton {
 public:
  Newton(const NonsmoothSystem& system, const NcpOptions& options)
      : system_(system), options_(options), n_(system.size()), raw_(system.size()) {}

  NcpResult run(const VecX& start) {
    NcpResult result;
    result.z = start;
    VecX y = start.cwiseQuotient(system_.unknown_scale), r = evaluate(y);
    if (!r.allFinite()) {
      result.message = "the equations are not finite at the start";
      result.residual = std::numeric_limits<double>::infinity();
      return result;
    }
    double merit = r.squaredNorm();
    while (result.iterations < options_.max_iterations) {
      if (r.lpNorm<Eigen::Infinity>() <= options_.tolerance) break;
      ++result.iterations;
      // Beside a corner the wide difference sees the other side of it; the narrow one, less exact, does not.
      if (!take_step(kWide, y, r, merit) && !take_step(kNarrow, y, r, merit)) {
        result.status = NcpStatus::stalled;
        break;
      }
    }
    result.residual = r.lpNorm<Eigen::Infinity>();
    result.z = y.cwiseProduct(system_.unknown_scale);
    if (result.residual <= options_.tolerance) {
      result.status = NcpStatus::solved;
      return result;
    }
    if (result.status != NcpStatus::stalled) result.status = NcpStatus::iteration_limit;
    result.message = fmt::format("{} at residual {:.2e} after {} iterations",
                                 result.status == NcpStatus::stalled ? "no step descends" : "iteration limit",
                                 result.residual, result.iterations);
    return result;
  }

 private:
  VecX evaluate(const VecX& y) {
    system_.residual(y.cwiseProduct(system_.unknown_scale), raw_);
    return raw_.cwiseQuotient(system_.equation_scale);
  }

  /// Steps of forward differences: the square root of rounding where the equations are smooth, and far less.
  static constexpr double kWide = 1e-7, kNarrow = 1e-10;

  bool take_step(double difference, VecX& y, VecX& r, double& merit) {
    const MatX J = calc_jacobian(y, r, difference);
    return take_newton_step(J, y, r, merit) || take_damped_step(J, y, r, merit);
  }

  MatX calc_jacobian(const VecX& y, const VecX& r, double difference) {
    MatX J(n_, n_);
    VecX moved = y;
    for (int j = 0; j < n_; ++j) {
      const double step = difference * std::max(1.0, std::abs(y[j]));
      moved[j] = y[j] + step;
      const double actual = moved[j] - y[j];
      J.col(j) = (evaluate(moved) - r) / actual;
      moved[j] = y[j];
    }
    return J;
  }

  bool accept(const VecX& trial, double limit, VecX& y, VecX& r, double& merit) {
    const VecX there = evaluate(trial);
    const double value = there.squaredNorm();
    if (!std::isfinite(value) || value >= limit) return false;
    y = trial;
    r = there;
    merit = value;
    return true;
  }

  bool take_newton_step(const MatX& J, VecX& y, VecX& r, double& merit) {
    const VecX step = -J.partialPivLu().solve(r);
    if (!step.allFinite()) return false;
    double t = 1.0;
    for (int k = 0; k < 12; ++k, t *= 0.5) {
      if (accept(y + t * step, merit * (1.0 - 0.1 * t), y, r, merit)) return true;
    }
    return false;
  }

  bool take_damped_step(const MatX& J, VecX& y, VecX& r, double& merit) {
    const MatX normal = J.transpose() * J;
    const VecX slope = J.transpose() * r;
    double damping = std::max(1e-12, 1e-8 * normal.diagonal().maxCoeff());
    for (int k = 0; k < 24; ++k, damping *= 10.0) {
      MatX system = normal;
      system.diagonal().array() += damping;
      const VecX step = -system.ldlt().solve(slope);
      if (step.allFinite() && accept(y + step, merit * (1.0 - 1e-6), y, r, merit)) return true;
    }
    return false;
  }

  const NonsmoothSystem& system_;
  const NcpOptions& options_;
  int n_;
  VecX raw_;
};

}  // namespace

double calc_fischer_burmeister(double a, double b) {
  // sqrt(a^2 + b^2) - (a + b) cancels where both are positive; 2 a b over the sum does not.
  const double root = std::hypot(a, b), sum = a + b;
  return sum > 0.0 ? -2.0 * a * b / (root + sum) : root - sum;
}

NcpResult solve_semismooth_newton(const NonsmoothSystem& system, const VecX& start, const NcpOptions& options) {
  NcpResult result;
  const bool is_sound = system.residual && start.size() == system.size() && start.allFinite() &&
                        system.equation_scale.size() == system.size() && (system.unknown_scale.array() > 0.0).all() &&
                        (system.equation_scale.array() > 0.0).all();
  if (!is_sound) {
    result.message = "sizes differ, a scale is not positive, or the start is not finite";
    result.residual = std::numeric_limits<double>::infinity();
    result.z = start;
    return result;
  }
  return Newton(system, options).run(start);
}

}  // namespace abut
