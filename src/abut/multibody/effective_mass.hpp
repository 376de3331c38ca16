#pragma once

#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// n . J M^-1 J' . n [1/kg] for a pair of links at the point p_WQ and the unit direction n, with J the Jacobian of the
/// relative velocity: the change of approach speed of a by an impulse of 1 N s on a along n with its reaction on b. Its
/// inverse is the mass that an impact at this point sees. The world (kWorld), static links and links held by prescribed
/// motion contribute nothing; 0 where neither can move. Closed form for free leaves, one articulated solve a tree
/// otherwise.
double calc_inverse_effective_mass(const Tree& tree, const Kinematics& kinematics, int link_a, int link_b,
                                   const Vec3& p_WQ, const Vec3& direction_W);

}  // namespace abut
