#pragma once

#include <span>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/multibody/articulated_body.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/multibody/wrench.hpp"

namespace abut {

/// What acts on the tree. Empty spans are zeros.
struct AppliedLoads {
  Vec3 gravity = Vec3::Zero();       ///< [m/s^2]
  std::span<const Wrench> wrenches;  ///< one a link
  std::span<const double> tau;       ///< generalised forces on the joints [N, N m], num_v
};

/// Memory of the forward dynamics, reused from call to call.
struct DynamicsWorkspace {
  std::vector<ArticulatedBody> bodies;
};

/// Accelerations vdot (num_v) by the articulated body algorithm; cost linear in the number of links. `kinematics` is
/// that of the (q, v) in question. Prescribed joints take `prescribed_acceleration` (num_v or empty = zeros; other
/// entries are not read). `prescribed_force` (num_v, or empty when not wanted) is, at prescribed joints, the
/// generalised force that acts beside tau to bring the motion about (its power is force . v, into the system); zero
/// elsewhere.
void calc_forward_dynamics(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                           std::span<const double> prescribed_acceleration, DynamicsWorkspace& workspace,
                           std::span<double> vdot, std::span<double> prescribed_force = {});

/// The two halves of calc_forward_dynamics. The first covers free leaves begin <= k < end of tree.free_leaves() by
/// Newton and Euler's equations (each on its own: any split over threads gives the same bits), the second all other
/// links.
void calc_free_leaf_accelerations(const Tree& tree, int begin, int end, const Kinematics& kinematics,
                                  const AppliedLoads& loads, std::span<double> vdot);
void calc_articulated_accelerations(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                                    std::span<const double> prescribed_acceleration, DynamicsWorkspace& workspace,
                                    std::span<double> vdot, std::span<double> prescribed_force = {});

}  // namespace abut
