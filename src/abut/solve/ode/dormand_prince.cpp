#include "abut/solve/ode/dormand_prince.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {
namespace {

// Result of order 5 minus the embedded one of order 4.
constexpr std::array<double, 7> kErrorWeights = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                                 -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
// Dense output of order 4 by Shampine [Hairer, Norsett and Wanner 1993, II.6].
constexpr std::array<double, 7> kDenseWeights = {-12715105075.0 / 11282082432.0,  0.0,
                                                 87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                                 701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                                 69997945.0 / 29380423.0};

// h |lambda| at the border of stability on the negative real axis.
constexpr double kStabilityBorder = 3.25;

/// The quartic through both ends with the end slopes and one more condition, at fraction s of the step.
double calc_dense(double s, double h, double start, double end, const std::array<VecX, 7>& k, Eigen::Index i) {
  const double difference = end - start;
  const double bulge = h * k[0][i] - difference;
  double fifth = 0.0;
  for (size_t j = 0; j < 7; ++j) fifth += kDenseWeights[j] * k[j][i];
  const double fourth = difference - h * k[6][i] - bulge;
  return start + s * (difference + (1.0 - s) * (bulge + s * (fourth + (1.0 - s) * h * fifth)));
}

}  // namespace

DormandPrince::DormandPrince(OdeSystem& system, const Options& options) : OneStepStepper(system), options_(options) {}

void DormandPrince::resize(int n, int nq) {
  for (VecX* x : {&y_, &y_old_, &y_end_, &y_sixth_, &w_, &error_, &k_first_}) x->setZero(n);
  for (VecX* x : {&q_, &q_old_, &q_end_, &kq_first_}) x->setZero(nq);
  for (VecX& x : k_) x.setZero(n);
  for (VecX& x : kq_) x.setZero(nq);
  scratch_.resize(n);
}

void DormandPrince::restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                            const RestartHint& hint) {
  begin_anew(t, y, quadratures, weights, hint);
  error_old_ = 1e-4;
  stiff_count_ = calm_count_ = 0;
  stiffness_rate_ = 0.0;
}

bool DormandPrince::start(double t_limit) {
  if (!rates_(t_, y_, &k_first_, &kq_first_)) return false;
  choose_first_step(k_first_, t_limit);
  return true;
}

StepOutcome DormandPrince::step(double t_limit) {
  ABUT_REQUIRE(t_limit > t_, "a step from t = {} s cannot end at {} s", t_, t_limit);
  if (!is_started_ && !start(t_limit)) return fail(true, 0);
  y_old_ = y_;
  q_old_ = q_;
  t_old_ = t_;
  k_[0] = k_first_;
  kq_[0] = kq_first_;
  // A first step from a time constant may be too short to lead on at all.
  double h = std::max(std::min(h_, hint_.max_step), calc_shortest_step(t_old_));
  const double h_wanted = h;
  error_rejected_ = 0.0;
  for (int rejected = 0;; ++rejected) {
    // A last step that would leave a sliver is stretched to the limit instead.
    const bool is_last = t_old_ + 1.01 * h >= t_limit;
    const double t_end = is_last ? t_limit : t_old_ + h;
    const bool is_finite_step = try_stages(t_end);
    const double error =
        is_finite_step ? std::max(calc_error(), calc_quadrature_error()) : std::numeric_limits<double>::infinity();
    if (error <= 1.0) {
      double factor = calc_factor(error);
      if (rejected > 0) factor = std::min(factor, 1.0);
      h_ = h_used_ * factor;
      // A step cut short by the limit says nothing against the step that was wanted.
      if (is_last && rejected == 0) h_ = std::max(h_, h_wanted);
      error_old_ = std::max(error, 1e-4);
      detect_stiffness();
      accept(t_end);
      return {StepStatus::accepted, t_, rejected, {}};
    }
    ++work_.rejected;
    h = h_used_ * calc_rejection_factor(error);
    error_rejected_ = error;
    h_rejected_ = h_used_;
    if (h < calc_shortest_step(t_old_)) return fail(!is_finite_step, rejected + 1);
  }
}

bool DormandPrince::try_stages(double t_end) {
  h_used_ = t_end - t_old_;
  for (int s = 1; s < kStages; ++s) {
    VecX& y_stage = s == 5 ? y_sixth_ : y_end_;  // the seventh stage is the end of the step itself
    y_stage = y_old_;
    for (int j = 0; j < s; ++j) {
      const double a = kDormandPrinceTableau.a[s][j];
      if (a != 0.0) y_stage += (h_used_ * a) * k_[j];
    }
    const double t_stage = s >= 5 ? t_end : t_old_ + kDormandPrinceTableau.c[s] * h_used_;
    // The second stage has no weight in the result nor in the dense output.
    const bool is_fine = s == 1 ? rates_(t_stage, y_stage, &k_[s]) : rates_(t_stage, y_stage, &k_[s], &kq_[s]);
    if (!is_fine) return false;
  }
  q_end_ = q_old_;
  for (int s = 0; s < kStages - 1; ++s) {
    if (kDormandPrinceTableau.b[s] != 0.0) q_end_ += (h_used_ * kDormandPrinceTableau.b[s]) * kq_[s];
  }
  return is_finite(y_end_);
}

