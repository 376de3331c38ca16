#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/scene/field.hpp"
#include "abut/scene/joint_list.hpp"
#include "abut/scene/orientation_spec.hpp"
#include "abut/scene/table_spec.hpp"

namespace abut {

inline constexpr const char* kWorldName = "world";

struct JointFrictionSpec : Located {
  double coulomb = 0.0;  ///< [N] or [N m]
  double viscous = 0.0;  ///< [N s/m] or [N m s/rad]
  double v_eps = 1e-3;   ///< speed below which the Coulomb part is smoothed [m/s] or [rad/s]
  /// Given, any of these asks for the bristle law with stiction.
  std::optional<double> stiction;    ///< [N] or [N m]
  std::optional<double> sigma_0;     ///< [N/m] or [N m/rad]
  std::optional<double> sigma_1;     ///< [N s/m] or [N m s/rad]
  std::optional<double> v_stribeck;  ///< [m/s] or [rad/s]
  std::optional<double> tau_dwell;   ///< [s]

  bool has_stiction() const { return stiction || sigma_0 || sigma_1 || v_stribeck || tau_dwell; }
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<JointFrictionSpec> auto& s) {
  v(s.coulomb, FieldInfo{.key = "coulomb", .unit = "N or N m", .doc = "Load-independent dry friction.", .minimum = 0});
  v(s.viscous,
    FieldInfo{.key = "viscous", .unit = "N s/m or N m s/rad", .doc = "Proportional to the speed.", .minimum = 0});
  v(s.v_eps,
    FieldInfo{.key = "v_eps",
              .unit = "m/s or rad/s",
              .doc = "Speed at which the dry part has come up to its full size; a joint at rest holds by bristles.",
              .minimum = 0,
              .exclusive = true});
  v(s.stiction, FieldInfo{.key = "stiction",
                          .unit = "N or N m",
                          .doc = "Largest friction at rest, not below `coulomb`.",
                          .minimum = 0,
                          .otherwise = "`coulomb`"});
  v(s.sigma_0, FieldInfo{.key = "sigma_0",
                         .unit = "N/m or N m/rad",
                         .doc = "Stiffness of the bristles at rest.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "stiction over 1e-4 m or rad"});
  v(s.sigma_1, FieldInfo{.key = "sigma_1",
                         .unit = "N s/m or N m s/rad",
                         .doc = "Their damping.",
                         .minimum = 0,
                         .exclusive = true,
                         .otherwise = "critical, 2 sqrt(sigma_0 inertia of the coordinate)"});
  v(s.v_stribeck, FieldInfo{.key = "v_stribeck",
                            .unit = "m/s or rad/s",
                            .doc = "Speed at which stiction has given way to sliding.",
                            .minimum = 0,
                            .exclusive = true,
                            .otherwise = "stiction / sigma_1, the speed of taking up a load"});
  v(s.tau_dwell, FieldInfo{.key = "tau_dwell",
                           .unit = "s",
                           .doc = "Time in which stiction recovers; 0 for at once.",
                           .minimum = 0,
                           .fallback = 0});
}

/// torque: the force itself. velocity: gain (value - v). position: gain (value - q) + derivative_gain (d value/dt - v).
struct MotorSpec : Located {
  enum class Mode { torque, velocity, position };

  Mode mode = Mode::torque;
  std::optional<double> value;           ///< [N, N m], [m/s, rad/s] or [m, rad] by mode
  std::optional<ScalarTableSpec> table;  ///< the same over time
  double gain = 0.0;                     ///< velocity: [N s/m, N m s/rad]; position: [N/m, N m/rad]
  double derivative_gain = 0.0;          ///< position: [N s/m, N m s/rad]
  std::optional<double> force_limit;     ///< [N] or [N m]
};

template <>
struct EnumNames<MotorSpec::Mode> {
  using Mode = MotorSpec::Mode;
  static constexpr EnumTable<Mode, 3> values{
      {{Mode::torque, "torque"}, {Mode::velocity, "velocity"}, {Mode::position, "position"}}};
  static constexpr PlannedNames<0> planned{};
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<MotorSpec> auto& s) {
  v(s.mode, FieldInfo{.key = "mode",
                      .doc = "What `value` means: the force or torque itself, a speed or a position.",
                      .required = true});
  v(s.value, FieldInfo{.key = "value",
                       .unit = "N or N m; m/s or rad/s; m or rad",
                       .doc = "Constant command.",
                       .otherwise = "`table` is given"});
  v(s.table, FieldInfo{.key = "table", .doc = "Command over time.", .otherwise = "`value` is given"});
  v(s.gain, FieldInfo{.key = "gain",
                      .unit = "force or torque per unit of error",
                      .doc = "Of velocity and position modes.",
                      .minimum = 0});
  v(s.derivative_gain,
    FieldInfo{.key = "derivative_gain", .unit = "N s/m or N m s/rad", .doc = "Of position mode.", .minimum = 0});
  v(s.force_limit, FieldInfo{.key = "force_limit",
                             .unit = "N or N m",
                             .doc = "Largest force or torque.",
                             .minimum = 0,
                             .exclusive = true,
                             .otherwise = "no limit"});
}

/// Prescribed coordinate q(t) of a one-coordinate joint.
struct RateMotionSpec {
  static constexpr const char* kTag = "rate";
  static constexpr const char* kDoc = "q = start + rate t.";
  double start = 0.0;  ///< [m] or [rad]
  double rate = 0.0;   ///< [m/s] or [rad/s]
};
struct SineMotionSpec {
  static constexpr const char* kTag = "sine";
  static constexpr const char* kDoc = "q = offset + amplitude sin(2 pi frequency t + phase).";
  double offset = 0.0;     ///< [m] or [rad]
  double amplitude = 0.0;  ///< [m] or [rad]
  double frequency = 0.0;  ///< [Hz]
  double phase = 0.0;      ///< [rad]
};
struct TableMotionSpec {
  static constexpr const char* kTag = "table";
  static constexpr const char* kDoc = "q at points in time (at least two), joined by monotone cubic pieces.";
  std::vector<double> time;   ///< [s], increasing
  std::vector<double> value;  ///< [m] or [rad]
};

struct FileMotionSpec {
  static constexpr const char* kTag = "file";
  static constexpr const char* kDoc =
      "A measured motion: a column of a CSV file with time [s] in the first, joined as `table` (controllers.md).";
  std::string file;
  std::string column;
  double offset = 0.0;        ///< [s]
  std::vector<double> time;   ///< what the file held, once it was read [s]
  std::vector<double> value;  ///< [m] or [rad]
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<RateMotionSpec> auto& s) {
  v(s.start, FieldInfo{.key = "start", .unit = "m or rad", .doc = "Coordinate at time 0."});
  v(s.rate, FieldInfo{.key = "rate", .unit = "m/s or rad/s", .doc = "Constant rate.", .required = true});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<SineMotionSpec> auto& s) {
  v(s.offset, FieldInfo{.key = "offset", .unit = "m or rad", .doc = "Mean value."});
  v(s.amplitude, FieldInfo{.key = "amplitude", .unit = "m or rad", .doc = "Half the total swing.", .required = true});
  v(s.frequency, FieldInfo{.key = "frequency",
                           .unit = "Hz",
                           .doc = "Cycles a second.",
                           .minimum = 0,
                           .exclusive = true,
                           .required = true});
  v(s.phase, FieldInfo{.key = "phase", .unit = "rad", .doc = "Phase at time 0."});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<TableMotionSpec> auto& s) {
  v(s.time, FieldInfo{.key = "time", .unit = "s", .doc = "Increasing times.", .required = true});
  v(s.value, FieldInfo{.key = "value", .unit = "m or rad", .doc = "Coordinate at each time.", .required = true});
}

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<FileMotionSpec> auto& s) {
  v(s.file, FieldInfo{.key = "file", .doc = "CSV file, beside the scene unless absolute.", .required = true});
  v(s.column, FieldInfo{.key = "column", .doc = "Column of the coordinate, by name.", .required = true});
  v(s.offset, FieldInfo{.key = "offset", .unit = "s", .doc = "Added to the times of the file."});
  v(s.time, FieldInfo{.key = "time",
                      .unit = "s",
                      .doc = "Times of the file when it was read; then it is not read again.",
                      .otherwise = "read from the file"});
  v(s.value,
    FieldInfo{.key = "value", .unit = "m or rad", .doc = "Its column, likewise.", .otherwise = "read from it"});
}

struct MotionSpec : Located {
  std::variant<RateMotionSpec, SineMotionSpec, TableMotionSpec, FileMotionSpec> kind;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<MotionSpec> auto& s) {
  v(s.kind, FieldInfo{.key = "kind", .doc = "Form of the motion.", .required = true});
}

/// Joint between frame F on the parent and frame M on the child; axes are given in F. At q = 0 the frames coincide.
struct JointSpec : Located {
  using Type = JointKind;

  std::string name;
  Type type = Type::fixed;
  std::string parent = kWorldName;
  std::string child;
  bool closes_loop = false;  ///< it holds the bodies together but does not carry the child
  std::optional<Vec3> axis;
  std::optional<Vec3> axis_2;
  Vec3 parent_position = Vec3::Zero();  ///< p_PF [m]
  std::optional<Quat> parent_orientation;
  std::optional<RotationSpec> parent_rotation;
  Vec3 child_position = Vec3::Zero();  ///< p_CM [m]
  std::optional<Quat> child_orientation;
  std::optional<RotationSpec> child_rotation;
  std::vector<double> coordinates;        ///< q at the start; empty: zero [m, rad]
  std::vector<double> velocities;         ///< v at the start; empty: zero [m/s, rad/s]
  double stiffness = 0.0;                 ///< [N/m] or [N m/rad], each coordinate
  double rest = 0.0;                      ///< [m] or [rad]
  double damping = 0.0;                   ///< [N s/m] or [N m s/rad], each velocity
  std::optional<double> lower, upper;     ///< [m] or [rad]
  std::optional<double> limit_stiffness;  ///< [N/m] or [N m/rad]
  std::optional<double> limit_damping;    ///< [N s/m] or [N m s/rad]
  std::optional<JointFrictionSpec> friction;
  std::optional<MotorSpec> motor;
  std::optional<MotionSpec> motion;
};

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<JointSpec> auto& s) {
  v(s.name, FieldInfo{.key = "name", .doc = "Unique name.", .required = true});
  v(s.type, FieldInfo{.key = "type", .doc = "Kind of joint.", .required = true});
  v(s.parent, FieldInfo{.key = "parent", .doc = "Body that carries the joint, or `world`."});
  v(s.child, FieldInfo{.key = "child", .doc = "Body that the joint moves.", .required = true});
  v(s.closes_loop, FieldInfo{.key = "closes_loop",
                             .doc = "The joint closes a loop: other joints carry the child, or none; it has no "
                                    "coordinates, loads or motor of its own."});
  v(s.axis, FieldInfo{.key = "axis",
                      .unit = "1",
                      .doc = "Axis in the parent's joint frame (normal of the plane for planar).",
                      .otherwise = joint_docs().axis.c_str()});
  v(s.axis_2, FieldInfo{.key = "axis_2",
                        .unit = "1",
                        .doc = "Second axis of universal, perpendicular to the first.",
                        .otherwise = joint_docs().axis_2.c_str()});
  v(s.parent_position, FieldInfo{.key = "parent_position", .unit = "m", .doc = "Joint frame in the parent."});
  v(s.parent_orientation, FieldInfo{.key = "parent_orientation",
                                    .unit = "1",
                                    .doc = "Its unit quaternion (w, x, y, z).",
                                    .otherwise = "`parent_rotation`, or no turn"});
  v(s.parent_rotation,
    FieldInfo{.key = "parent_rotation", .doc = "The same by axis and angle.", .otherwise = "`parent_orientation`"});
  v(s.child_position, FieldInfo{.key = "child_position", .unit = "m", .doc = "Joint frame in the child."});
  v(s.child_orientation, FieldInfo{.key = "child_orientation",
                                   .unit = "1",
                                   .doc = "Its unit quaternion (w, x, y, z).",
                                   .otherwise = "`child_rotation`, or no turn"});
  v(s.child_rotation,
    FieldInfo{.key = "child_rotation", .doc = "The same by axis and angle.", .otherwise = "`child_orientation`"});
  v(s.coordinates, FieldInfo{.key = "coordinates",
                             .unit = "m or rad",
                             .doc = "Coordinates at the start; a quaternion (w, x, y, z) for spherical.",
                             .otherwise = "zero (no turn)"});
  v(s.velocities,
    FieldInfo{.key = "velocities", .unit = "m/s or rad/s", .doc = "Velocities at the start.", .otherwise = "zero"});
  v(s.stiffness,
    FieldInfo{.key = "stiffness", .unit = "N/m or N m/rad", .doc = "Spring on each coordinate.", .minimum = 0});
  v(s.rest, FieldInfo{.key = "rest", .unit = "m or rad", .doc = "Coordinate at which the spring is relaxed."});
  v(s.damping,
    FieldInfo{.key = "damping", .unit = "N s/m or N m s/rad", .doc = "Damper on each velocity.", .minimum = 0});
  v(s.lower, FieldInfo{.key = "lower", .unit = "m or rad", .doc = "Lower limit (compliant).", .otherwise = "no limit"});
  v(s.upper, FieldInfo{.key = "upper", .unit = "m or rad", .doc = "Upper limit (compliant).", .otherwise = "no limit"});
  v(s.limit_stiffness, FieldInfo{.key = "limit_stiffness",
                                 .unit = "N/m or N m/rad",
                                 .doc = "Stiffness of the limits.",
                                 .minimum = 0,
                                 .exclusive = true,
                                 .otherwise = "required with a limit"});
  v(s.limit_damping, FieldInfo{.key = "limit_damping",
                               .unit = "N s/m or N m s/rad",
                               .doc = "Damping of the limits.",
                               .minimum = 0,
                               .otherwise = "none"});
  v(s.friction, FieldInfo{.key = "friction", .doc = "Dry and viscous friction of the joint.", .otherwise = "none"});
  v(s.motor, FieldInfo{.key = "motor", .doc = "Motor of a one-coordinate joint.", .otherwise = "none"});
  v(s.motion, FieldInfo{.key = "motion", .doc = "Prescribed motion of a one-coordinate joint.", .otherwise = "none"});
}

}  // namespace abut
