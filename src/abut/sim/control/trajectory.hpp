#pragma once

#include <span>
#include <vector>

#include "abut/math/motion_profile.hpp"
#include "abut/math/ramp_profile.hpp"
#include "abut/scene/trajectory_spec.hpp"

namespace abut {

/// Where some channels shall be, over time.
class Trajectory {
 public:
  /// Rests here for ever.
  explicit Trajectory(std::vector<double> rest);
  /// A checked specification with as many channels.
  Trajectory(const TrajectorySpec& spec, int channels);

  int channels() const { return static_cast<int>(first_.size()); }
  /// Of each channel at t.
  void sample(double t, std::span<MotionSample> out) const;

 private:
  /// From one point to the next along a straight line.
  struct Leg {
    double start = 0.0;  ///< [s]
    std::vector<double> from, to;
    RampProfile ramp;  ///< of the part of the way, 0 to 1
  };

  void add_legs(const std::vector<PathPointSpec>& points, std::span<const double> speed,
                std::span<const double> acceleration, std::span<const double> jerk, double start, double dwell);
  void add_splines(const std::vector<PathPointSpec>& points, double offset);

  std::vector<double> first_;  ///< where it begins
  std::vector<Leg> legs_;
  std::vector<SplineMotion> splines_;  ///< one a channel, where there are any
};

}  // namespace abut
