#include "abut/math/motion_profile.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/math/time_table.hpp"

namespace abut {
namespace {

/// Second derivatives of the natural spline, by elimination of the tridiagonal continuity conditions of the slope:
///   h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (slope_k - slope_{k-1}),   m = 0 at both ends.
std::vector<double> calc_spline_accelerations(std::span<const double> t, std::span<const double> y) {
  const std::size_t n = t.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double before = t[k] - t[k - 1], after = t[k + 1] - t[k];
    const double pivot = 2.0 * (before + after) - before * upper[k - 1];
    const double bend = 6.0 * ((y[k + 1] - y[k]) / after - (y[k] - y[k - 1]) / before);
    upper[k] = after / pivot;
    m[k] = (bend - before * m[k - 1]) / pivot;
  }
  for (std::size_t k = n - 1; k-- > 1;) m[k] -= upper[k] * m[k + 1];
  return m;
}

/// Rates at the entries: those of the natural spline, limited so that every piece is monotone.
std::vector<double> calc_limited_rates(std::span<const double> t, std::span<const double> y) {
  const std::size_t n = t.size();
  const std::vector<double> m = calc_spline_accelerations(t, y);
  const auto slope = [&](std::size_t k) { return (y[k + 1] - y[k]) / (t[k + 1] - t[k]); };
  std::vector<double> rates(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double after = slope(std::min(k, n - 2)), before = slope(k == 0 ? 0 : k - 1);
    const double natural = k + 1 < n ? after - (t[k + 1] - t[k]) * (2.0 * m[k] + m[k + 1]) / 6.0
                                     : after + (t[k] - t[k - 1]) * (2.0 * m[k] + m[k - 1]) / 6.0;
    const double most = before * after > 0.0 ? 3.0 * std::min(std::abs(before), std::abs(after)) : 0.0;
    rates[k] = after > 0.0 ? std::clamp(natural, 0.0, most) : std::clamp(natural, -most, 0.0);
  }
  return rates;
}

void check_finite(std::initializer_list<double> parameters) {
  for (const double parameter : parameters) {
    if (!std::isfinite(parameter)) {
      throw InputError(fmt::format("a parameter of a prescribed motion is {}; it must be finite", parameter));
    }
  }
}

}  // namespace

MotionSample SineMotion::sample(double t) const {
  const double rate = 2.0 * std::numbers::pi * frequency;
  const double sine = std::sin(rate * t + phase), cosine = std::cos(rate * t + phase);
  return {offset + amplitude * sine, amplitude * rate * cosine, -amplitude * rate * rate * sine};
}

MotionSample CubicMotion::sample(double t) const {
  const double h = end_time - start_time;
  const double s = t - start_time;
  const double v0 = start_rate, v1 = end_rate;
  if (s < 0.0) return {start + v0 * s, v0, 0.0};
  if (s > h) return {end + v1 * (s - h), v1, 0.0};
  const double slope = (end - start) / h;
  const double a0 = (6.0 * slope - 4.0 * v0 - 2.0 * v1) / h;
  const double jerk = 6.0 * (v0 + v1 - 2.0 * slope) / (h * h);
  return {start + s * (v0 + s * (0.5 * a0 + s * jerk / 6.0)), v0 + s * (a0 + 0.5 * s * jerk), a0 + s * jerk};
}

SplineMotion::SplineMotion(std::vector<double> times, std::vector<double> values)
    : times_(std::move(times)), values_(std::move(values)) {
  check_time_table(times_, values_, 2);
  rates_ = calc_limited_rates(times_, values_);
}

MotionSample SplineMotion::sample(double t) const {
  const std::size_t k = static_cast<std::size_t>(find_interval(times_, t));
  return CubicMotion{times_[k], values_[k], rates_[k], times_[k + 1], values_[k + 1], rates_[k + 1]}.sample(t);
}

MotionProfile::MotionProfile(Kind kind) : kind_(std::move(kind)) {
  if (const auto* rate = std::get_if<ConstantRateMotion>(&kind_)) check_finite({rate->start, rate->rate});
  if (const auto* sine = std::get_if<SineMotion>(&kind_)) {
    check_finite({sine->offset, sine->amplitude, sine->frequency, sine->phase});
  }
}

MotionSample MotionProfile::sample(double t) const {
  return std::visit([t](const auto& kind) { return kind.sample(t); }, kind_);
}

std::span<const double> MotionProfile::breakpoints() const {
  if (const auto* spline = std::get_if<SplineMotion>(&kind_)) return spline->times();
  return {};
}

}  // namespace abut
