#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/scene/field.hpp"
#include "abut/scene/trajectory_spec.hpp"

namespace abut {

/// u = kp e + ki integral(e) + kd e', e = reference - coordinate; one for each joint.
struct JointPidSpec {
  static constexpr const char* kTag = "joint_pid";
  static constexpr const char* kDoc =
      "Each joint by itself: kp e + ki (integral of e) + kd de/dt, with e = reference - coordinate.";
  std::vector<std::string> joints;
  std::vector<double> kp, ki, kd;
  std::vector<double> limit;  ///< [N, N m]
  std::optional<TrajectorySpec> trajectory;
};

/// A body that the controller believes to have another mass than it has.
struct NominalMassSpec : Located {
  std::string body;
  double mass = 0.0;  ///< [kg]
};

/// tau = M(q) (a_ref + kp e + kd e') + h(q, v).
struct ComputedTorqueSpec {
  static constexpr const char* kTag = "computed_torque";
  static constexpr const char* kDoc =
      "By the model of the mechanism: tau = M(q) (d2r/dt2 + kp e + kd de/dt) + h(q, v), r the reference.";
  std::vector<std::string> joints;
  std::vector<double> kp, kd;  ///< [1/s^2], [1/s]
  std::vector<NominalMassSpec> nominal;
  std::optional<TrajectorySpec> trajectory;
};

namespace control_detail {

inline constexpr FieldInfo kJoints{
    .key = "joints", .doc = "Joints whose motors it commands, each with one coordinate.", .required = true};
inline constexpr FieldInfo kNominal{.key = "nominal",
                                    .doc = "Bodies whose mass the controller believes to be another; inertias scale.",
                                    .otherwise = "the masses of the scene"};

}  // namespace control_detail

template <class Visitor>
void visit_fields(Visitor& v, SpecOf<JointPidSpec> auto& s) {
  v(s.joints, control_detail::kJoints);
  v(s.kp, FieldInfo{.key = "kp",
                    .unit = "N/m or N m/rad",
                    .doc = "Proportional gains, one for all joints or one each.",
                    .minimum = 0,
                    .required = true,
                    .single = true});
  v(s.ki, FieldInfo{.key = "ki",
                    .unit = "N/(m s) or N m/(rad s)",
                    .doc = "Integral gains, likewise.",
                    .minimum = 0,
                    .otherwise = "none",
                    .single = true});
  v(s.kd, FieldInfo{.key = "kd",
                    .unit = "N s/m or N m s/rad",
                    .doc = "Derivative gains, likewise.",
                    .minimum = 0,
                    .otherwise = "none",
                    .single = true});
  v(s.limit, FieldInfo{.key = "limit",
                       .unit = "N or N m",
                       .doc = "Largest command, likewise; at it the integral does not grow.",
                       .minimum = 0,
                       .exclusive = true,
                       .otherwise = "no limit",
                       .single = true});
  v(s.trajectory, FieldInfo{.key = "trajectory",
                            .doc = "Reference, a channel for each joint.",
                            .otherwise = "the coordinates at the start"});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<NominalMassSpec> auto& s) {
  v(s.body, FieldInfo{.key = "body", .doc = "Body.", .required = true});
  v(s.mass, FieldInfo{.key = "mass",
                      .unit = "kg",
                      .doc = "What the controller takes for its mass.",
                      .minimum = 0,
                      .exclusive = true,
                      .required = true});
}
template <class Visitor>
void visit_fields(Visitor& v, SpecOf<ComputedTorqueSpec> auto& s) {
  v(s.joints, control_detail::kJoints);
  v(s.kp, FieldInfo{.key = "kp",
                    .unit = "1/s^2",
                    .doc = "Gains of the position error, one for all joints or one each.",
                    .minimum = 0,
                    .required = true,
                    .single = true});
  v(s.kd, FieldInfo{.key = "kd",
                    .unit = "1/s",
                    .doc = "Gains of the speed error.",
                    .minimum = 0,
                    .required = true,
                    .single = true});
  v(s.nominal, control_detail::kNominal);
  v(s.trajectory, FieldInfo{.key = "trajectory",
                            .doc = "Reference, a channel for each joint.",
                            .otherwise = "the coordinates at the start"});
}

}  // namespace abut
