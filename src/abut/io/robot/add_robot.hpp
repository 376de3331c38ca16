#pragma once

#include <string>

#include "abut/io/robot/robot_model.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Puts a robot into a scene: links become bodies, joints become joints, named by `spec.name` (or that of the robot), a
/// slash and their own names; then the rule that keeps its links from touching each other. What has no place in a scene
/// is told in scene.notes. Nothing is added after a mistake.
void add_robot(RobotModel robot, const RobotSpec& spec, const std::string& scene_path, SceneSpec& scene,
               ProblemList& problems);

}  // namespace abut
