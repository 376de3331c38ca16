#include <cmath>

#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

using Type = JointSpec::Type;

void check_axis(const JointSpec& joint, const char* key, const std::optional<Vec3>& axis, bool needed,
                const std::string& label, ProblemList& problems) {
  const bool given = is_given(joint, key, axis);
  if (needed && !given) {
    problems.add(joint.where,
                 fmt::format("{} is missing in {}: a {} joint needs it", key, label, enum_name(joint.type)));
  } else if (!needed && given) {
    problems.add(joint.location_of(key),
                 fmt::format("{} has no meaning for a {} joint in {}", key, enum_name(joint.type), label));
  } else if (axis && axis->allFinite() && !(axis->norm() > 0.0)) {
    problems.add(joint.location_of(key), fmt::format("{} must not be zero in {}", key, label));
  }
}

void check_axes(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  const int needed = joint_traits(joint.type).num_axes;
  check_axis(joint, "axis", joint.axis, needed >= 1, label, problems);
  check_axis(joint, "axis_2", joint.axis_2, needed >= 2, label, problems);
  if (needed < 2 || !joint.axis || !joint.axis_2) return;
  const double lengths = joint.axis->norm() * joint.axis_2->norm();
  if (std::abs(joint.axis->dot(*joint.axis_2)) > 1e-6 * lengths) {
    problems.add(joint.location_of("axis_2"), fmt::format("axis_2 must be perpendicular to axis in {}", label));
  }
}

void check_count(const JointSpec& joint, const char* key, std::size_t found, std::size_t expected,
                 const std::string& label, ProblemList& problems) {
  if (found == 0 || joint.is_unusable(key) || found == expected) return;
  problems.add(joint.location_of(key),
               fmt::format("a {} joint has {} {}, found {} in {}", enum_name(joint.type), expected, key, found, label));
}

void check_start(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  const std::vector<double>& q = joint.coordinates;
  if (joint.motion && (!q.empty() || !joint.velocities.empty())) {
    problems.add(joint.location_of(q.empty() ? "velocities" : "coordinates"),
                 fmt::format("{} has a prescribed motion, which already says where it starts", label));
  }
  check_count(joint, "coordinates", q.size(), joint_traits(joint.type).coordinates.size(), label, problems);
  check_count(joint, "velocities", joint.velocities.size(), joint_traits(joint.type).speeds.size(), label, problems);
  if (joint.type != Type::spherical || q.size() != 4) return;
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (std::abs(length - 1.0) > 1e-6) {
    problems.add(
        joint.location_of("coordinates"),
        fmt::format("coordinates must be a unit quaternion (w, x, y, z), its length is {:.9g} in {}", length, label));
  }
}

void check_limits(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  if (joint.lower && joint.upper && !(*joint.lower < *joint.upper)) {
    problems.add(joint.location_of("upper"), fmt::format("limits are reversed: lower {} is not below upper {} in {}",
                                                         *joint.lower, *joint.upper, label));
  }
  const bool has_limit = joint.lower || joint.upper;
  const bool has_stiffness = is_given(joint, "limit_stiffness", joint.limit_stiffness);
  if (has_limit && !has_stiffness) {
    problems.add(joint.location_of(joint.lower ? "lower" : "upper"),
                 fmt::format("limit_stiffness [N/m or N m/rad] is missing in {}: limits are compliant", label));
  }
  const bool has_any_limit = is_given(joint, "lower", joint.lower) || is_given(joint, "upper", joint.upper);
  if (!has_any_limit && (has_stiffness || joint.limit_damping)) {
    problems.add(joint.location_of(has_stiffness ? "limit_stiffness" : "limit_damping"),
                 fmt::format("{} gives the compliance of a limit but neither lower nor upper", label));
  }
}

/// Springs and limits act on scalar coordinates, dampers on any velocity, drives on one coordinate.
void check_actions(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  const JointTraits& row = joint_traits(joint.type);
  const bool moves = !row.speeds.empty();
  const bool is_scalar = moves && row.speeds.size() == row.coordinates.size();
  const bool drives = row.coordinates.size() == 1;
  const auto refuse = [&](const char* key, bool given, bool allowed) {
    if (!given || allowed) return;
    problems.add(joint.location_of(key),
                 fmt::format("{} is not possible on a {} joint in {}", key, enum_name(joint.type), label));
  };
  refuse("stiffness", joint.stiffness != 0.0, is_scalar);
  refuse("rest", joint.rest != 0.0, is_scalar);
  refuse("damping", joint.damping != 0.0, moves);
  refuse("lower", joint.lower.has_value(), is_scalar);
  refuse("upper", joint.upper.has_value(), is_scalar);
  refuse("friction", joint.friction.has_value(), moves);
  refuse("motor", joint.motor.has_value(), drives);
  refuse("motion", joint.motion.has_value(), drives);
  if (joint.motor && joint.motion) {
    problems.add(joint.location_of("motor"), fmt::format("{} has both a motor and a prescribed motion", label));
  }
}

