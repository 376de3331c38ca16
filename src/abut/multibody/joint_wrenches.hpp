#pragma once

#include <span>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/multibody/forward_dynamics.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// How the links are accelerated, and what their joints hand on: (linear; angular) in world axes, at each link's own
/// centre of mass, one a link.
struct JointWrenches {
  std::vector<Vec6> acceleration;  ///< [m/s^2], [rad/s^2]
  /// Of the joint on its child: all that the parent does to it, along the ways the joint lets free (motors, springs,
  /// friction, prescribed motion) and across them (what holds it together); zero to rounding for free links [N], [N m].
  std::vector<Vec6> wrench;
};

/// By recursive Newton-Euler, from accelerations vdot (num_v): with c the centre of mass and I the inertia about it,
///   wrench = (m (a - g) - force;  I alpha + w x I w - torque) + wrenches of the children, shifted from theirs to c,
/// for every link, fixed ones too. `loads.tau` has no part: what acts in joints comes out.
void calc_joint_wrenches(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                         std::span<const double> vdot, JointWrenches& out);

/// The part of a joint's wrench that acts along the ways it lets free: at the origin of the joint's frame on the child,
/// where its motion directions S are perpendicular to each other and of length one, S S' wrench. A pure torque about
/// the axis for a revolute joint, a force along the axis through that origin for a prismatic one; the rest does no
/// work.
Vec6 calc_actuated_part(const Tree& tree, const Kinematics& kinematics, int link, const Vec6& wrench);

}  // namespace abut
