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

/// Natural cubic spline through given positions: position, rate and acceleration are continuous everywhere. Outside the
/// table the motion goes on at its end rate, where the natural spline has no acceleration; to come to rest, end the
/// table with equal values.
class SplineMotion {
 public:
  /// Throws InputError like TimeTable; at least two entries.
  SplineMotion(std::vector<double> times, std::vector<double> values);
  MotionSample sample(double t) const;
  std::span<const double> times() const { return times_; }

 private:
  std::vector<double> times_, values_;
  std::vector<double> accelerations_;  ///< at the times; linear between them
};

/// A prescribed motion of one coordinate, twice differentiable at all times.
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
  /// Instants [s] where the third derivative jumps, increasing: integrators of order above two should step onto them.
  std::span<const double> breakpoints() const;

 private:
  Kind kind_;
};

}  // namespace abut
