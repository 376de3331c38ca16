#include "abut/io/robot/robot_tree.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace abut {
namespace {

/// Index by name; a name that stands twice is reported.
template <class Part>
std::map<std::string, int> index_names(const std::vector<Part>& parts, const char* kind, ProblemList& problems,
                                       bool& is_good) {
  std::map<std::string, int> index;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [place, is_new] = index.emplace(parts[i].name, static_cast<int>(i));
    if (is_new) continue;
    is_good = false;
    problems.add(
        parts[i].where, fmt::format("two {}s are called '{}'", kind, parts[i].name),
        fmt::format("The first is at {}.", describe_place(parts[static_cast<std::size_t>(place->second)].where)));
  }
  return index;
}

template <class Part>
std::vector<std::string> list_of(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  return names;
}

}  // namespace

std::optional<RobotTree> make_robot_tree(const RobotModel& robot, ProblemList& problems) {
  bool is_good = true;
  const std::size_t num_links = robot.links.size();
  if (num_links == 0) {
    problems.add({robot.file, 0, 0, 0}, "there is no <link> in this robot");
    return std::nullopt;
  }
  const std::map<std::string, int> links = index_names(robot.links, "link", problems, is_good);
  index_names(robot.joints, "joint", problems, is_good);
  RobotTree tree;
  tree.joint_of_link.assign(num_links, -1);
  tree.parent_of_link.assign(num_links, -1);
  tree.joints_from_link.resize(num_links);
  tree.child_of_joint.assign(robot.joints.size(), -1);
  const auto find = [&](const std::string& name, const SourceLocation& where, const std::string& joint) {
    const auto found = links.find(name);
    if (found != links.end()) return found->second;
    is_good = false;
    const std::vector<std::string> names = list_of(robot.links);
    problems.add(where, fmt::format("there is no link '{}' for joint '{}'.{}", name, joint, suggest(name, names)),
                 fmt::format("Links: {}.", list_names(names)), name, names);
    return -1;
  };
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const RobotJoint& joint = robot.joints[j];
    const int parent = find(joint.parent, joint.parent_where, joint.name);
    const int child = find(joint.child, joint.child_where, joint.name);
    if (parent < 0 || child < 0) continue;
    int& carrier = tree.joint_of_link[static_cast<std::size_t>(child)];
    if (carrier >= 0 || parent == child) {
      is_good = false;
      problems.add(joint.child_where,
                   parent == child ? fmt::format("joint '{}' joins link '{}' to itself", joint.name, joint.child)
                                   : fmt::format("link '{}' is the child of two joints, '{}' and '{}'", joint.child,
                                                 robot.joints[static_cast<std::size_t>(carrier)].name, joint.name),
                   "The links of a URDF form a tree: each but the root is the child of one joint.");
      continue;
    }
    carrier = static_cast<int>(j);
    tree.child_of_joint[j] = child;
    tree.parent_of_link[static_cast<std::size_t>(child)] = parent;
    tree.joints_from_link[static_cast<std::size_t>(parent)].push_back(static_cast<int>(j));
  }
  if (!is_good) return std::nullopt;
  std::vector<int> roots;
  for (std::size_t i = 0; i < num_links; ++i) {
    if (tree.joint_of_link[i] < 0) roots.push_back(static_cast<int>(i));
  }
  for (std::size_t k = 1; k < roots.size(); ++k) {
    const RobotLink& link = robot.links[static_cast<std::size_t>(roots[k])];
    problems.add(link.where,
                 fmt::format("the robot has two roots: neither link '{}' nor link '{}' is the child of a joint",
                             robot.links[static_cast<std::size_t>(roots[0])].name, link.name),
                 "The links of a URDF form a tree: each but the root is the child of one joint.");
  }
  if (roots.size() > 1) return std::nullopt;
  if (roots.size() == 1) {
    tree.root = roots[0];
    tree.order.push_back(tree.root);
    for (std::size_t k = 0; k < tree.order.size(); ++k) {
      for (const int j : tree.joints_from_link[static_cast<std::size_t>(tree.order[k])])
        tree.order.push_back(tree.child_of_joint[static_cast<std::size_t>(j)]);
    }
    if (tree.order.size() == num_links) return tree;
  }
  for (std::size_t i = 0; i < num_links; ++i) {
    if (std::find(tree.order.begin(), tree.order.end(), static_cast<int>(i)) != tree.order.end()) continue;
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(tree.joint_of_link[i])];
    problems.add(joint.parent_where,
                 fmt::format("joints form a loop through link '{}' (joint '{}')", robot.links[i].name, joint.name),
                 "The links of a URDF form a tree; a loop is closed by a [[joint]] with closes_loop in the scene.");
    break;
  }
  return std::nullopt;
}

}  // namespace abut
