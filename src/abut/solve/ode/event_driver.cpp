#include "abut/solve/ode/event_driver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace abut {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxSecants = 8;
/// A secant this short, in parts of the step, that does not halve the value has met its rounding, or a jump.
constexpr double kShortSecant = 1e-5;
/// Part of its span that a function is away from zero at least where it has jumped [1]; zeros are found to rounding.
constexpr double kLeastJump = 1e-3;
/// The same where it has been seen on both sides of zero, one short secant apart: beyond the rounding of gaps [1].
constexpr double kLeastSmallJump = 1e-9;

double time_resolution(double t) { return 2.0 * kEpsilon * std::abs(t) + std::numeric_limits<double>::min(); }

}  // namespace

EventDriver::EventDriver(OdeSystem& system, AdaptiveStepper& stepper, const Options& options)
    : system_(system), stepper_(stepper), watch_(options) {}

void EventDriver::restart(double t, const double* y, const double* quadratures, const ErrorWeights& weights,
                          const RestartHint& hint) {
  const int n = system_.size();
  y_ = Eigen::Map<const VecX>(y, n);
  q_ = Eigen::Map<const VecX>(quadratures, system_.num_quadratures());
  y_scratch_.setZero(n);
  t_ = t_start_ = t;
  weights_ = weights;
  hint_ = hint;
  // Functions that have just fired stand on zero even if rounding left them a little off.
  renew_events(t, y_.data(), t == t_event_ ? fired_keys_ : std::vector<std::uint64_t>());
  stepper_.restart(t, y_.data(), q_.data(), weights_, hint_);
  needs_restart_ = false;
}

/// Begins to watch the functions that the system has now; `on_zero` are the keys of those known to stand there, sorted.
void EventDriver::renew_events(double t, const double* y, const std::vector<std::uint64_t>& on_zero) {
  const int num_events = system_.num_events();
  for (VecX* g : {&g_, &g_scratch_, &slopes_}) g->setZero(num_events);
  EventWatch::Functions functions;
  std::vector<int> fired;
  for (int k = 0; k < num_events; ++k) {
    functions.directions.push_back(system_.event_direction(k));
    functions.spans.push_back(system_.event_span(k));
    if (std::binary_search(on_zero.begin(), on_zero.end(), system_.event_key(k))) fired.push_back(k);
  }
  EventWatch::Sample start{t, VecX::Zero(num_events), VecX::Zero(num_events), VecX::Zero(num_events)};
  if (num_events > 0) {
    system_.calc_events(t, y, start.g.data());
    system_.calc_event_speeds(start.speeds.data());
    system_.calc_event_bounds(start.bounds.data());
  }
  watch_.reset(std::move(functions), std::move(start), fired);
}

/// Looks for events between t_ and the end of the step, piece by piece.
std::optional<EventWatch::Crossing> EventDriver::look_through() {
  const EventWatch::Evaluate evaluate = [this](const std::vector<char>& wanted, EventWatch::Detail detail,
                                               EventWatch::Sample* sample) {
    stepper_.interpolate(sample->t, y_scratch_.data(), nullptr);
    system_.calc_wanted_events(sample->t, y_scratch_.data(), wanted, sample->g.data());
    if (detail == EventWatch::Detail::values) return;
    system_.calc_event_speeds(sample->speeds.data());
    if (detail == EventWatch::Detail::speeds) return;
    sample->bounds.resize(sample->g.size());
    system_.calc_event_bounds(sample->bounds.data());
  };
  const auto interpolate = [this](double t, double* y) { stepper_.interpolate(t, y, nullptr); };
  for (double t = t_; t < t_step_end_;) {
    std::vector<std::uint64_t> undecided;
    for (int k = 0; k < watch_.size(); ++k) {
      if (watch_.is_undecided(k)) undecided.push_back(system_.event_key(k));
    }
    const EventPiece piece = system_.prepare_events(t, t_step_end_, interpolate);
    if (piece.is_renewed) {
      std::sort(undecided.begin(), undecided.end());
      if (t == t_) {
        renew_events(t, y_.data(), undecided);
      } else {
        stepper_.interpolate(t, y_scratch_.data(), nullptr);
        renew_events(t, y_scratch_.data(), undecided);
      }
    }
    if (watch_.size() > 0) {
      if (std::optional<EventWatch::Crossing> crossing = watch_.scan(evaluate, t, piece.end)) return crossing;
    }
    t = piece.end;
  }
  return std::nullopt;
}

