#pragma once

#include <optional>
#include <vector>

#include "abut/io/robot/robot_model.hpp"
#include "abut/scene/problem_list.hpp"

namespace abut {

/// How the links of a robot hang together.
struct RobotTree {
  int root = 0;
  std::vector<int> joint_of_link;                  ///< that carries it; -1 for the root
  std::vector<int> parent_of_link;                 ///< -1 for the root
  std::vector<std::vector<int>> joints_from_link;  ///< that it carries
  std::vector<int> child_of_joint;
  std::vector<int> order;  ///< links, parents first
};

/// Names once, ends that exist, one root, no loop. Nothing after a mistake.
std::optional<RobotTree> make_robot_tree(const RobotModel& robot, ProblemList& problems);

}  // namespace abut
