#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "abut/io/robot/robot_model.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {

/// Reads a robot in the Unified Robot Description Format: links, inertials, collision and visual shapes, joints with
/// limits, dynamics and mimic. Every mistake is added with line and column; what is right but has no place in a scene
/// is listed in the model. Nothing when it is no URDF at all. What belongs together is judged by RobotTree.
std::optional<RobotModel> parse_urdf(std::string_view text, const std::string& file, ProblemList& problems);

}  // namespace abut
