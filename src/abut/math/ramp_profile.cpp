#include "abut/math/ramp_profile.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"

namespace abut {

RampProfile::RampProfile(double distance, double speed, double acceleration, double jerk) : distance_(distance) {
  if (!(distance > 0.0 && speed > 0.0 && acceleration > 0.0 && jerk > 0.0))
    throw InputError("a ramp needs a distance and limits above zero");
  // With time to reach the largest acceleration, and the largest speed.
  const bool has_plateau = speed * jerk >= acceleration * acceleration;
  jerk_time_ = has_plateau ? acceleration / jerk : std::sqrt(speed / jerk);
  rise_ = has_plateau ? jerk_time_ + speed / acceleration : 2.0 * jerk_time_;
  if (distance >= speed * rise_) {
    cruise_ = distance / speed - rise_;
  } else {
    jerk_time_ = acceleration / jerk;
    if (distance >= 2.0 * acceleration * jerk_time_ * jerk_time_) {
      rise_ = 0.5 * jerk_time_ + std::sqrt(0.25 * jerk_time_ * jerk_time_ + distance / acceleration);
    } else {
      jerk_time_ = std::cbrt(0.5 * distance / jerk);
      rise_ = 2.0 * jerk_time_;
    }
  }
  peak_acceleration_ = jerk_time_ > 0.0 ? std::min(acceleration, jerk * jerk_time_) : acceleration;
  peak_speed_ = peak_acceleration_ * (rise_ - jerk_time_);
}

MotionSample RampProfile::sample_first_half(double t) const {
  const double jerk = jerk_time_ > 0.0 ? peak_acceleration_ / jerk_time_ : 0.0;
  if (t < jerk_time_) return {jerk * t * t * t / 6.0, 0.5 * jerk * t * t, jerk * t};
  if (t <= rise_ - jerk_time_) {
    const double tj = jerk_time_;
    return {peak_acceleration_ * (3.0 * t * t - 3.0 * t * tj + tj * tj) / 6.0, peak_acceleration_ * (t - 0.5 * tj),
            peak_acceleration_};
  }
  const double half = 0.5 * peak_speed_ * rise_;
  if (t < rise_) {
    const double left = rise_ - t;
    return {half - peak_speed_ * left + jerk * left * left * left / 6.0, peak_speed_ - 0.5 * jerk * left * left,
            jerk * left};
  }
  return {half + peak_speed_ * (t - rise_), peak_speed_, 0.0};
}

MotionSample RampProfile::sample(double t) const {
  if (t <= 0.0) return {};
  if (t >= duration()) return {distance_, 0.0, 0.0};
  if (t <= 0.5 * duration()) return sample_first_half(t);
  const MotionSample mirror = sample_first_half(duration() - t);
  return {distance_ - mirror.value, mirror.rate, -mirror.acceleration};
}

}  // namespace abut
