#include "abut/solve/ode/fixed_step.hpp"

#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {
namespace {

ExplicitTableau make_tableau(FixedMethod method) {
  switch (method) {
    case FixedMethod::euler:
    case FixedMethod::semi_implicit_euler:
      return kEulerTableau;
    case FixedMethod::heun:
      return kHeunTableau;
    case FixedMethod::rk3:
      return kBogackiShampineTableau;
    case FixedMethod::rk4:
      return kClassicalTableau;
    case FixedMethod::rk5:
      break;
  }
  ExplicitTableau tableau = kDormandPrinceTableau;
  tableau.num_stages = 6;  // the seventh only serves error control
  return tableau;
}

int find_non_finite(const VecX& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

const std::vector<std::string>& fixed_method_names() {
  static const std::vector<std::string> names = {"euler", "semi-implicit-euler", "heun", "rk3", "rk4", "rk5"};
  return names;
}

std::optional<FixedMethod> find_fixed_method(std::string_view name) {
  const std::vector<std::string>& names = fixed_method_names();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<FixedMethod>(i);
  }
  return std::nullopt;
}

int order_of(FixedMethod method) {
  switch (method) {
    case FixedMethod::euler:
    case FixedMethod::semi_implicit_euler:
      return 1;
    case FixedMethod::heun:
      return 2;
    case FixedMethod::rk3:
      return 3;
    case FixedMethod::rk4:
      return 4;
    case FixedMethod::rk5:
      break;
  }
  return 5;
}

FixedStepper::FixedStepper(OdeSystem& system, FixedMethod method)
    : system_(system), method_(method), tableau_(make_tableau(method)) {
  resize_if_needed();
}

void FixedStepper::resize_if_needed() {
  const int n = system_.size();
  const int nq = system_.num_quadratures();
  if (y_new_.size() == n && kq_[0].size() == nq && qdot_.size() == system_.position_size()) return;
  for (int s = 0; s < tableau_.num_stages; ++s) {
    k_[s].setZero(n);
    kq_[s].setZero(nq);
  }
  y_stage_.setZero(n);
  y_new_.setZero(n);
  qdot_.setZero(system_.position_size());
  ABUT_REQUIRE(method_ != FixedMethod::semi_implicit_euler || system_.position_size() + system_.velocity_size() <= n,
               "positions ({}) and velocities ({}) do not fit a state of {}", system_.position_size(),
               system_.velocity_size(), n);
}

FixedOutcome FixedStepper::step(double t, double h, double* y, double* quadratures) {
  resize_if_needed();
  if (tableau_.num_stages == 1) return step_in_place(t, h, y, quadratures);
  for (int s = 0; s < tableau_.num_stages; ++s) {
    if (calc_stage(s, t, h, y)) continue;
    const int bad = find_non_finite(k_[s]);
    return {false, bad, fmt::format("the rates at t = {:.9g} s are not finite or were refused (component {})", t, bad)};
  }
  combine_stages(h, y);
  system_.project(t + h, y_new_.data());
  if (!is_finite(y_new_)) {
    const int bad = find_non_finite(y_new_);
    return {false, bad, fmt::format("the state at t = {:.9g} s is not finite (component {})", t + h, bad)};
  }
  Eigen::Map<VecX>(y, y_new_.size()) = y_new_;
  for (int s = 0; s < tableau_.num_stages && kq_[0].size() > 0; ++s) {
    Eigen::Map<VecX>(quadratures, kq_[s].size()) += (h * tableau_.b[s]) * kq_[s];
  }
  ++work_.accepted;
  return {};
}

bool FixedStepper::calc_stage(int stage, double t, double h, const double* y) {
  y_stage_ = Eigen::Map<const VecX>(y, y_stage_.size());
  for (int j = 0; j < stage; ++j) {
    const double a = tableau_.a[stage][j];
    if (a != 0.0) y_stage_ += (h * a) * k_[j];
  }
  RateEvaluator rates(system_, work_);
  return rates(t + tableau_.c[stage] * h, y_stage_, &k_[stage], &kq_[stage]);
}

void FixedStepper::combine_stages(double h, const double* y) {
  y_new_ = Eigen::Map<const VecX>(y, y_new_.size());
  for (int s = 0; s < tableau_.num_stages; ++s) {
    if (tableau_.b[s] != 0.0) y_new_ += (h * tableau_.b[s]) * k_[s];
  }
}

FixedOutcome FixedStepper::describe_failure(double t, double h, const double* y, bool is_accepted) const {
  if (is_accepted && is_finite(k_[0]) && is_finite(kq_[0])) {
    const VecX next = Eigen::Map<const VecX>(y, k_[0].size()) + h * k_[0];
    const int bad = find_non_finite(next);
    return {false, bad, fmt::format("the state at t = {:.9g} s is not finite (component {})", t + h, bad)};
  }
  const int bad = find_non_finite(k_[0]);
  return {false, bad, fmt::format("the rates at t = {:.9g} s are not finite or were refused (component {})", t, bad)};
}

/// The methods of one stage, on long vectors: no copies, and everything is checked before anything is changed.
FixedOutcome FixedStepper::step_in_place(double t, double h, double* y, double* quadratures) {
  ++work_.rate_evaluations;
  const bool is_accepted = system_.calc_rates(t, y, k_[0].data(), kq_[0].data());
  std::atomic<bool> is_ok{is_accepted};
  const auto check = [&](const double* from, const VecX& rates) {
    system_.parallel_for(static_cast<int>(rates.size()), [&](int begin, int end) {
      const auto next = Eigen::Map<const VecX>(from + begin, end - begin) + h * rates.segment(begin, end - begin);
      if (!((0.0 * next).sum() == 0.0)) is_ok.store(false, std::memory_order_relaxed);
    });
  };
  const auto add = [&](double* to, const VecX& rates, Eigen::Index first) {
    system_.parallel_for(static_cast<int>(rates.size() - first), [&](int begin, int end) {
      Eigen::Map<VecX>(to + first + begin, end - begin) += h * rates.segment(first + begin, end - begin);
    });
  };
  if (is_accepted) {
    check(y, k_[0]);
    check(quadratures, kq_[0]);
  }
  if (!is_ok) return describe_failure(t, h, y, is_accepted);
  if (method_ == FixedMethod::semi_implicit_euler) {
    add(y, k_[0], qdot_.size());
    system_.calc_position_rates(y, qdot_.data());
    add(y, qdot_, 0);
  } else {
    add(y, k_[0], 0);
  }
  add(quadratures, kq_[0], 0);
  system_.project(t + h, y);
  ++work_.accepted;
  return {};
}

}  // namespace abut
