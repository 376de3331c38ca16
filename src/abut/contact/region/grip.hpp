#pragma once

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/patch.hpp"

namespace abut {

/// A contact that has let go moves on at the speed at which its damper held the spring, to rounding: it grips again
/// where its force is clearly above nothing, as a part of its spring's [1].
inline constexpr double kClearGrip = 1e-9;

/// Positive while the surfaces press on each other: the normal force divided by k x^r, so that it does not vanish with
/// depth. Its zero is where the force law stops pushing although the bodies still overlap, a corner in the force.
/// `law`: the one that acts now.
inline double calc_patch_grip(const Patch& patch, const NormalCoefficients& law, double depth, double depth_rate) {
  if (law.damping == 0.0) return 1.0;
  const double spring = calc_power(depth, law.exponent - law.damping_exponent);
  return spring + law.damping / law.stiffness * depth_rate - (patch.has_let_go ? kClearGrip * spring : 0.0);
}

}  // namespace abut