AdvanceResult EventDriver::advance(double t_stop, const Observer& observer) {
  if (t_ >= t_stop) return {AdvanceStatus::reached, t_, {}, StepStatus::accepted, {}};
  while (true) {
    AdvanceResult result = step(t_stop);
    if (result.status == AdvanceStatus::failed) return result;
    const bool goes_on = !observer || observer(*this);
    if (result.status != AdvanceStatus::stepped) return result;
    if (!goes_on) return {AdvanceStatus::interrupted, t_, {}, StepStatus::accepted, {}};
  }
}

AdvanceResult EventDriver::step(double t_stop) {
  if (t_ >= t_stop) return {AdvanceStatus::reached, t_, {}, StepStatus::accepted, {}};
  if (needs_restart_) {
    RestartHint hint = hint_;
    hint.first_step = 0.0;
    hint.trust_first_step = false;
    stepper_.restart(t_, y_.data(), q_.data(), weights_, hint);
    needs_restart_ = false;
  }
  StepOutcome outcome = stepper_.step(t_stop);
  if (!outcome.is_accepted()) return {AdvanceStatus::failed, t_, {}, outcome.status, std::move(outcome.reason)};
  t_start_ = t_;
  t_step_end_ = stepper_.time();
  if (const std::optional<EventWatch::Crossing> crossing = look_through()) return finish_event(*crossing);
  t_ = stepper_.time();
  y_ = Eigen::Map<const VecX>(stepper_.state(), y_.size());
  q_ = Eigen::Map<const VecX>(stepper_.quadratures(), q_.size());
  return {t_ >= t_stop ? AdvanceStatus::reached : AdvanceStatus::stepped, t_, {}, StepStatus::accepted, {}};
}

void EventDriver::evaluate_at(double t, double* g) {
  stepper_.interpolate(t, y_scratch_.data(), nullptr);
  system_.calc_events(t, y_scratch_.data(), g);
}

AdvanceResult EventDriver::finish_event(const EventWatch::Crossing& crossing) {
  int event = crossing.event;
  calc_slopes(crossing.t);
  if (crossing.t - t_start_ <= 2.0 * time_resolution(t_start_)) {
    // At the start itself: nothing has moved.
    system_.calc_events(t_, y_.data(), g_.data());
  } else {
    take_interpolated(crossing.t);
    const VecX y_interpolated = y_;
    const VecX q_interpolated = q_;
    double t_guess = crossing.t;
    bool has_landed = false;
    // The order of two crossings may differ between the dense output and the steps; the one that comes first counts.
    for (int turn = 0; turn < 4; ++turn) {
      has_landed = land(event, t_guess);
      const int earlier = has_landed ? find_earlier(event) : -1;
      if (earlier < 0) break;
      t_guess = t_ - g_[earlier] / slopes_[earlier];
      if (!(t_guess > t_start_ && t_guess < t_)) break;
      event = earlier;
    }
    if (!has_landed) {
      event = crossing.event;
      t_ = crossing.t;
      y_ = y_interpolated;
      q_ = q_interpolated;
      system_.calc_events(t_, y_.data(), g_.data());
      if (!stepper_.shorten_step(t_)) t_start_ = t_;  // no dense output to offer for this piece
    }
  }
  last_fired_ = collect_fired(event);
  fired_keys_.clear();
  for (const int k : last_fired_) fired_keys_.push_back(system_.event_key(k));
  std::sort(fired_keys_.begin(), fired_keys_.end());
  watch_.settle(g_, last_fired_);
  t_event_ = t_;
  needs_restart_ = true;
  ++num_events_;
  return {AdvanceStatus::event, t_, last_fired_, StepStatus::accepted, {}};
}

void EventDriver::take_interpolated(double t) {
  stepper_.interpolate(t, y_.data(), q_.data());
  system_.project(t, y_.data());
  t_ = t;
  system_.calc_events(t_, y_.data(), g_.data());
}

