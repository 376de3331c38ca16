#include "abut/solve/ode/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace abut {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMaxVertices = 16;

/// Fraction of the way at which the straight line between two values of opposite sign crosses zero.
double linear_root(double before, double after) {
  const double fraction = before / (before - after);
  return std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
}

}  // namespace

void EventWatch::reset(std::vector<EventDirection> directions, const VecX& g, const std::vector<int>& fired) {
  directions_ = std::move(directions);
  sides_.assign(directions_.size(), 0);
  noise_.assign(directions_.size(), options_.noise);
  for (const int k : fired) {
    if (k < size()) noise_[k] = std::max(options_.noise, 4.0 * std::abs(g[k]));
  }
  g_start_ = g;
  update_sides(g);
  is_fresh_ = true;
}

void EventWatch::settle(const VecX& g, const std::vector<int>& fired) {
  for (const int k : fired) {
    sides_[k] = 0;
    noise_[k] = std::max(options_.noise, 4.0 * std::abs(g[k]));
  }
  g_start_ = g;
  update_sides(g);
  is_fresh_ = true;
}

bool EventWatch::has_crossed(int k, double g) const {
  if (sides_[k] > 0 && directions_[k] != EventDirection::rising) return g <= 0.0;
  if (sides_[k] < 0 && directions_[k] != EventDirection::falling) return g >= 0.0;
  return false;
}

bool EventWatch::is_armed(int k, double slope) const {
  if (sides_[k] > 0 && directions_[k] != EventDirection::rising) return slope < 0.0;
  if (sides_[k] < 0 && directions_[k] != EventDirection::falling) return slope > 0.0;
  return false;
}

void EventWatch::update_sides(const VecX& g) {
  for (int k = 0; k < size(); ++k) {
    if (std::abs(g[k]) <= noise_[k] || has_crossed(k, g[k])) continue;
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
  if (const std::optional<int> k = find_crossed(g_start_)) return Crossing{t0, *k};
  take_samples(evaluate, t0, t1);
  for (size_t i = 1; i < num_samples_; ++i) {
    if (find_crossed(samples_[i].g)) return locate(evaluate, samples_[i - 1], samples_[i]);
    update_sides(samples_[i].g);
  }
  g_start_ = samples_[num_samples_ - 1].g;
  is_fresh_ = false;
  return std::nullopt;
}

void EventWatch::take_sample(const Evaluate& evaluate, double t) {
  if (samples_.size() == num_samples_) samples_.push_back({t, VecX::Zero(size())});
  Sample& sample = samples_[num_samples_++];
  sample.t = t;
  sample.g.resize(size());
  evaluate(t, sample.g.data());
}

void EventWatch::take_samples(const Evaluate& evaluate, double t0, double t1) {
  const double h = t1 - t0;
  num_samples_ = 0;
  if (samples_.empty()) samples_.push_back({});
  samples_[num_samples_++] = {t0, g_start_};
  const bool is_undecided = std::find(sides_.begin(), sides_.end(), 0) != sides_.end();
  if (is_fresh_ && is_undecided) {
    const double first_interior = h / (options_.interior_samples + 1);
    for (double fraction = 1e-9; fraction < 0.2; fraction *= 10.0) {
      const double t = t0 + fraction * h;
      if (t > samples_[num_samples_ - 1].t && fraction * h < 0.99 * first_interior) take_sample(evaluate, t);
    }
  }
  const size_t first_regular = num_samples_ - 1;
  for (int i = 1; i <= options_.interior_samples; ++i) {
    const double t = t0 + h * i / (options_.interior_samples + 1);
    if (t > samples_[num_samples_ - 1].t && t < t1) take_sample(evaluate, t);
  }
  take_sample(evaluate, t1);
  add_vertices(evaluate, first_regular);
}

void EventWatch::add_vertices(const Evaluate& evaluate, size_t first) {
  std::vector<double> vertices;
  for (size_t i = first; i + 2 < num_samples_; ++i) {
    for (int k = 0; k < size() && vertices.size() < kMaxVertices; ++k) {
      if (const std::optional<double> t = find_vertex(i, k)) vertices.push_back(*t);
    }
  }
  if (vertices.empty()) return;
  for (const double t : vertices) take_sample(evaluate, t);
  std::stable_sort(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(num_samples_),
                   [](const Sample& a, const Sample& b) { return a.t < b.t; });
}

/// Where the parabola through three samples of one sign comes close to zero, if it does between them.
std::optional<double> EventWatch::find_vertex(size_t first, int k) const {
  const Sample& a = samples_[first];
  const Sample& b = samples_[first + 1];
  const Sample& c = samples_[first + 2];
  const double sign = b.g[k] > 0.0 ? 1.0 : -1.0;
  if (directions_[k] == (sign > 0.0 ? EventDirection::rising : EventDirection::falling)) return std::nullopt;
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
      const double fraction = linear_root(before.g[k], after.g[k]);
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

/// Shrinks [before, after] around the crossing of function k to the resolution of time: regula falsi with the Illinois
/// weights, bisection whenever that fails to halve the bracket in three turns.
void EventWatch::narrow(const Evaluate& evaluate, int k, Sample* before, Sample* after) const {
  double g_before = before->g[k];
  double g_after = after->g[k];
  double width_old = after->t - before->t;
  int last_side = 0;
  Sample middle = *after;
  for (int turn = 1; turn <= 200; ++turn) {
    const double width = after->t - before->t;
    if (width <= 2.0 * kEpsilon * std::abs(after->t) || width <= std::numeric_limits<double>::min()) return;
    const bool is_slow = turn % 3 == 0 && width > 0.5 * width_old;
    if (turn % 3 == 0) width_old = width;
    // The function may have been decided only within its noise at `before`; then the line is meaningless.
    const bool has_line = g_before * g_after < 0.0;
    middle.t = is_slow || !has_line ? before->t + 0.5 * width : before->t + width * linear_root(g_before, g_after);
    if (middle.t <= before->t) middle.t = std::nextafter(before->t, after->t);
    if (middle.t >= after->t) middle.t = std::nextafter(after->t, before->t);
    if (middle.t <= before->t) return;
    evaluate(middle.t, middle.g.data());
    if (has_crossed(k, middle.g[k])) {
      *after = middle;
      g_after = middle.g[k];
      if (last_side == 1) g_before *= 0.5;
      last_side = 1;
      if (g_after == 0.0 && width < 1e-9 * std::abs(after->t)) return;
    } else {
      *before = middle;
      g_before = middle.g[k];
      if (last_side == -1) g_after *= 0.5;
      last_side = -1;
    }
  }
}

}  // namespace abut
