#include "abut/solve/ode/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/math/bracketed_root.hpp"

namespace abut {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Between two samples a function may fall faster than at either of them, by this factor at most: dense output is a
/// polynomial of low degree, and a step has five samples at least.
constexpr double kSpeedGrowth = 1.5;
/// What a function that has fired still differs from zero by is noise up to this part of its span; beyond, it has
/// jumped, and stands on a side: as the gap of a piece that was joined to another one [1].
constexpr double kLargestNoise = 1e-3;
/// Lowest points sampled between two neighbours, each of which the one before has not settled.
constexpr int kMaxDips = 8;

double calc_noise(double g, double least, double span) {
  return std::max(least, std::min(4.0 * std::abs(g), kLargestNoise * span));
}

bool is_calm(double a, double b, double c) {
  const double least = std::min({a, b, c}), most = std::max({a, b, c});
  return least > 0.0 ? least >= 0.5 * most : most < 0.0 && most <= 0.5 * least;
}

bool fires_downward(EventDirection direction) { return direction != EventDirection::rising; }
bool fires_upward(EventDirection direction) {
  return direction == EventDirection::rising || direction == EventDirection::both;
}

}  // namespace

void EventWatch::reset(Functions functions, Sample start, const std::vector<int>& fired) {
  directions_ = std::move(functions.directions);
  spans_ = std::move(functions.spans);
  sides_.assign(directions_.size(), 0);
  noise_.assign(directions_.size(), options_.noise);
  for (const int k : fired) {
    if (k < size()) noise_[k] = calc_noise(start.g[k], options_.noise, spans_[k]);
  }
  // A guard that starts below zero without having fired shows a trace of what has just ended: as the piece of a volume
  // that a patch has let go of, seen by another point. It stands on zero too, and not on the far side, from where it
  // could go up and down again unseen.
  for (int k = 0; k < size(); ++k) {
    if (directions_[k] == EventDirection::guard && start.g[k] < 0.0)
      noise_[k] = calc_noise(start.g[k], options_.noise, spans_[k]);
  }
  start_ = std::move(start);
  update_sides(start_.g);
  is_fresh_ = true;
}

void EventWatch::settle(const VecX& g, const std::vector<int>& fired) {
  for (const int k : fired) {
    sides_[k] = 0;
    noise_[k] = calc_noise(g[k], options_.noise, spans_[k]);
  }
  start_.g = g;
  start_.bounds.resize(0);
  update_sides(g);
  is_fresh_ = true;
}

bool EventWatch::has_crossed(int k, double g) const {
  if (sides_[k] == 0) return directions_[k] == EventDirection::guard && g < -noise_[k];
  if (sides_[k] > 0 && fires_downward(directions_[k])) return g <= 0.0;
  if (sides_[k] < 0 && fires_upward(directions_[k])) return g >= 0.0;
  return false;
}

bool EventWatch::is_armed(int k, double slope) const {
  if (sides_[k] > 0 && fires_downward(directions_[k])) return slope < 0.0;
  if (sides_[k] < 0 && fires_upward(directions_[k])) return slope > 0.0;
  return false;
}

void EventWatch::update_sides(const VecX& g) {
  for (int k = 0; k < size(); ++k) {
    if (std::abs(g[k]) <= noise_[k] || (sides_[k] != 0 && has_crossed(k, g[k]))) continue;
    sides_[k] = g[k] > 0.0 ? 1 : -1;
    noise_[k] = options_.noise;
  }
}

std::optional<int> EventWatch::find_crossed(const VecX& g) const {
  for (int k = 0; k < size(); ++k) {
    if (has_crossed(k, g[k])) return k;
  }
  return std::nullopt;
}

std::optional<EventWatch::Crossing> EventWatch::scan(const Evaluate& evaluate, double t0, double t1) {
  if (const std::optional<int> k = find_crossed(start_.g)) return Crossing{t0, *k};
  take_samples(evaluate, t0, t1);
  for (size_t i = 1; i < num_samples_; ++i) {
    halve(evaluate, i);
    if (i + 1 < num_samples_) halve(evaluate, i + 1);
    for (int turn = 0; turn < kMaxDips; ++turn) {
      const std::optional<double> dip = find_dip(i);
      if (!dip) break;
      insert_sample(evaluate, i, *dip);
    }
    if (find_crossed(samples_[i].g)) return locate(evaluate, samples_[i - 1], samples_[i]);
    update_sides(samples_[i].g);
  }
  start_ = samples_[num_samples_ - 1];
  is_fresh_ = false;
  return std::nullopt;
}

