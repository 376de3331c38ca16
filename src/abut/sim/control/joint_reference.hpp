#pragma once

#include <optional>

#include "abut/sim/control/control_law.hpp"
#include "abut/sim/control/trajectory.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// The trajectory of the joints, or rest where they start.
inline Trajectory make_joint_reference(const std::optional<TrajectorySpec>& spec, const ControlSite& site) {
  if (spec) return Trajectory(*spec, static_cast<int>(site.motors.size()));
  std::vector<double> rest;
  for (const ControlledMotor& motor : site.motors) rest.push_back(site.model.q0[motor.q_index]);
  return Trajectory(std::move(rest));
}

/// One number for each motor, from one for all, one each, or none.
inline std::vector<double> spread(const std::vector<double>& numbers, std::size_t count, double fallback) {
  if (numbers.size() == count) return numbers;
  return std::vector<double>(count, numbers.empty() ? fallback : numbers[0]);
}

}  // namespace abut
