#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/math/mass_properties.hpp"
#include "abut/math/pose.hpp"
#include "abut/scene/joint_spec.hpp"
#include "abut/scene/shape_spec.hpp"

namespace abut {

/// A robot as its file says it, whichever format that has. Lengths in units of the file, which are metres by custom.

struct RobotLink {
  std::string name;
  SourceLocation where;
  std::optional<MassProperties> inertial;  ///< about the centre of mass, axes of the link
  SourceLocation inertial_where;
  std::vector<ShapeSpec> collision, visual;  ///< files of meshes as written
};

/// q = multiplier q_of + offset.
struct RobotMimic {
  std::string of;
  double multiplier = 1.0;
  double offset = 0.0;  ///< [m] or [rad]
  SourceLocation where;
};

/// `free`: the child moves freely; the joint says where it starts.
struct RobotJoint {
  std::string name;
  SourceLocation where;
  JointKind kind = JointKind::fixed;
  std::string parent, child;
  SourceLocation parent_where, child_where;
  Vec3 position = Vec3::Zero();  ///< of the joint's frame, which at q = 0 is the child's, in the parent
  Quat orientation = Quat::Identity();
  Vec3 axis = Vec3::UnitX();           ///< in the joint's frame
  Vec3 child_position = Vec3::Zero();  ///< of the joint's frame in the child
  std::optional<double> lower, upper;  ///< [m] or [rad]
  std::optional<double> effort;        ///< largest force or torque of a motor [N] or [N m]
  double start = 0.0;                  ///< coordinate at the start
  double stiffness = 0.0, rest = 0.0;  ///< spring [N/m] or [N m/rad]
  double damping = 0.0;                ///< [N s/m] or [N m s/rad]
  double friction = 0.0;               ///< dry [N] or [N m]
  std::optional<RobotMimic> mimic;
  std::optional<MotorSpec> motor;
};

/// What a file says and a scene has no place for: each kind once, with the lines where it stands.
class LeftOut {
 public:
  void add(const std::string& what, int line) { lines_[index_of(what)].push_back(line); }
  /// "3 x <transmission> (lines 10, 20, 31): reason", in the order of the file.
  std::vector<std::string> list() const;

 private:
  std::size_t index_of(const std::string& what);
  std::vector<std::string> kinds_;
  std::vector<std::vector<int>> lines_;
};

struct RobotModel {
  std::string name;
  std::string file;
  std::vector<RobotLink> links;
  std::vector<RobotJoint> joints;
  LeftOut left_out;
};

}  // namespace abut
