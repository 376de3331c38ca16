#pragma once

#include <string>
#include <vector>

#include "abut/io/robot/robot_model.hpp"
#include "abut/io/robot/robot_tree.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {

/// What is asked of the masses of a robot.
struct MassRequest {
  bool is_held = true;       ///< the root, and all that is fixed to it, has no motion that a mass could matter to
  bool repairs = false;      ///< what no body can have is replaced, and said
  std::string scene_remedy;  ///< how to ask for repairs
};

/// The masses of all links as a body can have them, in the order of robot.links; a mass of zero is a frame. What no
/// body can have is reported with the numbers to write, or replaced and said in `notes` (that of held links always).
std::vector<MassProperties> settle_masses(const RobotModel& robot, const RobotTree& tree, const MassRequest& request,
                                          ProblemList& problems, std::vector<std::string>& notes);

/// Mass and inertia of all that hangs on a joint with it, at zero coordinates, about the origin of the joint's frame
/// and in its axes.
struct CarriedMass {
  double mass = 0.0;            ///< [kg]
  Mat3 inertia = Mat3::Zero();  ///< [kg m^2]
};
CarriedMass calc_carried_mass(const RobotModel& robot, const RobotTree& tree, const std::vector<MassProperties>& masses,
                              int joint);

}  // namespace abut
