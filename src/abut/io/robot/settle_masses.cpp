#include "abut/io/robot/settle_masses.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "abut/io/robot/possible_inertia.hpp"

namespace abut {
namespace {

/// Mass of a subtree about the origin of a frame.
struct Moments {
  double mass = 0.0;
  Vec3 first = Vec3::Zero();  ///< sum of m p [kg m]
  Mat3 about = Mat3::Zero();  ///< about the origin [kg m^2]

  void add(const MassProperties& m) {
    mass += m.mass;
    first += m.mass * m.center_of_mass;
    about += shifted_inertia(m.inertia, m.mass, m.center_of_mass);
  }
  /// Of a frame that is placed so in this one.
  void add(const Moments& other, const Pose& X) {
    if (!(other.mass > 0.0)) return;
    const Vec3 center = other.first / other.mass;
    const Mat3 central = shifted_inertia(other.about, -other.mass, center);
    add(MassProperties{other.mass, X * center, X.R * central * X.R.transpose()});
  }
};

class Settler {
 public:
  Settler(const RobotModel& robot, const RobotTree& tree, const MassRequest& request, ProblemList& problems,
          std::vector<std::string>& notes)
      : robot_(robot), tree_(tree), request_(request), problems_(problems), notes_(notes) {}

  std::vector<MassProperties> settle() {
    std::vector<std::string> frames;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      masses_.push_back(settle_link(static_cast<int>(i)));
      if (!(masses_.back().mass > 0.0) && !is_held(static_cast<int>(i))) frames.push_back(robot_.links[i].name);
    }
    give_moving_links_mass();
    std::erase_if(frames, [&](const std::string& name) { return given_.contains(name); });
    if (!frames.empty())
      notes_.push_back(fmt::format("{}: links without mass are frames: {}",
                                   std::filesystem::path(robot_.file).filename().string(), list_names(frames)));
    return std::move(masses_);
  }

 private:
  /// Whether no joint between the link and a root that is held moves.
  bool is_held(int link) const {
    for (int i = link; request_.is_held && i != tree_.root; i = tree_.parent_of_link[static_cast<std::size_t>(i)]) {
      const int joint = tree_.joint_of_link[static_cast<std::size_t>(i)];
      if (robot_.joints[static_cast<std::size_t>(joint)].kind != JointKind::fixed) return false;
    }
    return request_.is_held;
  }

  MassProperties settle_link(int index) {
    const RobotLink& link = robot_.links[static_cast<std::size_t>(index)];
    if (!link.inertial) return {};
    const std::string defect = find_inertial_defect(*link.inertial);
    if (defect.empty()) return *link.inertial;
    const MassProperties possible = make_possible(*link.inertial);
    const std::string fix =
        possible.mass > 0.0 ? describe_inertial(possible) : "no <inertial> at all, which is a frame";
    if (request_.repairs || is_held(index)) {
      notes_.push_back(fmt::format("{}: link '{}' {}; it is taken with {}", describe_place(link.inertial_where),
                                   link.name, defect, fix));
      return possible;
    }
    problems_.add(link.inertial_where, fmt::format("link '{}' {}", link.name, defect),
                  fmt::format("The nearest that a body can have, about its centre of mass and in axes of the link: {}. "
                              "{} takes that.",
                              fix, request_.scene_remedy));
    return possible;
  }

  /// A joint that moves nothing with a mass has no equation of motion.
  void give_moving_links_mass() {
    for (std::size_t k = tree_.order.size(); k-- > 0;) {
      const int index = tree_.order[k];
      const int j = tree_.joint_of_link[static_cast<std::size_t>(index)];
      if (j < 0) continue;
      const RobotJoint& joint = robot_.joints[static_cast<std::size_t>(j)];
      if (joint.kind == JointKind::fixed || calc_carried_mass(robot_, tree_, masses_, j).mass > 0.0) continue;
      const RobotLink& link = robot_.links[static_cast<std::size_t>(index)];
      const MassProperties ball = make_small_ball();
      masses_[static_cast<std::size_t>(index)] = ball;
      given_.insert(link.name);
      if (request_.repairs) {
        notes_.push_back(fmt::format("{}: link '{}' moves on joint '{}' without any mass; it is taken with {}",
                                     describe_place(link.where), link.name, joint.name, describe_inertial(ball)));
        continue;
      }
      problems_.add(link.where,
                    fmt::format("link '{}' moves on joint '{}', but neither it nor what it carries has a mass",
                                link.name, joint.name),
                    fmt::format("Give it an <inertial>, or make the joint fixed. {} takes a ball of one gram: {}.",
                                request_.scene_remedy, describe_inertial(ball)));
    }
  }

  const RobotModel& robot_;
  const RobotTree& tree_;
  const MassRequest& request_;
  ProblemList& problems_;
  std::vector<std::string>& notes_;
  std::vector<MassProperties> masses_;
  std::set<std::string> given_;
};

Pose pose_of(const RobotJoint& joint) {
  return Pose(joint.orientation, joint.position) * Pose(Mat3::Identity(), -joint.child_position);
}

/// Of the link and all it carries, about its origin.
Moments calc_subtree(const RobotModel& robot, const RobotTree& tree, const std::vector<MassProperties>& masses,
                     int link) {
  Moments sum;
  sum.add(masses[static_cast<std::size_t>(link)]);
  for (const int j : tree.joints_from_link[static_cast<std::size_t>(link)]) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(j)];
    if (joint.kind != JointKind::free)
      sum.add(calc_subtree(robot, tree, masses, tree.child_of_joint[static_cast<std::size_t>(j)]), pose_of(joint));
  }
  return sum;
}

}  // namespace

CarriedMass calc_carried_mass(const RobotModel& robot, const RobotTree& tree, const std::vector<MassProperties>& masses,
                              int joint) {
  Moments sum;
  const RobotJoint& moved = robot.joints[static_cast<std::size_t>(joint)];
  sum.add(calc_subtree(robot, tree, masses, tree.child_of_joint[static_cast<std::size_t>(joint)]),
          Pose(Mat3::Identity(), -moved.child_position));
  return {sum.mass, sum.about};
}

std::vector<MassProperties> settle_masses(const RobotModel& robot, const RobotTree& tree, const MassRequest& request,
                                          ProblemList& problems, std::vector<std::string>& notes) {
  return Settler(robot, tree, request, problems, notes).settle();
}

}  // namespace abut
