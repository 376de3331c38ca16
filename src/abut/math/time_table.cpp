#include "abut/math/time_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "abut/base/error.hpp"

namespace abut {

TimeTable::TimeTable(std::vector<double> times, std::vector<double> values)
    : times_(std::move(times)), values_(std::move(values)) {
  check_time_table(times_, values_, 1);
}

double TimeTable::value(double t) const {
  if (t <= times_.front()) return values_.front();
  if (t >= times_.back()) return values_.back();
  const std::size_t k = static_cast<std::size_t>(find_interval(times_, t));
  const double share = (t - times_[k]) / (times_[k + 1] - times_[k]);
  return std::lerp(values_[k], values_[k + 1], share);
}

double TimeTable::rate(double t) const {
  if (t < times_.front() || t >= times_.back()) return 0.0;
  const std::size_t k = static_cast<std::size_t>(find_interval(times_, t));
  return (values_[k + 1] - values_[k]) / (times_[k + 1] - times_[k]);
}

double TimeTable::mean(double t0, double t1) const {
  double sum = 0.0, t = t0, at = value(t0);
  const auto add_up_to = [&](double next) {
    const double there = value(next);
    sum += 0.5 * (at + there) * (next - t);
    t = next;
    at = there;
  };
  for (auto bend = std::upper_bound(times_.begin(), times_.end(), t0); bend != times_.end() && *bend < t1; ++bend) {
    add_up_to(*bend);
  }
  add_up_to(t1);
  return sum / (t1 - t0);
}

bool TimeTable::bends_within(double t0, double t1) const {
  const double rounding = 1e-9 * (t1 - t0);
  const std::span<const double> bends = breakpoints();
  const auto next = std::upper_bound(bends.begin(), bends.end(), t0 + rounding);
  return next != bends.end() && *next < t1 - rounding;
}

std::span<const double> TimeTable::breakpoints() const {
  if (times_.size() < 2) return {};
  return times_;
}

void check_time_table(std::span<const double> times, std::span<const double> values, int least) {
  if (times.size() != values.size()) {
    throw InputError(fmt::format("a table has {} times but {} values", times.size(), values.size()));
  }
  if (std::ssize(times) < least) {
    throw InputError(fmt::format("a table has {} entries; it needs at least {}", times.size(), least));
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]) || !std::isfinite(values[k])) {
      throw InputError(fmt::format("entry {} of a table is not finite: time {}, value {}", k + 1, times[k], values[k]));
    }
    if (k > 0 && !(times[k] > times[k - 1])) {
      throw InputError(fmt::format("times of a table must increase: {} s is followed by {} s", times[k - 1], times[k]));
    }
  }
}

int find_interval(std::span<const double> times, double t) {
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  return std::clamp(static_cast<int>(after - times.begin()) - 1, 0, static_cast<int>(times.size()) - 2);
}

}  // namespace abut