/// What is settled keeps its value at the start of the step.
void EventWatch::take_sample(const Evaluate& evaluate, double t, Detail detail) {
  if (samples_.size() == num_samples_) samples_.push_back({});
  Sample& sample = samples_[num_samples_++];
  sample.t = t;
  sample.g = start_.g;
  sample.speeds.setZero(size());
  evaluate(wanted_, detail, &sample);
}

/// Which functions may reach zero between the start and the end of the step; whether there are any.
bool EventWatch::find_wanted(const Sample& end) {
  const bool is_known = start_.bounds.size() == size() && end.bounds.size() == size();
  const double dt = end.t - start_.t;
  bool any = false;
  for (int k = 0; k < size(); ++k) {
    const bool is_settled = is_known && sides_[k] > 0 && directions_[k] != EventDirection::rising &&
                            start_.g[k] > 0.0 && end.g[k] > 0.0 &&
                            start_.g[k] + end.g[k] > kSpeedGrowth * dt * std::max(start_.bounds[k], end.bounds[k]);
    wanted_[k] = is_settled ? 0 : 1;
    any = any || !is_settled;
  }
  return any;
}

void EventWatch::insert_sample(const Evaluate& evaluate, size_t at, double t) {
  take_sample(evaluate, t);
  const auto last = samples_.begin() + static_cast<std::ptrdiff_t>(num_samples_);
  std::rotate(samples_.begin() + static_cast<std::ptrdiff_t>(at), last - 1, last);
}

void EventWatch::take_samples(const Evaluate& evaluate, double t0, double t1) {
  const double h = t1 - t0;
  num_samples_ = 0;
  if (samples_.empty()) samples_.push_back({});
  start_.t = t0;
  samples_[num_samples_++] = {t0, start_.g, start_.speeds, {}};
  wanted_.assign(static_cast<size_t>(size()), 1);
  take_sample(evaluate, t1, Detail::bounds);
  if (!find_wanted(samples_[1])) return;
  Sample end = std::move(samples_[1]);
  num_samples_ = 1;
  const bool is_undecided = std::find(sides_.begin(), sides_.end(), 0) != sides_.end();
  if (is_fresh_ && is_undecided) {
    const double first_interior = h / (options_.interior_samples + 1);
    for (double fraction = 1e-9; fraction < 0.2; fraction *= 10.0) {
      const double t = t0 + fraction * h;
      if (t > samples_[num_samples_ - 1].t && fraction * h < 0.99 * first_interior) take_sample(evaluate, t);
    }
  }
  const int n = options_.interior_samples;
  const auto place = [&](int i) { return t0 + h * i / (n + 1); };
  const int middle = (n + 1) / 2;
  if (n % 2 == 1 && !is_undecided && place(1) > t0 && place(n) < t1) {
    take_sample(evaluate, place(middle));
    take_over(std::move(end));
    if (are_calm()) return;
    for (int i = 1; i <= n; ++i) {
      if (i != middle) insert_sample(evaluate, static_cast<size_t>(i), place(i));
    }
    return;
  }
  for (int i = 1; i <= n; ++i) {
    if (place(i) > samples_[num_samples_ - 1].t && place(i) < t1) take_sample(evaluate, place(i));
  }
  take_over(std::move(end));
}

void EventWatch::take_over(Sample sample) {
  if (samples_.size() == num_samples_) samples_.push_back({});
  samples_[num_samples_++] = std::move(sample);
}

/// Whether all functions that are looked at keep their sign and half of their size from the beginning over the middle
/// to the end of a step, the three samples there are: the parabola through them stays above 0.43 of the largest then.
bool EventWatch::are_calm() const {
  for (int k = 0; k < size(); ++k) {
    if (wanted_[k] != 0 && !is_calm(samples_[0].g[k], samples_[1].g[k], samples_[2].g[k])) return false;
  }
  return true;
}

/// Whether some function may dip below zero between sample `at` and the one before, further than its span.
bool EventWatch::is_open(size_t at) const {
  const Sample& a = samples_[at - 1];
  const Sample& b = samples_[at];
  for (int k = 0; k < size(); ++k) {
    if (wanted_[k] == 0) continue;
    const double travel = kSpeedGrowth * (b.t - a.t) * std::max(a.speeds[k], b.speeds[k]);
    if (!(travel > spans_[k]) || (a.g[k] <= 0.0 && b.g[k] <= 0.0)) continue;
    if (std::max(0.0, a.g[k]) + std::max(0.0, b.g[k]) <= travel) return true;
  }
  return false;
}

