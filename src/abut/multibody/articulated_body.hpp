#pragma once

#include <span>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Per-link numbers of the articulated body algorithm [Featherstone 2008, 7
/// and 9.2], in world axes at the link's centre of mass. A subtree answers an acceleration a of its root link with the
/// force I a + p on its joint.
struct ArticulatedBody {
  Mat6 I;          ///< articulated inertia
  Vec6 p;          ///< force at a = 0; set by the caller to the link's own, then completed
  Mat6 gain;       ///< first num_v rows: D^-1 U'
  Vec6 free_rate;  ///< first num_v entries: D^-1 (tau - S' p), the joint's acceleration where the link is carried with
                   ///< a = 0
  Vec6 a;          ///< acceleration (a_Cm; alpha)
};

/// What the joints of a range see besides the links' own p. Empty spans are zeros.
struct JointInput {
  std::span<const double> tau;                      ///< [N, N m], num_v
  std::span<const double> prescribed_acceleration;  ///< [m/s^2, rad/s^2], num_v; read for prescribed joints only
  bool use_bias = true;                             ///< false: as if every speed were zero
};

/// Fills I and zeroes p for articulated links of `range`; bodies[0] is the range's first.
void set_rigid_bodies(const Tree& tree, const Kinematics& kinematics, IndexRange range,
                      std::span<ArticulatedBody> bodies);

/// Leaves to roots. Where a joint's inertia is not positive definite its accelerations become NaN, never a plausible
/// number.
void reduce_bodies(const Tree& tree, const Kinematics& kinematics, IndexRange range, const JointInput& input,
                   std::span<ArticulatedBody> bodies);

/// Roots to leaves: accelerations of links and joints. `vdot` and `prescribed_force` (both num_v, or empty) receive the
/// joints' accelerations and, for prescribed joints, the force that acts beside tau to bring them about.
void expand_bodies(const Tree& tree, const Kinematics& kinematics, IndexRange range, const JointInput& input,
                   std::span<ArticulatedBody> bodies, std::span<double> vdot, std::span<double> prescribed_force);

}  // namespace abut
