#include "abut/solve/ode/radau.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/solve/ode/radau_coefficients.hpp"

namespace abut {
namespace {

// Tried in turn while Newton fails with a Jacobian of the very state: both sides of a kink, and narrower differences
// for saturations that the usual increment jumps over.
constexpr std::array<double, 6> kIncrementScales = {1.0, -1.0, 1e-2, -1e-2, 1e-4, -1e-4};

// Rates may jump at the very instant of a restart, as a damper does that takes hold with the first touch. What is
// wanted there are the rates after the jump and the matrix beyond it, so both are taken a little further on, where the
// motion goes. Ways as parts of typical magnitudes: of the rates, beyond the rounding of a located touch (1e-16 m
// against 1e-9 of a depth of a micrometre or more);
constexpr double kWayOfRates = 1e-9;
// of the matrix, many times the increments of its differences (1.5e-8): across the jump they would make a wall of it,
// against which all corrections vanish and count as converged;
constexpr double kWayOfMatrix = 1e-5;
// and as a part of the step.
constexpr double kFirstPlace = 1e-3;

}  // namespace

Radau::Radau(OdeSystem& system, const Options& options)
    : OneStepStepper(system), options_(options), newton_(options.newton) {}

void Radau::resize(int n, int nq) {
  for (VecX* x : {&y_, &y_old_, &y_end_, &f_, &f_old_, &f_end_, &w_, &error_, &defect_}) x->setZero(n);
  for (VecX* x : {&q_, &q_old_, &fq_, &fq_old_}) x->setZero(nq);
  for (int i = 0; i < 3; ++i) {
    z_[i].setZero(n);
    collocation_[i].setZero(n);
    stage_rates_[i].setZero(n);
    stage_quadratures_[i].setZero(nq);
  }
  newton_.resize(n);
  scratch_.resize(n);
}

void Radau::restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                    const RestartHint& hint) {
  begin_anew(t, y, quadratures, weights, hint);
  jacobian_.restart(system_);
  y_end_ = y_;
  // Hairer & Wanner's RADAU5 does the same to its tolerances.
  error_scale_ = std::min(1.0, 10.0 * std::cbrt(weights.effective_relative()));
  is_jacobian_current_ = has_collocation_ = was_rejected_ = false;
  is_first_ = is_jacobian_wanted_ = true;
  increment_choice_ = 0;
  h_factorised_ = h_accepted_ = 0.0;
  error_accepted_ = 1e-2;
}

/// How long the fastest component takes for this part of its typical magnitude; 0 where nothing moves [s].
double Radau::calc_time_of_way(double way) const {
  double fastest = 0.0;
  for (Eigen::Index i = 0; i < f_.size(); ++i)
    fastest = std::max(fastest, std::abs(f_[i]) / weights_.typical_magnitude(i));
  return fastest > 0.0 ? way / fastest : 0.0;
}

bool Radau::start(double t_limit) {
  if (!rates_(t_, y_, &f_, &fq_)) return false;
  // Where all but nothing moves the way takes long, and what is prescribed would be elsewhere by then.
  const double soon = hint_.first_step > 0.0 ? std::min(hint_.first_step, t_limit - t_) : t_limit - t_;
  const double ahead = std::min(calc_time_of_way(kWayOfRates), soon);
  error_ = y_ + ahead * f_;
  if (rates_(t_ + ahead, error_, &defect_, &stage_quadratures_[0])) {
    f_ = defect_;
    fq_ = stage_quadratures_[0];
  }
  choose_first_step(f_, t_limit);
  return true;
}

