#pragma once

#include "abut/contact/law/lugre_friction.hpp"

namespace abut {

/// The deflection of bristles that touch while the surfaces slip at vt [m], where their stiffness follows the load.
///
///   z_0 = (1 - s) mu(|vt|) / s_0 dir(vt),   s = exp(-(|vt|/v_stribeck)^2),   sigma_0 = s_0 fn
///
/// that of steady sliding when they touch in slip, none when they touch at rest. A contact that closes in slip slides
/// as a whole from its first instant: the distance over which it could stick shrinks with its load, which is none yet
/// (Mindlin: in proportion to the depth). Bristles that began straight would need a tenth of a millimetre of each short
/// bounce before they rub with mu fn. Without load they hold no energy.
inline Vec3 calc_touch_deflection(const LugreParameters& p, const Vec3& vt) {
  const double speed_squared = vt.squaredNorm();
  if (!p.sigma_0_by_load || !(speed_squared > 0.0)) return Vec3::Zero();
  const double s = calc_stribeck_weight(speed_squared, p.v_stribeck);
  const double mu = p.mu_d + (p.mu_s - p.mu_d) * s;
  return ((1.0 - s) * mu / (p.sigma_0 * std::sqrt(speed_squared))) * vt;
}

}  // namespace abut
