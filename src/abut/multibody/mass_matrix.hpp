#pragma once

#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Generalised mass matrix M(q), num_v x num_v, symmetric, by the composite body algorithm [Featherstone 2008, 6.2].
/// Dense: meant for mechanisms, not for thousands of free bodies. Prescribed joints have their rows and columns like
/// any other.
MatX calc_mass_matrix(const Tree& tree, const Kinematics& kinematics);

}  // namespace abut
