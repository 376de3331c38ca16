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

/// m x_c'' + d x_c' + k (x_c - r) = F, and the tool follows x_c.
struct AdmittanceSpec : ToolSpec {
  static constexpr const char* kTag = "admittance";
  static constexpr const char* kDoc =
      "The tool follows a point that moves by the sensed wrench: m d2x/dt2 + d dx/dt + k (x - r) = F, turns likewise.";
  std::string sensor;
  Vec3 mass = Vec3::Zero(), damping = Vec3::Zero(), stiffness = Vec3::Zero();  ///< [kg], [N s/m], [N/m]
  Vec3 turn_inertia = Vec3::Zero(), turn_damping = Vec3::Zero(), turn_stiffness = Vec3::Zero();
  double kp = 158.0;  ///< [1/s^2]
  double kv = 25.1;   ///< [1/s]
  ControlAxes axes = ControlAxes::world;
  std::vector<NominalMassSpec> nominal;
  std::optional<TrajectorySpec> trajectory;
};

/// Velocity of the tool over time: straight lines between the times, held outside.
struct ToolVelocitySpec : Located {
  std::vector<double> time;   ///< [s]
  std::vector<Vec3> linear;   ///< [m/s]
  std::vector<Vec3> angular;  ///< [rad/s]
};

/// Force-moment accommodation: v_ref = v_d + db(F, F0) / B, w_ref = w_d + db(M, M0) / B_M.
struct AccommodationSpec : ToolSpec {
  static constexpr const char* kTag = "accommodation";
  static constexpr const char* kDoc =
      "Force-moment accommodation: the tool gives way with a speed in proportion to the sensed force beyond a dead "
      "band.";
  std::string sensor;
  Vec3 b = Vec3::Constant(1e4);                                      ///< [N s/m]
  Vec3 b_turn = Vec3::Constant(500.0);                               ///< [N m s/rad]
  double dead_band = 10.0;                                           ///< F0 [N]
  double turn_dead_band = 1.0;                                       ///< M0 [N m]
  std::optional<double> speed_limit, turn_speed_limit, force_limit;  ///< [m/s], [rad/s], [N]
  double kp = 158.0;                                                 ///< [1/s^2]
  double kv = 25.1;                                                  ///< [1/s]
  ControlAxes axes = ControlAxes::world;
  std::vector<NominalMassSpec> nominal;
  std::optional<ToolVelocitySpec> command;
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

template <class Visitor>
void visit_loop(Visitor& v, auto& s) {
  v(s.kp, FieldInfo{.key = "kp", .unit = "1/s^2", .doc = "Gain of the pose error.", .minimum = 0});
  v(s.kv, FieldInfo{.key = "kv", .unit = "1/s", .doc = "Gain of the velocity error.", .minimum = 0, .exclusive = true});
}

inline constexpr FieldInfo kAxes{.key = "axes", .doc = "Axes in which the gains are told."};
inline constexpr FieldInfo kSensor{
    .key = "sensor", .doc = "Sensor of the wrench on the tool, from outside.", .required = true};
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
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<AdmittanceSpec> auto& s) {
  control_detail::visit_tool(v, s);
  v(s.sensor, control_detail::kSensor);
  v(s.mass,
    FieldInfo{
        .key = "mass", .unit = "kg", .doc = "m of each axis.", .minimum = 0, .exclusive = true, .required = true});
  v(s.damping, FieldInfo{.key = "damping", .unit = "N s/m", .doc = "d of each axis.", .minimum = 0, .required = true});
  v(s.stiffness, FieldInfo{.key = "stiffness", .unit = "N/m", .doc = "k of each axis.", .minimum = 0});
  v(s.turn_inertia, FieldInfo{.key = "turn_inertia",
                              .unit = "kg m^2",
                              .doc = "m about each axis.",
                              .minimum = 0,
                              .exclusive = true,
                              .required = true});
  v(s.turn_damping,
    FieldInfo{.key = "turn_damping", .unit = "N m s/rad", .doc = "d about each axis.", .minimum = 0, .required = true});
  v(s.turn_stiffness, FieldInfo{.key = "turn_stiffness", .unit = "N m/rad", .doc = "k about each axis.", .minimum = 0});
  control_detail::visit_loop(v, s);
  v(s.axes, control_detail::kAxes);
  v(s.nominal, control_detail::kNominal);
  v(s.trajectory, control_detail::kPoseTrajectory);
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ToolVelocitySpec> auto& s) {
  v(s.time, FieldInfo{.key = "time", .unit = "s", .doc = "Increasing times.", .required = true});
  v(s.linear, FieldInfo{.key = "linear", .unit = "m/s", .doc = "Velocity of the tool's point at each time, world."});
  v(s.angular, FieldInfo{.key = "angular", .unit = "rad/s", .doc = "Angular velocity at each time, world."});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<AccommodationSpec> auto& s) {
  control_detail::visit_tool(v, s);
  v(s.sensor, control_detail::kSensor);
  v(s.b, FieldInfo{.key = "b",
                   .symbol = "B",
                   .unit = "N s/m",
                   .doc = "Force for each m/s by which the tool gives way, of each axis.",
                   .minimum = 0,
                   .exclusive = true});
  v(s.b_turn, FieldInfo{.key = "b_turn",
                        .symbol = "B_M",
                        .unit = "N m s/rad",
                        .doc = "Moment for each rad/s, about each axis.",
                        .minimum = 0,
                        .exclusive = true});
  v(s.dead_band,
    FieldInfo{.key = "dead_band", .symbol = "F0", .unit = "N", .doc = "Force that is ignored.", .minimum = 0});
  v(s.turn_dead_band,
    FieldInfo{.key = "turn_dead_band", .symbol = "M0", .unit = "N m", .doc = "Moment likewise.", .minimum = 0});
  v(s.speed_limit, FieldInfo{.key = "speed_limit",
                             .unit = "m/s",
                             .doc = "Largest speed of the reference.",
                             .minimum = 0,
                             .exclusive = true,
                             .otherwise = "no limit"});
  v(s.turn_speed_limit, FieldInfo{.key = "turn_speed_limit",
                                  .unit = "rad/s",
                                  .doc = "Largest angular speed of the reference.",
                                  .minimum = 0,
                                  .exclusive = true,
                                  .otherwise = "no limit"});
  v(s.force_limit, FieldInfo{.key = "force_limit",
                             .unit = "N",
                             .doc = "While the sensed force is larger, the commanded velocity counts as zero.",
                             .minimum = 0,
                             .exclusive = true,
                             .otherwise = "no limit"});
  control_detail::visit_loop(v, s);
  v(s.axes, control_detail::kAxes);
  v(s.nominal, control_detail::kNominal);
  v(s.command, FieldInfo{.key = "command", .doc = "Commanded velocity over time.", .otherwise = "rest"});
}

}  // namespace abut
