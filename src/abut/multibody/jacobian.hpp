#pragma once

#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// J (3 x num_v) such that the velocity of the point of `link` now at p_WQ is J v, world axes. Joints that do not carry
/// the link have zero columns; prescribed joints have theirs, since they move the point too. Zero for the world.
MatX calc_point_jacobian(const Tree& tree, const Kinematics& kinematics, int link, const Vec3& p_WQ);

}  // namespace abut
