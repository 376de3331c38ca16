#pragma once

#include <span>

#include "abut/math/types.hpp"
#include "abut/multibody/forward_dynamics.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Generalised forces that bring about the accelerations vdot (num_v) beside gravity, loads.wrenches and loads.tau:
///   force = M(q) vdot + h(q, v) - J' wrenches - tau,   by recursive Newton-Euler, cost linear in the number of links.
VecX calc_inverse_dynamics(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                           std::span<const double> vdot);

}  // namespace abut
