#pragma once

#include <span>
#include <vector>

#include "abut/multibody/joint_wrenches.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/multibody/wrench.hpp"

namespace abut {

/// What links feel at an instant; of methods that step velocities, the mean over a step, in which forces are impulses
/// over its length and accelerations changes of velocity over it.
struct LinkForces {
  Kinematics at;                 ///< the motion that the rest belongs to
  std::vector<Wrench> contacts;  ///< sum of the contacts of each link, about its centre of mass
  JointWrenches joints;

  bool is_known() const { return !contacts.empty(); }
};

/// forces.joints from the rest: `loads` are those of springs and applied forces, vdot the accelerations (num_v).
void calc_link_forces(const Tree& tree, const Vec3& gravity, std::span<const Wrench> loads,
                      std::span<const double> vdot, LinkForces& forces);

/// Puts the motion of mechanisms, of which `other` knows no more, in place of that in `motion`.
void take_mechanisms(const Tree& tree, const Kinematics& other, Kinematics& motion);

}  // namespace abut