StepOutcome Radau::step(double t_limit) {
  ABUT_REQUIRE(t_limit > t_, "a step from t = {} s cannot end at {} s", t_, t_limit);
  if (!is_started_ && !start(t_limit)) return fail(Try::refused, 0);
  y_old_ = y_;
  q_old_ = q_;
  f_old_ = f_;
  fq_old_ = fq_;
  t_old_ = t_;
  // A first step from a time constant may be too short to lead on at all.
  double h = std::max(std::min(h_, hint_.max_step), calc_shortest_step(t_old_));
  const double h_wanted = h;
  int newton_failures = 0;
  was_rejected_ = false;
  for (int rejected = 0;; ++rejected) {
    const bool is_last = t_old_ + 1.0001 * h >= t_limit;
    const double t_end = is_last ? t_limit : t_old_ + h;
    h = t_end - t_old_;
    double error = 0.0;
    RadauNewtonResult newton;
    Try outcome = prepare_matrices(h) ? try_step(t_end, &error, &newton) : Try::refused;
    const double factor =
        outcome == Try::newton_failed || outcome == Try::refused ? newton.step_factor : calc_factor(error, newton);
    if (outcome == Try::passed && !finish_step(t_end)) {
      outcome = Try::refused;
      y_ = y_old_;
      f_ = f_old_;
      fq_ = fq_old_;
    }
    if (outcome == Try::passed) {
      const double h_kept = is_last && rejected == 0 ? h_wanted : 0.0;
      plan_next(h, error, factor, newton, h_kept);
      return {StepStatus::accepted, t_, rejected, {}};
    }
    ++work_.rejected;
    was_rejected_ = true;
    h *= outcome == Try::error_too_large ? (is_first_ ? std::min(factor, 0.1) : factor) : std::min(factor, 0.5);
    is_jacobian_wanted_ = !is_jacobian_current_;
    if (outcome == Try::newton_failed) {
      ++newton_failures;
      if (is_jacobian_current_) {
        increment_choice_ = (increment_choice_ + 1) % kIncrementScales.size();
        is_jacobian_wanted_ = true;
      }
    }
    if (h < calc_shortest_step(t_old_) || newton_failures > options_.max_newton_failures)
      return fail(outcome, rejected + 1);
  }
}

bool Radau::calc_matrix(double h) {
  const double scale = kIncrementScales[increment_choice_];
  if (is_first_ && y_old_.size() > 0) {
    const double ahead = std::clamp(calc_time_of_way(kWayOfMatrix), kFirstPlace * h, h);
    error_ = y_old_ + ahead * f_old_;
    const double t = t_old_ + ahead;
    if (rates_(t, error_, &defect_) &&
        jacobian_.calc(rates_, weights_, t, error_, defect_, scale, &scratch_.y, &scratch_.f))
      return true;
  }
  return jacobian_.calc(rates_, weights_, t_old_, y_old_, f_old_, scale, &scratch_.y, &scratch_.f);
}

bool Radau::prepare_matrices(double h) {
  if (is_jacobian_wanted_) {
    if (!calc_matrix(h)) return false;
    is_jacobian_wanted_ = false;
    is_jacobian_current_ = true;
    h_factorised_ = 0.0;
  }
  if (h_factorised_ != h) {
    newton_.factorise(h, jacobian_, &work_);
    h_factorised_ = h;
  }
  return true;
}

/// Extends the collocation polynomial of the last step over a step of h from t_old_: the first guess of the stages.
void Radau::guess_stages(double h) {
  const RadauCoefficients& radau = radau_coefficients();
  if (is_first_) {
    // Beyond the jump, where the stages will be; no farther, as stiff components would leave their slow manifold.
    const double ahead = std::min(h, calc_time_of_way(kWayOfMatrix));
    for (int i = 0; i < 3; ++i) z_[i] = (radau.c[i] * ahead) * f_old_;
    return;
  }
  if (!has_collocation_ || was_rejected_) {
    for (VecX& z : z_) z.setZero();
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const double s = radau.c[i] * h / h_used_;
    z_[i] = s * (collocation_[0] +
                 (s - (radau.c[1] - 1.0)) * (collocation_[1] + (s - (radau.c[0] - 1.0)) * collocation_[2]));
  }
}

Radau::Try Radau::try_step(double t_end, double* error, RadauNewtonResult* newton) {
  const double h = t_end - t_old_;
  guess_stages(h);
  weights_.calc_weights(y_old_, y_old_, &w_);
  *newton = newton_.solve(rates_, t_old_, h, y_old_, w_, &z_);
  if (newton->is_refused) return Try::refused;
  if (!newton->is_converged) return Try::newton_failed;
  y_end_ = y_old_ + z_[2];
  weights_.calc_weights(y_old_, y_end_, &w_);
  *error = calc_error(h, is_first_ || was_rejected_);
  if (*error >= 1.0) return Try::error_too_large;
  if (!calc_end_rates(t_end)) return Try::refused;
  *error = std::max(*error, calc_quadrature_error(h));
  return *error < 1.0 ? Try::passed : Try::error_too_large;
}

