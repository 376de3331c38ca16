#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/joint_spec.hpp"
#include "abut/scene/orientation_spec.hpp"

namespace abut {

/// What a scene adds to a joint of a robot, or says instead of its file.
struct RobotJointSpec : Located {
  std::string name;
  std::vector<double> coordinates;        ///< q at the start; empty: as the file's [m, rad]
  std::vector<double> velocities;         ///< v at the start [m/s, rad/s]
  std::optional<double> damping;          ///< [N s/m] or [N m s/rad]
  std::optional<double> limit_stiffness;  ///< [N/m] or [N m/rad]
  std::optional<double> limit_damping;    ///< [N s/m] or [N m s/rad]
  std::optional<JointFrictionSpec> friction;
  std::optional<MotorSpec> motor;
  std::optional<MotionSpec> motion;
};

/// A robot from a file of its own. When the scene is read its links become bodies and its joints become joints, named
/// `name/link` and `name/joint`, so that whoever reads the scene afterwards finds no robot in it.
struct RobotSpec : Located {
  enum class Base { fixed, floating };
  enum class Collision { hull, mesh, none };

  std::string name;
  std::string file;
  std::vector<std::string> packages;     ///< "name=folder"
  Base base = Base::fixed;               ///< of the root link
  std::string parent = kWorldName;       ///< body that carries a fixed base
  Vec3 position = Vec3::Zero();          ///< of the root link in the parent [m]
  std::optional<Quat> orientation;       ///< of the root link in the parent
  std::optional<RotationSpec> rotation;  ///< the same, by axis and angle
  double scale = 1.0;                    ///< metres for each unit of length of the file
  Collision collision = Collision::hull;
  bool visual = true;
  bool self_contact = false;
  bool repair = false;
  std::vector<RobotJointSpec> joint;
};

template <>
struct EnumNames<RobotSpec::Base> {
  static constexpr EnumTable<RobotSpec::Base, 2> values{
      {{RobotSpec::Base::fixed, "fixed"}, {RobotSpec::Base::floating, "floating"}}};
  static constexpr PlannedNames<0> planned{};
};

template <>
struct EnumNames<RobotSpec::Collision> {
  using Collision = RobotSpec::Collision;
  static constexpr EnumTable<Collision, 3> values{
      {{Collision::hull, "hull"}, {Collision::mesh, "mesh"}, {Collision::none, "none"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RobotJointSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "The joint's name in the file of the robot.", .required = true});
  v(s.coordinates, FieldInfo{.key = "coordinates",
                             .unit = "m or rad",
                             .doc = "Coordinates at the start.",
                             .otherwise = "zero, or the nearest limit where zero is outside of the limits"});
  v(s.velocities,
    FieldInfo{.key = "velocities", .unit = "m/s or rad/s", .doc = "Velocities at the start.", .otherwise = "zero"});
  v(s.damping, FieldInfo{.key = "damping",
                         .unit = "N s/m or N m s/rad",
                         .doc = "Damper on each velocity.",
                         .minimum = 0,
                         .otherwise = "that of the file"});
  v(s.limit_stiffness, FieldInfo{.key = "limit_stiffness",
                                 .unit = "N/m or N m/rad",
                                 .doc = "Stiffness of the limits.",
                                 .minimum = 0,
                                 .exclusive = true,
                                 .otherwise = "by the rule of robots.md"});
  v(s.limit_damping, FieldInfo{.key = "limit_damping",
                               .unit = "N s/m or N m s/rad",
                               .doc = "Damping of the limits.",
                               .minimum = 0,
                               .otherwise = "by the rule of robots.md"});
  v(s.friction,
    FieldInfo{.key = "friction", .doc = "Dry and viscous friction of the joint.", .otherwise = "that of the file"});
  v(s.motor,
    FieldInfo{.key = "motor",
              .doc = "Motor of a one-coordinate joint; its force_limit is the effort of the file unless given.",
              .otherwise = "none"});
  v(s.motion, FieldInfo{.key = "motion", .doc = "Prescribed motion of a one-coordinate joint.", .otherwise = "none"});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RobotSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name",
                      .doc = "Goes before the names of its links and joints: `name/link`.",
                      .otherwise = "the name in the file"});
  v(s.file, FieldInfo{.key = "file", .doc = "URDF file, relative to the scene's folder.", .required = true});
  v(s.packages,
    FieldInfo{.key = "packages",
              .doc = "Where `package://NAME/...` is: entries \"NAME=FOLDER\", relative to the scene's folder.",
              .otherwise = "a folder NAME at or above the file's"});
  v(s.base, FieldInfo{.key = "base", .doc = "Whether the root link is held or moves freely."});
  v(s.parent, FieldInfo{.key = "parent", .doc = "Body that carries a fixed base, or `world`."});
  v(s.position, FieldInfo{.key = "position", .unit = "m", .doc = "Origin of the root link in the parent."});
  v(s.orientation, FieldInfo{.key = "orientation",
                             .unit = "1",
                             .doc = "Unit quaternion (w, x, y, z) of the root link in the parent.",
                             .otherwise = "`rotation`, or no turn"});
  v(s.rotation, FieldInfo{.key = "rotation", .doc = "The same by axis and angle.", .otherwise = "`orientation`"});
  v(s.scale, FieldInfo{.key = "scale",
                       .unit = "1",
                       .doc = "Metres for each unit of length of the file; masses stay, inertias go with the square.",
                       .minimum = 0,
                       .exclusive = true});
  v(s.collision, FieldInfo{.key = "collision",
                           .doc = "Meshes of collision shapes: their convex hulls, the meshes themselves (which must "
                                  "then be closed), or no collision shapes at all."});
  v(s.visual, FieldInfo{.key = "visual", .doc = "Whether visual shapes are read, to be drawn."});
  v(s.self_contact,
    FieldInfo{.key = "self_contact",
              .doc = "Whether links of the robot may touch each other; entries of [[contact]] that cover them do so in "
                     "any case."});
  v(s.repair,
    FieldInfo{.key = "repair",
              .doc = "Masses and inertias that no body can have are replaced by the nearest possible ones, and said."});
  v(s.joint, FieldInfo{.key = "joint", .doc = "What the scene adds to joints of the robot.", .otherwise = "nothing"});
}

}  // namespace abut
