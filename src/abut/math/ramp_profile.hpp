#pragma once

#include <limits>

#include "abut/math/motion_profile.hpp"

namespace abut {

/// From rest to rest over a distance, as fast as limits of speed, acceleration and jerk allow: up to seven pieces of
/// constant jerk, or with unlimited jerk three of constant acceleration (a trapezoid of speed).
/// [Biagiotti and Melchiorri 2008, 3.2, 3.4]
class RampProfile {
 public:
  /// Distance > 0; limits > 0, the jerk's may be infinite.
  RampProfile(double distance, double speed, double acceleration,
              double jerk = std::numeric_limits<double>::infinity());

  double duration() const { return 2.0 * rise_ + cruise_; }
  /// At rest at zero before t = 0, and at the distance after the duration.
  MotionSample sample(double t) const;

 private:
  MotionSample sample_first_half(double t) const;

  double distance_;
  double jerk_time_ = 0.0;  ///< of each piece with jerk [s]
  double rise_ = 0.0;       ///< until the largest speed is reached [s]
  double cruise_ = 0.0;     ///< at it [s]
  double peak_acceleration_ = 0.0, peak_speed_ = 0.0;
};

}  // namespace abut
