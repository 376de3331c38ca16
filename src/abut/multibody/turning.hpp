#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Angular impulse of the gyroscopic torque over a step from W to W_end at the mean of the two [N m s], body axes:
///   h (I Wm) x Wm,   Wm = (W + W_end) / 2.
/// The rule I (W_end - W) = h (I Wm) x Wm is the implicit midpoint rule of Euler's equations. It keeps the quadratic
/// invariants W . I W (energy) and |I W| (angular momentum) to rounding, whatever the step [Hairer, Lubich and Wanner
/// 2006, IV.2.1].
inline Vec3 calc_gyroscopic_impulse(const Mat3& inertia, const Vec3& w, const Vec3& w_end, double h) {
  const Vec3 mean = 0.5 * (w + w_end);
  return h * (inertia * mean).cross(mean);
}

/// W_end of I (W_end - W) = h (I Wm) x Wm + h torque, all in body axes, where the torque stays as it is in them.
/// A body that turns by more than about a radian in a step is taken through several of these, so that the solution
/// found is the one that goes with the motion.
Vec3 calc_turned_spin(const Mat3& inertia, const Vec3& w, const Vec3& torque, double h);

}  // namespace abut