double DormandPrince::calc_error() {
  error_.setZero();
  for (int s = 0; s < kStages; ++s) {
    if (kErrorWeights[s] != 0.0) error_ += (h_used_ * kErrorWeights[s]) * k_[s];
  }
  weights_.calc_weights(y_old_, y_end_, &w_);
  return scaled_max_norm(error_, w_);
}

/// Corners that the motion hardly feels (a limit that lets go, a friction that turns) can be large in a power.
double DormandPrince::calc_quadrature_error() const {
  if (!(hint_.quadrature_scale > 0.0) || q_.size() == 0) return 0.0;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    double error = 0.0;
    for (int s = 0; s < kStages; ++s) {
      if (kErrorWeights[s] != 0.0) error += kErrorWeights[s] * kq_[s][i];
    }
    largest = std::max(largest, std::abs(error));
  }
  return h_used_ * largest / calc_quadrature_allowance(weights_, hint_, q_end_);
}

double DormandPrince::calc_factor(double error) const {
  if (error == 0.0) return options_.max_factor;
  const double exponent = 0.2 - 0.75 * options_.integral;
  const double factor = options_.safety * std::pow(error, -exponent) * std::pow(error_old_, options_.integral);
  return std::clamp(factor, options_.min_factor, options_.max_factor);
}

double DormandPrince::calc_rejection_factor(double error) const {
  if (!std::isfinite(error)) return options_.min_factor;
  if (!(error_rejected_ > error) || !std::isfinite(error_rejected_)) {
    return std::max(options_.min_factor, options_.safety * std::pow(error, -0.2));
  }
  // Rejected twice: a kink or a starting contact lowers the order; the two tries show which one holds here.
  const double order = std::log(error_rejected_ / error) / std::log(h_rejected_ / h_used_);
  return std::max(0.02, options_.safety * std::pow(error, -1.0 / std::clamp(order, 0.5, 5.0)));
}

void DormandPrince::accept(double t_end) {
  t_ = t_end;
  y_ = y_end_;
  q_ = q_end_;
  k_first_ = k_[6];
  kq_first_ = kq_[6];
  ++work_.accepted;
  system_.project(t_, y_.data());
  error_ = y_ - y_end_;
  // A projection far below the tolerance leaves the last stage good enough as the first of the next step.
  if (scaled_max_norm(error_, w_) > 1e-3) {
    if (!rates_(t_, y_, &k_first_, &kq_first_)) is_started_ = false;
  }
}

void DormandPrince::detect_stiffness() {
  error_ = k_[6] - k_[5];
  const double numerator = scaled_max_norm(error_, w_);
  error_ = y_end_ - y_sixth_;
  const double denominator = scaled_max_norm(error_, w_);
  stiffness_rate_ = denominator > 0.0 && std::isfinite(numerator) ? numerator / denominator : 0.0;
  if (h_used_ * stiffness_rate_ > kStabilityBorder) {
    calm_count_ = 0;
    ++stiff_count_;
  } else if (++calm_count_ >= options_.calm_steps) {
    stiff_count_ = 0;
  }
}

void DormandPrince::interpolate(double t, double* y, double* quadratures) {
  const double s = h_used_ > 0.0 ? (t - t_old_) / h_used_ : 1.0;
  if (y != nullptr) {
    for (Eigen::Index i = 0; i < y_.size(); ++i) {
      y[i] = t == t_ ? y_[i] : calc_dense(s, h_used_, y_old_[i], y_end_[i], k_, i);
    }
    if (t != t_) system_.project_inside(t, y);
  }
  if (quadratures != nullptr) {
    for (Eigen::Index i = 0; i < q_.size(); ++i) {
      quadratures[i] = t == t_ ? q_[i] : calc_dense(s, h_used_, q_old_[i], q_end_[i], kq_, i);
    }
  }
}

bool DormandPrince::shorten_step(double t_end) {
  ABUT_REQUIRE(t_end > t_old_, "a step from t = {} s cannot be shortened to {} s", t_old_, t_end);
  --work_.accepted;  // the same step again
  if (!try_stages(t_end)) {
    ++work_.accepted;
    is_started_ = false;
    return false;
  }
  weights_.calc_weights(y_old_, y_end_, &w_);
  accept(t_end);
  return true;
}

StepOutcome DormandPrince::fail(bool refused, int rejected) const {
  if (refused) {
    return {StepStatus::rates_not_finite, t_, rejected,
            fmt::format("the rates next to t = {:.15g} s are not finite or were refused, however short the step", t_)};
  }
  return {StepStatus::step_too_small, t_, rejected,
          fmt::format("at t = {:.15g} s the tolerance asks for a step below the resolution of time", t_)};
}

}  // namespace abut
