#pragma once

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"
#include "abut/scene/cartesian_control_spec.hpp"
#include "abut/sim/control/arm_model.hpp"
#include "abut/sim/control/trajectory.hpp"

namespace abut {

/// Rotation vector (axis times angle, at most pi) [rad].
Vec3 calc_rotation_vector(const Mat3& R);
Mat3 calc_rotation(const Vec3& rotation_vector);

/// Where a tool shall be.
struct ToolReference {
  Vec3 position = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  Vec6 twist = Vec6::Zero();  ///< (velocity of the point; angular velocity), world
};

/// How a tool moves with the joints that a Cartesian controller commands.
class ToolMotion {
 public:
  ToolMotion(const ToolSpec& tool, std::span<const NominalMassSpec> nominal, const ControlSite& site);

  void update(const ControlInput& input);
  const Pose& pose() const { return X_WT_; }
  const Vec6& twist() const { return twist_; }
  const ArmModel& arm() const { return arm_; }

  /// (reference - tool): of the point [m], and the rotation vector that turns the tool onto it [rad], world.
  Vec6 calc_error(const ToolReference& reference) const;
  /// Forces of the motors that give the tool these accelerations: M J^-1 (a - J' v) + h. Where the joints are too few,
  /// the nearest that they can; where they are more than needed, with the rest of their motion braked at `damping`
  /// [1/s]; near a singular position by damped least squares.
  VecX calc_forces(const Vec6& acceleration, double damping) const;
  /// The same against a wrench that acts on the tool from outside: less J' w.
  VecX calc_forces(const Vec6& acceleration, double damping, const Vec6& wrench) const;
  /// J' w + h: forces of the motors that hold the arm and press with w on the tool.
  VecX calc_static_forces(const Vec6& wrench) const;

 private:
  VecX calc_joint_accelerations(const Vec6& wanted, double damping) const;

  ArmModel arm_;
  int link_;
  Pose X_BT_, X_WT_;
  MatX J_;  ///< columns of the motors
  Vec6 twist_ = Vec6::Zero(), bias_ = Vec6::Zero();
};

/// The pose that a trajectory of six channels says, or the one at the start.
class PoseReference {
 public:
  PoseReference(const std::optional<TrajectorySpec>& spec, const ControlSite& site, const ToolSpec& tool);
  ToolReference sample(double t) const;

 private:
  Trajectory path_;
};

}  // namespace abut