/// Rates at the end of the step, and those of the quadratures at the stages.
bool Radau::calc_end_rates(double t_end) {
  if (!is_finite(y_end_)) return false;
  for (int i = 0; i < 2 && q_.size() > 0; ++i) {
    scratch_.y = y_old_ + z_[i];
    const double t = t_old_ + radau_coefficients().c[i] * (t_end - t_old_);
    if (!rates_(t, scratch_.y, &scratch_.f, &stage_quadratures_[i])) return false;
  }
  return rates_(t_end, y_end_, &f_end_, &stage_quadratures_[2]);
}

/// The same estimate for quadratures, which nothing filters: they do not act on themselves.
double Radau::calc_quadrature_error(double h) const {
  if (!(hint_.quadrature_scale > 0.0) || q_.size() == 0) return 0.0;
  const RadauCoefficients& radau = radau_coefficients();
  const Vec3 e = radau.a.transpose() * radau.e;
  const double largest =
      (fq_old_ + e[0] * stage_quadratures_[0] + e[1] * stage_quadratures_[1] + e[2] * stage_quadratures_[2])
          .cwiseAbs()
          .maxCoeff();
  return error_scale_ * h / radau.gamma * largest / calc_quadrature_allowance(weights_, hint_, q_old_);
}

/// The filtered estimate; when it fails on a delicate step it is filtered once more, which damps it for stiff
/// components that are not yet on their slow manifold (Hairer & Wanner IV.8, (8.20)).
double Radau::calc_error(double h, bool is_delicate) {
  const Vec3 e = radau_coefficients().e / h;
  defect_ = e[0] * z_[0] + e[1] * z_[1] + e[2] * z_[2];
  error_ = defect_ + f_old_;
  newton_.filter(&error_);
  double error = scaled_max_norm(error_, w_);
  error *= error_scale_;
  if (error < 1.0 || !is_delicate) return error;
  scratch_.y = y_old_ + error_;
  if (!rates_(t_old_, scratch_.y, &error_)) return error;
  error_ += defect_;
  newton_.filter(&error_);
  return error_scale_ * scaled_max_norm(error_, w_);
}

double Radau::calc_factor(double error, const RadauNewtonResult& newton) const {
  // An iteration that needed many corrections asks for a shorter step than the error alone.
  const int n = options_.newton.max_iterations;
  const double safety = options_.safety * std::min(1.0, (1.0 + 2.0 * n) / (newton.iterations + 2.0 * n));
  const double power = std::pow(std::max(error, 1e-10), 0.25);
  return std::clamp(safety / power, options_.min_factor, options_.max_factor);
}

bool Radau::finish_step(double t_end) {
  const RadauCoefficients& radau = radau_coefficients();
  const double h = t_end - t_old_;
  y_ = y_end_;
  system_.project(t_end, y_.data());
  error_ = y_ - y_end_;
  f_ = f_end_;
  fq_ = stage_quadratures_[2];
  if (scaled_max_norm(error_, w_) > 1e-3 && !rates_(t_end, y_, &f_, &fq_)) return false;
  q_ = q_old_;
  for (int i = 0; i < 3; ++i) q_ += (h * radau.b[i]) * stage_quadratures_[i];
  t_ = t_end;
  h_used_ = h;
  store_collocation();
  ++work_.accepted;
  return true;
}

/// Newton form of the polynomial through (0, y_old), (c_i, y_old + Z_i), counted from the end of the step.
void Radau::store_collocation() {
  const Vec3& c = radau_coefficients().c;
  collocation_[0] = (z_[1] - z_[2]) / (c[1] - 1.0);
  error_ = (z_[0] - z_[1]) / (c[0] - c[1]);
  collocation_[1] = (error_ - collocation_[0]) / (c[0] - 1.0);
  collocation_[2] = collocation_[1] - (error_ - z_[0] / c[0]) / c[1];
  has_collocation_ = true;
}

