#pragma once

#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// J (6 x num_v) such that (velocity of the point of `link` now at p_WQ; angular velocity of the link) = J v, world
/// axes. Columns as those of calc_point_jacobian().
MatX calc_frame_jacobian(const Tree& tree, const Kinematics& kinematics, int link, const Vec3& p_WQ);

/// J' v: linear and angular acceleration there while all joints keep their speeds (vdot = 0).
Vec6 calc_frame_bias(const Tree& tree, const Kinematics& kinematics, int link, const Vec3& p_WQ);

}  // namespace abut
