#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/joint_control_spec.hpp"
#include "abut/scene/orientation_spec.hpp"

namespace abut {

/// The frame that a Cartesian controller moves, and with which joints.
struct ToolSpec {
  std::vector<std::string> joints;
  std::string body;
  Vec3 position = Vec3::Zero();  ///< in the body [m]
  std::optional<Quat> orientation;
  std::optional<RotationSpec> rotation;
};

/// Axes in which gains are told.
enum class ControlAxes { world, tool };
template <>
struct EnumNames<ControlAxes> {
  static constexpr EnumTable<ControlAxes, 2> values{{{ControlAxes::world, "world"}, {ControlAxes::tool, "tool"}}};
  static constexpr PlannedNames<0> planned{};
};

/// J' (K e + D e') + h.
struct ImpedanceSpec : ToolSpec {
  static constexpr const char* kTag = "impedance";
  static constexpr const char* kDoc =
      "The tool hangs on a spring and damper of six axes at the reference: tau = J' (K e + D de/dt) + h(q, v).";
  Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();            ///< [N/m], [N s/m]
  Vec3 turn_stiffness = Vec3::Zero(), turn_damping = Vec3::Zero();  ///< [N m/rad], [N m s/rad]
  ControlAxes axes = ControlAxes::world;
  std::vector<NominalMassSpec> nominal;
  std::optional<TrajectorySpec> trajectory;
};

namespace control_detail {

template <class Visitor>
void visit_tool(Visitor& v, auto& s) {
  v(s.joints, kJoints);
  v(s.body, FieldInfo{.key = "body", .doc = "Body that is moved.", .required = true});
  v(s.position, FieldInfo{.key = "position", .unit = "m", .doc = "The tool's point in the body."});
  v(s.orientation, FieldInfo{.key = "orientation",
                             .unit = "1",
                             .doc = "The tool's axes in the body, unit quaternion (w, x, y, z).",
                             .otherwise = "`rotation`, or those of the body"});
  v(s.rotation, FieldInfo{.key = "rotation", .doc = "The same by axis and angle.", .otherwise = "`orientation`"});
}

inline constexpr FieldInfo kAxes{.key = "axes", .doc = "Axes in which the gains are told."};
inline constexpr FieldInfo kPoseTrajectory{
    .key = "trajectory",
    .doc = "Reference: x, y, z of the tool in the world, then its rotation vector (axis times angle).",
    .otherwise = "the pose at the start"};

}  // namespace control_detail

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ImpedanceSpec> auto& s) {
  control_detail::visit_tool(v, s);
  v(s.stiffness, FieldInfo{.key = "stiffness", .unit = "N/m", .doc = "Of each axis.", .minimum = 0, .required = true});
  v(s.damping, FieldInfo{.key = "damping", .unit = "N s/m", .doc = "Of each axis.", .minimum = 0});
  v(s.turn_stiffness,
    FieldInfo{.key = "turn_stiffness", .unit = "N m/rad", .doc = "About each axis.", .minimum = 0, .required = true});
  v(s.turn_damping, FieldInfo{.key = "turn_damping", .unit = "N m s/rad", .doc = "About each axis.", .minimum = 0});
  v(s.axes, control_detail::kAxes);
  v(s.nominal, control_detail::kNominal);
  v(s.trajectory, control_detail::kPoseTrajectory);
}
}  // namespace abut