void Radau::plan_next(double h, double error, double factor, const RadauNewtonResult& newton, double h_kept) {
  if (!is_first_) {
    // Gustafsson: the trend of the last two errors; it sees a growing error one step before the plain rule does.
    const double power = std::pow(std::max(error * error / error_accepted_, 1e-20), 0.25);
    const double predicted = options_.safety * (h / h_accepted_) / power;
    factor = std::min(factor, std::clamp(predicted, options_.min_factor, options_.max_factor));
  }
  h_accepted_ = h;
  error_accepted_ = std::max(1e-2, error);
  if (was_rejected_) factor = std::min(factor, 1.0);
  is_first_ = false;
  is_jacobian_current_ = false;
  is_jacobian_wanted_ = newton.contraction > options_.keep_jacobian_contraction;
  const bool is_step_kept = !is_jacobian_wanted_ && factor >= 1.0 && factor <= options_.keep_step_factor;
  h_ = std::max(is_step_kept ? h : h * factor, h_kept);
}

void Radau::interpolate(double t, double* y, double* quadratures) {
  const RadauCoefficients& radau = radau_coefficients();
  const double s = h_used_ > 0.0 ? (t - t_) / h_used_ : 0.0;
  if (y != nullptr && t == t_) {
    Eigen::Map<VecX>(y, y_.size()) = y_;
  } else if (y != nullptr) {
    Eigen::Map<VecX>(y, y_.size()) =
        y_end_ + s * (collocation_[0] +
                      (s - (radau.c[1] - 1.0)) * (collocation_[1] + (s - (radau.c[0] - 1.0)) * collocation_[2]));
    system_.project_inside(t, y);
  }
  if (quadratures != nullptr && q_.size() > 0) {
    const Vec3 weights = h_used_ * radau.calc_partial_weights(1.0 + s);
    Eigen::Map<VecX> q(quadratures, q_.size());
    q = q_old_ + weights[0] * stage_quadratures_[0] + weights[1] * stage_quadratures_[1] +
        weights[2] * stage_quadratures_[2];
    if (t == t_) q = q_;
  }
}

bool Radau::shorten_step(double t_end) {
  ABUT_REQUIRE(t_end > t_old_ && has_collocation_, "a step from t = {} s cannot be shortened to {} s", t_old_, t_end);
  const RadauCoefficients& radau = radau_coefficients();
  const double h = t_end - t_old_;
  const double ratio = h / h_used_;
  --work_.accepted;  // the same step again
  for (int attempt = 0; attempt < 2; ++attempt) {
    is_jacobian_wanted_ = attempt == 1;
    if (!prepare_matrices(h)) break;
    for (int i = 0; i < 3; ++i) {
      const double s = radau.c[i] * ratio - 1.0;
      const double s2 = s - (radau.c[1] - 1.0);
      z_[i] =
          y_end_ - y_old_ + s * (collocation_[0] + s2 * (collocation_[1] + (s - (radau.c[0] - 1.0)) * collocation_[2]));
    }
    weights_.calc_weights(y_old_, y_end_, &w_);
    const RadauNewtonResult newton = newton_.solve(rates_, t_old_, h, y_old_, w_, &z_);
    if (!newton.is_converged) continue;
    y_end_ = y_old_ + z_[2];
    if (!calc_end_rates(t_end) || !finish_step(t_end)) break;
    is_jacobian_wanted_ = true;
    return true;
  }
  ++work_.accepted;
  return false;
}

StepOutcome Radau::fail(Try last, int rejected) const {
  switch (last) {
    case Try::refused:
      return {
          StepStatus::rates_not_finite, t_, rejected,
          fmt::format("the rates next to t = {:.15g} s are not finite or were refused, however short the step", t_)};
    case Try::newton_failed:
      return {StepStatus::newton_failed, t_, rejected,
              fmt::format("at t = {:.15g} s the stage equations do not converge, however short the step", t_)};
    default:
      return {StepStatus::step_too_small, t_, rejected,
              fmt::format("at t = {:.15g} s the tolerance asks for a step below the resolution of time", t_)};
  }
}

}  // namespace abut