/// Rates of all event functions next to t, from the dense output of the whole step.
void EventDriver::calc_slopes(double t) {
  const double h = t_step_end_ - t_start_;
  const double dt = std::max(1e-3 * h, std::min(h, 1e4 * kEpsilon * std::abs(t)));
  const double t_before = std::max(t_start_, t - dt);
  const double t_after = std::min(t_before + dt, t_step_end_);
  evaluate_at(t_after, slopes_.data());
  evaluate_at(t_before, g_scratch_.data());
  slopes_ = (slopes_ - g_scratch_) / std::max(t_after - t_before, std::numeric_limits<double>::min());
}

/// Secant iteration on the end of the true step for g of one event; leaves t_, y_, q_, g_ at the best point found.
bool EventDriver::land(int event, double t_guess) {
  const double h = t_step_end_ - t_start_;
  double slope = slopes_[event];
  double t = t_guess;
  double t_best = t_guess, g_best = std::numeric_limits<double>::infinity();
  double t_last = 0.0, g_last = 0.0;
  bool has_jumped = false;
  if (slope == 0.0 || !std::isfinite(slope)) return false;
  for (int i = 0; i < kMaxSecants; ++i) {
    if (!stepper_.shorten_step(t)) return false;
    system_.calc_events(t, stepper_.state(), g_.data());
    const double g = g_[event];
    const bool has_stalled = i > 0 && std::abs(t - t_last) < kShortSecant * h && std::abs(g) > 0.5 * std::abs(g_last);
    has_jumped = has_stalled && g * g_last < 0.0;
    if (std::abs(g) < std::abs(g_best)) {
      t_best = t;
      g_best = g;
    }
    if (i > 0 && t != t_last && g != g_last && std::abs(t - t_last) > 1e-8 * h) slope = (g - g_last) / (t - t_last);
    if (has_stalled) break;
    t_last = t;
    g_last = g;
    const double correction = -g / slope;
    if (g == 0.0 || !(std::abs(correction) > time_resolution(t))) break;
    const double t_next = std::clamp(t + correction, t_start_ + 2.0 * time_resolution(t_start_), t_step_end_);
    if (t_next == t) break;
    t = t_next;
  }
  // A function that jumps has no zero: where it is least it has not crossed yet. The crossing of the dense output
  // counts.
  if (std::abs(g_best) > kLeastJump * system_.event_span(event)) return false;
  if (has_jumped && std::abs(g_best) > kLeastSmallJump * system_.event_span(event)) return false;
  // A zero that only the dense output has leaves the iteration without one.
  if (std::abs(g_best / slope) > 1e-3 * h && std::abs(g_best) > watch_.noise(event)) return false;
  if (stepper_.time() != t_best && !stepper_.shorten_step(t_best)) return false;
  t_ = t_best;
  y_ = Eigen::Map<const VecX>(stepper_.state(), y_.size());
  q_ = Eigen::Map<const VecX>(stepper_.quadratures(), q_.size());
  system_.calc_events(t_, y_.data(), g_.data());
  return true;
}

/// |g| that cannot be told from zero at the instant t_: its own noise and the resolution of time.
double EventDriver::tolerance(int k) const {
  return watch_.noise(k) + 8.0 * std::abs(slopes_[k]) * time_resolution(t_);
}

int EventDriver::find_earlier(int event) const {
  for (int k = 0; k < watch_.size(); ++k) {
    if (k == event || slopes_[k] == 0.0) continue;
    if (watch_.has_crossed(k, g_[k]) && std::abs(g_[k]) > tolerance(k)) return k;
  }
  return -1;
}

std::vector<int> EventDriver::collect_fired(int event) const {
  std::vector<int> fired;
  for (int k = 0; k < watch_.size(); ++k) {
    const bool is_zero = std::abs(g_[k]) <= tolerance(k) && watch_.is_armed(k, slopes_[k]);
    if (k == event || is_zero || watch_.has_crossed(k, g_[k])) fired.push_back(k);
  }
  return fired;
}

void EventDriver::interpolate(double t, double* y, double* quadratures) const {
  if (t == t_ || t_ == t_start_) {
    if (y != nullptr) Eigen::Map<VecX>(y, y_.size()) = y_;
    if (quadratures != nullptr) Eigen::Map<VecX>(quadratures, q_.size()) = q_;
    return;
  }
  stepper_.interpolate(t, y, quadratures);
}

WorkCounter EventDriver::work() const {
  WorkCounter work = stepper_.work();
  work.events += num_events_;
  return work;
}

}  // namespace abut
