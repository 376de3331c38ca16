#pragma once

#include <span>
#include <vector>

#include "abut/contact/patch_response.hpp"
#include "abut/sim/link_forces.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// All that sensors look at, of one instant.
struct Sight {
  const Model& model;
  const Kinematics& now;
  std::span<const double> q, v;
  const std::vector<double>& joint_forces;
  const std::vector<PatchResponse>& responses;
  const LinkForces& forces;
};

/// What a sensor without faults would show, one number for each channel (docs/sensors.md has the equations).
void calc_true_value(const SensorPlan& plan, const Sight& sight, double* out);

}  // namespace abut
