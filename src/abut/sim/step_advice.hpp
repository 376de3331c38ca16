#pragma once

#include <string>
#include <vector>

#include "abut/sim/advice.hpp"

namespace abut {

/// Longest steps of the explicit methods that hold for the whole scene, and what sets them.
struct StepAdvice {
  double rk4 = 0.0;  ///< [s]; infinite where nothing limits it
  double semi_implicit = 0.0;
  double euler = 0.0;
  std::string
      limited_by;  ///< of rk4: a pair, "springs, motors and joints" or "the scene as a whole"; empty where nothing does
};

/// The least of what the contacts bear and of what springs, dampers, motors, joints and gyroscopic moments ask for: the
/// eigenvalues of the motion without contact at the start, and a hundredth to a twentieth of the energy over the run;
/// corrected by short runs of the scene itself (step_trial), which know what contacts do to each other.
StepAdvice make_step_advice(const Model& model, const std::vector<ContactAdvice>& contacts);

}  // namespace abut
