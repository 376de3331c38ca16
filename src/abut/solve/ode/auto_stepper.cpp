#include "abut/solve/ode/auto_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

/// Whether at most a quarter of the entries of df/dy may differ from zero: its factors are sparse then.
bool is_loosely_coupled(const OdeSystem& system) {
  constexpr double kDensest = 0.25;
  RateStructure structure;
  if (!system.calc_structure(&structure)) return false;
  std::vector<double> sizes(structure.num_blocks, 0.0);
  for (const int block : structure.block_of_state) {
    if (block >= 0) ++sizes[block];
  }
  double entries = 0.0;
  for (const double size : sizes) entries += size * size;
  for (const auto& [a, b] : structure.couplings) entries += 2.0 * sizes[a] * sizes[b];
  return entries <= kDensest * system.size() * system.size();
}

}  // namespace

AutoStepper::AutoStepper(OdeSystem& system, const Options& options)
    : system_(system),
      options_(options),
      explicit_(system, options.dormand_prince),
      radau_(system, options.radau),
      probe_pause_(options.probe_steps) {}

AdaptiveStepper& AutoStepper::implicit() {
  if (system_.size() <= options_.max_radau_size || system_.needs_projection() || is_loosely_coupled(system_))
    return radau_;
  return implicit_by_bdf();
}

AdaptiveStepper& AutoStepper::implicit_by_bdf() {
  if (bdf_ == nullptr) bdf_ = std::make_unique<CvodeStepper>(system_, options_.bdf);
  return *bdf_;
}

void AutoStepper::restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                          const RestartHint& hint) {
  const int n = system_.size();
  if (is_implicit() && active_->step_size() > 0.0) implicit_step_ = active_->step_size();
  if (!is_implicit()) implicit_step_ = 0.0;
  if (y_.size() != n) {
    for (VecX* x : {&y_, &f_, &w_}) x->setZero(n);
    scratch_.resize(n);
  }
  weights_ = weights;
  hint_ = hint;
  active_ = &explicit_;
  active_->restart(t, y, quadratures, weights, hint);
  is_fresh_ = true;
  is_probe_ = false;
  probe_pause_ = options_.probe_steps;
  steps_in_phase_ = steps_since_check_ = 0;
  ++own_work_.restarts;
}

/// Largest rate at the present state, from differences.
double AutoStepper::calc_rate() {
  y_ = Eigen::Map<const VecX>(active_->state(), y_.size());
  if (!rates_(active_->time(), y_, &f_)) return 0.0;
  return spectral_radius_.calc(rates_, weights_, active_->time(), y_, f_);
}

/// The largest rate at a restart. Rates may jump at that very instant; differences across the jump would look like
/// stiffness, so they are taken a little further on where the length of the first step is known.
double AutoStepper::calc_first_rate(double t) {
  constexpr double kFirstPlace = 1e-3;
  const double dt = kFirstPlace * hint_.first_step;
  scratch_.y = y_ + dt * f_;
  VecX f(f_.size());
  if (dt > 0.0 && rates_(t + dt, scratch_.y, &f)) {
    const VecX y = scratch_.y;
    return spectral_radius_.calc(rates_, weights_, t + dt, y, f);
  }
  return spectral_radius_.calc(rates_, weights_, t, y_, f_);
}

void AutoStepper::choose_at_restart(double t_limit) {
  is_fresh_ = false;
  if (y_.size() == 0) return;
  const double t = active_->time();
  y_ = Eigen::Map<const VecX>(active_->state(), y_.size());
  if (!rates_(t, y_, &f_)) return;  // the explicit method reports it
  weights_.calc_weights(y_, y_, &w_);
  double h = std::min(hint_.max_step, t_limit - t);
  if (hint_.first_step > 0.0) h = std::min(h, hint_.first_step);
  rate_ = hint_.stiffness_rate > 0.0 ? hint_.stiffness_rate : calc_first_rate(t);
  // What moves less than the tolerance within the fastest time constant has no fast motion in it worth following.
  const bool is_calm = scaled_max_norm(f_, w_) < 0.1 * rate_;
  if (is_calm) {
    h = std::min(h, 100.0 / rate_);
  } else if (!hint_.trust_first_step) {
    h = calc_starting_step(rates_, t, y_, f_, w_, 5, h, &scratch_);
  }
  RestartHint first = hint_;
  first.first_step = h;
  first.trust_first_step = true;
  AdaptiveStepper* next = &explicit_;
  if (rate_ * std::max(h, implicit_step_) > options_.implicit_border) next = &implicit();
  const VecX q = Eigen::Map<const VecX>(active_->quadratures(), system_.num_quadratures());
  next->restart(t, y_.data(), q.data(), weights_, first);
  active_ = next;
}

StepOutcome AutoStepper::step(double t_limit) {
  if (is_fresh_) {
    choose_at_restart(t_limit);
  } else {
    consider_switch();
  }
  StepOutcome outcome = active_->step(t_limit);
  if (outcome.status == StepStatus::step_too_small || outcome.status == StepStatus::newton_failed) {
    // What stops one method need not stop the other; it starts from the last good state with a step of its own choice.
    switch_to(is_implicit() ? static_cast<AdaptiveStepper&>(explicit_) : implicit(), 0.0);
    const int rejected = outcome.rejected;
    outcome = active_->step(t_limit);
    outcome.rejected += rejected;
  }
  ++steps_in_phase_;
  ++steps_since_check_;
  return outcome;
}

void AutoStepper::consider_switch() {
  if (!is_implicit()) {
    if (!wants_implicit()) return;
    switch_to(implicit(), explicit_.step_size());
  } else if (wants_explicit()) {
    const double stable = rate_ > 0.0 ? 1.0 / rate_ : active_->step_size();
    if (is_probe_) probe_pause_ *= 2;
    switch_to(explicit_, std::min(active_->step_size(), stable));
  }
}

bool AutoStepper::wants_implicit() {
  is_probe_ = false;
  if (explicit_.is_stiff()) return true;
  if (steps_since_check_ < probe_pause_) return false;
  steps_since_check_ = 0;
  rate_ = calc_rate();
  is_probe_ = rate_ * explicit_.step_size() > 0.5;
  return is_probe_;
}

bool AutoStepper::wants_explicit() {
  if (steps_in_phase_ < 4) return false;
  const double h = active_->step_size();
  const bool is_due = steps_in_phase_ == 4 || steps_since_check_ >= 10 || h < 0.3 * step_at_check_;
  if (!is_due) return false;
  steps_since_check_ = 0;
  step_at_check_ = h;
  rate_ = calc_rate();
  return rate_ * h < options_.explicit_border;
}

void AutoStepper::switch_to(AdaptiveStepper& next, double first_step) {
  const double t = active_->time();
  RestartHint first = hint_;
  first.first_step = first_step;
  first.trust_first_step = first_step > 0.0;
  y_ = Eigen::Map<const VecX>(active_->state(), y_.size());
  const VecX q = Eigen::Map<const VecX>(active_->quadratures(), system_.num_quadratures());
  next.restart(t, y_.data(), q.data(), weights_, first);
  active_ = &next;
  steps_in_phase_ = steps_since_check_ = 0;
  step_at_check_ = 0.0;
  ++num_switches_;
}

WorkCounter AutoStepper::work() const {
  WorkCounter sum = own_work_;
  for (const WorkCounter& part : {explicit_.work(), radau_.work(), bdf_ == nullptr ? WorkCounter() : bdf_->work()}) {
    sum += part;
  }
  sum.restarts = own_work_.restarts;  // switches inside are not restarts of the caller
  return sum;
}

}  // namespace abut
