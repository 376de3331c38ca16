#pragma once

#include <span>
#include <variant>
#include <vector>

namespace abut {

/// A motion at an instant; units of the coordinate (m or rad) and per second.
struct MotionSample {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

/// start + rate t.
struct ConstantRateMotion {
  double start = 0.0, rate = 0.0;
  MotionSample sample(double t) const { return {start + rate * t, rate, 0.0}; }
};

/// offset + amplitude sin(2 pi frequency t + phase); frequency [Hz], phase [rad].
struct SineMotion {
  double offset = 0.0, amplitude = 0.0, frequency = 0.0, phase = 0.0;
  MotionSample sample(double t) const;
};

/// The cubic from one position and rate to another; before and after it straight lines at the end rates.
struct CubicMotion {
  double start_time = 0.0, start = 0.0, start_rate = 0.0;
  double end_time = 1.0, end = 0.0, end_rate = 0.0;
  MotionSample sample(double t) const;
};

/// Cubic pieces through given positions that never leave the range of the two entries around them: where the table
/// holds, the motion holds, and where it turns, it turns at the entry. The rates at the entries are those of the
/// natural spline, limited to what keeps each piece monotone ([Fritsch and Carlson 1980]: of the sign of both
/// neighbouring slopes, at most three times the smaller; zero at a turn). Position and rate are continuous everywhere,
/// the acceleration wherever no limit acts. Outside the table the motion goes on at its end rate; to come to rest, end
/// the table with equal values.
class SplineMotion {
 public:
  /// Throws InputError like TimeTable; at least two entries.
  SplineMotion(std::vector<double> times, std::vector<double> values);
  MotionSample sample(double t) const;
  std::span<const double> times() const { return times_; }

 private:
  std::vector<double> times_, values_;
  std::vector<double> rates_;  ///< at the times
};

/// A prescribed motion of one coordinate, twice differentiable but at breakpoints, where the acceleration may jump.
class MotionProfile {
 public:
  using Kind = std::variant<ConstantRateMotion, SineMotion, SplineMotion>;

  /// Rest at zero.
  MotionProfile() = default;
  /// Throws InputError where a parameter is not finite.
  explicit MotionProfile(Kind kind);

  MotionSample sample(double t) const;
  double value(double t) const { return sample(t).value; }
  double rate(double t) const { return sample(t).rate; }
  double acceleration(double t) const { return sample(t).acceleration; }
  /// Instants [s] where the second or third derivative jumps, increasing: integrators should step onto them.
  std::span<const double> breakpoints() const;

 private:
  Kind kind_;
};

}  // namespace abut