/// A free joint is written by the pose and velocity of its body alone.
void check_free(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  if (joint.parent != kWorldName) {
    problems.add(joint.location_of("parent"), fmt::format("a free joint has no parent but the world in {}", label));
  }
  const auto refuse = [&](const char* key, bool given) {
    if (!given) return;
    problems.add(joint.location_of(key), fmt::format("{} has no meaning for a free joint in {}", key, label),
                 "Give position, orientation, velocity and angular_velocity of the body.");
  };
  refuse("coordinates", !joint.coordinates.empty());
  refuse("velocities", !joint.velocities.empty());
  refuse("parent_position", !joint.parent_position.isZero(0.0));
  refuse("parent_orientation", joint.parent_orientation.has_value());
  refuse("parent_rotation", joint.parent_rotation.has_value());
  refuse("child_position", !joint.child_position.isZero(0.0));
  refuse("child_orientation", joint.child_orientation.has_value());
  refuse("child_rotation", joint.child_rotation.has_value());
}

/// What closes a loop holds two bodies together and has nothing of its own.
void check_closing(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  if (joint.type == Type::free) {
    problems.add(joint.location_of("type"), fmt::format("a free joint closes no loop in {}", label));
  }
  const auto refuse = [&](const char* key, bool given) {
    if (!given) return;
    problems.add(joint.location_of(key), fmt::format("{} closes a loop and has no {} of its own", label, key),
                 "Let another joint of the loop close it, and give this one there, in the tree.");
  };
  refuse("coordinates", !joint.coordinates.empty());
  refuse("velocities", !joint.velocities.empty());
  refuse("stiffness", joint.stiffness != 0.0);
  refuse("damping", joint.damping != 0.0);
  refuse("lower", joint.lower.has_value());
  refuse("upper", joint.upper.has_value());
  refuse("friction", joint.friction.has_value());
  refuse("motor", joint.motor.has_value());
  refuse("motion", joint.motion.has_value());
}

}  // namespace

void check_whole(const JointSpec& joint, const std::string& label, ProblemList& problems) {
  if (joint.parent_orientation && joint.parent_rotation) {
    problems.add(joint.location_of("parent_rotation"),
                 fmt::format("parent_orientation and parent_rotation are both given in {}", label));
  }
  if (joint.child_orientation && joint.child_rotation) {
    problems.add(joint.location_of("child_rotation"),
                 fmt::format("child_orientation and child_rotation are both given in {}", label));
  }
  if (joint.is_unusable("type")) return;
  check_axes(joint, label, problems);
  if (joint.closes_loop) {
    check_closing(joint, label, problems);
    return;
  }
  check_limits(joint, label, problems);
  check_actions(joint, label, problems);
  if (joint.type == Type::free) {
    check_free(joint, label, problems);
  } else {
    check_start(joint, label, problems);
  }
}

void check_whole(const MotorSpec& motor, const std::string& label, ProblemList& problems) {
  const bool has_value = is_given(motor, "value", motor.value);
  const bool has_table = is_given(motor, "table", motor.table);
  if (has_value == has_table) {
    problems.add(motor.where, fmt::format("{} needs either value or table{}", label, has_value ? ", not both" : ""));
  }
  if (motor.is_unusable("mode")) return;
  const bool is_torque = motor.mode == MotorSpec::Mode::torque;
  if (!is_torque && !(motor.gain > 0.0) && !motor.is_unusable("gain")) {
    problems.add(motor.location_of("gain"),
                 fmt::format("{} needs a gain > 0 in {} mode", label, enum_name(motor.mode)));
  }
  if (is_torque && motor.gain > 0.0) {
    problems.add(motor.location_of("gain"), fmt::format("gain has no meaning in torque mode in {}", label));
  }
  if (motor.mode != MotorSpec::Mode::position && motor.derivative_gain > 0.0) {
    problems.add(motor.location_of("derivative_gain"),
                 fmt::format("derivative_gain has no meaning in {} mode in {}", enum_name(motor.mode), label));
  }
}

}  // namespace abut