/// Halves the interval that ends with sample `at` until nothing can hide in its first part; sample `at` then is the end
/// of that.
void EventWatch::halve(const Evaluate& evaluate, size_t at) {
  while (is_open(at)) {
    const double before = samples_[at - 1].t, middle = 0.5 * (before + samples_[at].t);
    if (!(middle - before > 4.0 * kEpsilon * std::abs(middle))) return;
    insert_sample(evaluate, at, middle);
  }
}

/// Where a function may be lowest between sample `at` and the one before, by the parabolas through them and their
/// neighbours.
std::optional<double> EventWatch::find_dip(size_t at) const {
  const double begin = samples_[at - 1].t, end = samples_[at].t;
  const double margin = 1e-6 * (end - begin);
  for (const size_t first : {at - 2, at - 1}) {
    if (first > at || first + 2 >= num_samples_) continue;  // at - 2 wraps around where there is none
    for (int k = 0; k < size(); ++k) {
      if (wanted_[k] == 0) continue;
      const std::optional<double> t = find_vertex(first, k);
      if (t && *t > begin + margin && *t < end - margin) return t;
    }
  }
  return std::nullopt;
}

/// Where the parabola through three samples of one sign comes close to zero, if it does between them.
std::optional<double> EventWatch::find_vertex(size_t first, int k) const {
  const Sample& a = samples_[first];
  const Sample& b = samples_[first + 1];
  const Sample& c = samples_[first + 2];
  const double sign = b.g[k] > 0.0 ? 1.0 : -1.0;
  if (!(sign > 0.0 ? fires_downward(directions_[k]) : fires_upward(directions_[k]))) return std::nullopt;
  const double smallest = std::min({sign * a.g[k], sign * b.g[k], sign * c.g[k]});
  if (smallest <= 0.0) return std::nullopt;
  const double slope_ab = (b.g[k] - a.g[k]) / (b.t - a.t);
  const double slope_bc = (c.g[k] - b.g[k]) / (c.t - b.t);
  const double curvature = (slope_bc - slope_ab) / (c.t - a.t);
  if (sign * curvature <= 0.0) return std::nullopt;
  const double t = 0.5 * (a.t + b.t) - 0.5 * slope_ab / curvature;
  if (!(t > a.t && t < c.t)) return std::nullopt;
  const double value = a.g[k] + (slope_ab + curvature * (t - b.t)) * (t - a.t);
  if (sign * value > 0.1 * smallest) return std::nullopt;
  return t;
}

/// Earliest crossing between two samples. One function is narrowed down at a time; whatever has crossed before its root
/// is narrowed down next, in the shorter bracket. Each turn removes at least one candidate.
EventWatch::Crossing EventWatch::locate(const Evaluate& evaluate, Sample before, Sample after) const {
  while (true) {
    int earliest = -1;
    double earliest_fraction = 2.0;
    for (int k = 0; k < size(); ++k) {
      if (!has_crossed(k, after.g[k])) continue;
      const double fraction = calc_crossing_fraction(before.g[k], after.g[k]);
      if (fraction >= earliest_fraction) continue;
      earliest = k;
      earliest_fraction = fraction;
    }
    const Sample start = before;
    narrow(evaluate, earliest, &before, &after);
    if (!find_crossed(before.g)) return {after.t, earliest};
    after = before;
    before = start;
  }
}

/// Shrinks [before, after] around the crossing of function k to the resolution of time.
void EventWatch::narrow(const Evaluate& evaluate, int k, Sample* before, Sample* after) const {
  ProjectedCut cut(after->t - before->t);
  Sample middle = *after;
  for (int turn = 1; turn <= 200; ++turn) {
    const double width = after->t - before->t, half = 0.5 * width;
    if (width <= 2.0 * kEpsilon * std::abs(after->t) || width <= std::numeric_limits<double>::min()) return;
    middle.t = before->t + (half + cut.calc_offset(width, before->g[k], after->g[k]));
    if (middle.t <= before->t) middle.t = std::nextafter(before->t, after->t);
    if (middle.t >= after->t) middle.t = std::nextafter(after->t, before->t);
    if (middle.t <= before->t) return;
    evaluate(wanted_, Detail::values, &middle);
    if (has_crossed(k, middle.g[k])) {
      *after = middle;
      if (middle.g[k] == 0.0 && width < 1e-9 * std::abs(middle.t)) return;
    } else {
      *before = middle;
    }
  }
}

}  // namespace abut
