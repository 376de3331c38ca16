#pragma once

#include <algorithm>
#include <cmath>

#include "abut/contact/law/blow.hpp"
#include "abut/contact/patch.hpp"
#include "abut/contact/region/volume_contact.hpp"

namespace abut {

/// Energy in a volumetric spring [J], as far as the volume tells it: with V = c x^p near the touch and dV/dx = A_c the
/// depth is x = p V / A_c, and the integral of k_v V over it k_v V x / (p + 1).
inline double estimate_volume_energy(const Patch& patch, const VolumeContact& volume, double effective_volume) {
  if (!(volume.area > 0.0)) return 0.0;
  const double p = patch.by_depth.exponent;
  return patch.normal.stiffness * effective_volume * effective_volume * p / (volume.area * (p + 1.0));
}

/// Energy in the spring [J]: the field's own where there is one.
inline double calc_volume_energy(const Patch& patch, const VolumeContact& volume) {
  return volume.has_field ? patch.normal.stiffness * volume.field_energy
                          : estimate_volume_energy(patch, volume, volume.volume);
}

/// The law of force over volume with the damping that acts now; energy in the spring [J], depth_rate the field's speed
/// of approach, or that at the centroid where there is no field [m/s], time [s].
inline NormalCoefficients calc_volume_law_now(const NormalLawParameters& rule, const Patch& patch, double energy,
                                              double depth_rate, double time) {
  NormalCoefficients now = patch.normal;
  if (patch.blow.renews) now.damping = calc_damping(rule, patch.normal, patch.blow, energy, depth_rate, time);
  return now;
}

/// Torque on a against rolling [N m], wt the tangential angular velocity of a relative to b [rad/s].
///
///   tau_r = -k_v A J_v wt min(1, 1 / y),  y^2 = 6 A^2 wt.J_v wt / V,  A = lambda / k_v          [Gonthier 2007 (4.67)]
///
/// A column of the patch at r is pressed with k_v d (1 + A w r). Under a rolling ball d falls off as a parabola, whose
/// half-width is a^2 = 6 J_v / V: at y = A w a = 1 the columns that leave begin to pull, which no contact can, and the
/// front half already resists with all that it takes up, a/6 of the load. The torque stays there; only a damper that is
/// kept as the source has it (damper = "touch") is not bounded.
inline Vec3 calc_rolling_torque(const NormalLawParameters& rule, const NormalCoefficients& now,
                                const VolumeContact& volume, const Vec3& n, const Vec3& wt) {
  const Vec3 moment = volume.inertia * wt;
  const double rate = now.damping / now.stiffness;
  const double y_squared = 6.0 * rate * rate * wt.dot(moment) / volume.volume;
  const double share = rule.renews && y_squared > 1.0 ? 1.0 / std::sqrt(y_squared) : 1.0;
  return -share * now.damping * tangential(moment, n);
}

}  // namespace abut
