#include "abut/sim/control/trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace abut {

namespace {

/// One number for all channels, or one each.
double pick(std::span<const double> numbers, std::size_t channel) {
  return numbers.size() == 1 ? numbers[0] : numbers[channel];
}

}  // namespace

Trajectory::Trajectory(std::vector<double> rest) : first_(std::move(rest)) {}

Trajectory::Trajectory(const TrajectorySpec& spec, int channels) : first_(static_cast<std::size_t>(channels), 0.0) {
  if (const auto* s = std::get_if<TrapezoidTrajectorySpec>(&spec.kind))
    add_legs(s->points, s->speed, s->acceleration, {}, s->start, s->dwell);
  if (const auto* s = std::get_if<SCurveTrajectorySpec>(&spec.kind))
    add_legs(s->points, s->speed, s->acceleration, s->jerk, s->start, s->dwell);
  if (const auto* s = std::get_if<SplineTrajectorySpec>(&spec.kind)) add_splines(s->points, 0.0);
  if (const auto* s = std::get_if<FileTrajectorySpec>(&spec.kind)) add_splines(s->points, s->offset);
}

/// The channel that needs longest decides: limits of the part of the way are the least of its own.
void Trajectory::add_legs(const std::vector<PathPointSpec>& points, std::span<const double> speed,
                          std::span<const double> acceleration, std::span<const double> jerk, double start,
                          double dwell) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  first_ = points.front().at;
  for (std::size_t k = 1; k < points.size(); ++k) {
    const std::vector<double>&from = points[k - 1].at, &to = points[k].at;
    double v = kNoLimit, a = kNoLimit, j = kNoLimit;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      const double way = std::abs(to[i] - from[i]);
      if (way == 0.0) continue;
      v = std::min(v, pick(speed, i) / way);
      a = std::min(a, pick(acceleration, i) / way);
      if (!jerk.empty()) j = std::min(j, pick(jerk, i) / way);
    }
    if (v == kNoLimit) {
      start += dwell;
      continue;
    }
    legs_.push_back({start, from, to, RampProfile(1.0, v, a, j)});
    start += legs_.back().ramp.duration() + dwell;
  }
}

void Trajectory::add_splines(const std::vector<PathPointSpec>& points, double offset) {
  first_ = points.front().at;
  if (points.size() == 1) return;
  std::vector<double> times, values;
  for (const PathPointSpec& point : points) times.push_back(point.time.value() + offset);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    values.clear();
    for (const PathPointSpec& point : points) values.push_back(point.at[i]);
    splines_.emplace_back(times, values);
  }
}

void Trajectory::sample(double t, std::span<MotionSample> out) const {
  if (!splines_.empty()) {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      const std::span<const double> times = splines_[i].times();
      const double inside = std::clamp(t, times.front(), times.back());
      out[i] = splines_[i].sample(inside);
      if (inside != t) out[i].rate = out[i].acceleration = 0.0;
    }
    return;
  }
  const auto after =
      std::upper_bound(legs_.begin(), legs_.end(), t, [](double time, const Leg& leg) { return time < leg.start; });
  if (after == legs_.begin()) {
    for (std::size_t i = 0; i < first_.size(); ++i) out[i] = {first_[i], 0.0, 0.0};
    return;
  }
  const Leg& leg = *(after - 1);
  const MotionSample part = leg.ramp.sample(t - leg.start);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const double way = leg.to[i] - leg.from[i];
    out[i] = {part.value == 1.0 ? leg.to[i] : leg.from[i] + part.value * way, part.rate * way, part.acceleration * way};
  }
}

}  // namespace abut
