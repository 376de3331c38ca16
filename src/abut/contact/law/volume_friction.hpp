#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "abut/contact/law/bristle_friction.hpp"
#include "abut/contact/law/coulomb_friction.hpp"
#include "abut/contact/law/friction.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"

namespace abut {

/// Friction over a patch of finite size that slides and spins.   [Gonthier 2007, 4.4]
/// vt [m/s] is the tangential velocity of A relative to B at the centroid, wn [rad/s] the relative spin about the
/// normal, rg [m] the radius of gyration of the patch about it, fn [N] the normal force.

/// How sliding and spinning share the friction of a patch in full slip.
struct SlipShare {
  Vec3 direction = Vec3::Zero();  ///< of sliding: unit, continuously down to zero below v_eps
  double sliding = 0.0;           ///< C_v, 0 to 1: force in units of mu fn
  double spin_direction = 0.0;    ///< sign of wn, continuously through zero
  double spinning = 0.0;          ///< C_w, 0 to 1: torque in units of mu rg fn
  double average_speed = 0.0;     ///< sqrt(|vt|^2 + (rg wn)^2) [m/s]   (4.213)
};

/// The closure C_v^2 + C_w^2 = 1 of the source.   [Gonthier 2007 (4.211)-(4.213), (4.224), (4.236)]
inline SlipShare calc_slip_share(const Vec3& vt, double wn, double rg, double v_eps, Regularisation form) {
  SlipShare share;
  const double speed = vt.norm();
  const double rim_speed = rg * std::abs(wn);
  share.average_speed = std::hypot(speed, rim_speed);
  const double divisor = std::max(share.average_speed, v_eps);
  share.sliding = speed / divisor;
  share.spinning = rim_speed / divisor;
  share.direction = calc_direction(vt, speed, v_eps, form);
  // The printed sgn(wn) makes adaptive methods chatter; rounding it off as the direction of sliding is harmless [D].
  share.spin_direction = calc_direction(Vec3(rg * wn, 0.0, 0.0), rim_speed, v_eps, form).x();
  return share;
}

/// The same closure for laws without memory: force and torque are smooth where both slip and spin vanish, and linear in
/// a slow slip during a fast spin.
inline SlipShare calc_smooth_slip_share(const Vec3& vt, double wn, double rg, double v_eps) {
  SlipShare share;
  const double speed = vt.norm();
  share.average_speed = std::hypot(speed, rg * wn);
  const double scale =
      calc_direction(Vec3(share.average_speed, 0.0, 0.0), share.average_speed, v_eps, Regularisation::smooth).x();
  const double share_of_speed = share.average_speed > 0.0 ? scale / share.average_speed : 0.0;
  share.sliding = speed * share_of_speed;
  share.spinning = rg * std::abs(wn) * share_of_speed;
  if (speed > 0.0) share.direction = vt / speed;
  share.spin_direction = wn > 0.0 ? 1.0 : (wn < 0.0 ? -1.0 : 0.0);
  return share;
}

/// Coulomb friction integrated over the pressure distribution itself instead of the closure: each part of the volume
/// carries its share of the load (pressure is proportional to depth) and rubs against its own slip. Samples are parts
/// of the interference volume, `centroid` its centroid.
SlipShare calc_exact_slip_share(std::span<const VolumeSample> samples, const Vec3& centroid, const Vec3& n,
                                const Vec3& vt, double wn, double rg, double v_eps);

/// Memory of one volumetric contact: that of a point, and the twist of the bristles about the normal, kept as the
/// deflection zeta = rg theta that it gives them at the radius of gyration. A patch that grows takes in bristles that
/// are not bent: with zeta the energy fn sigma_0 zeta^2 / 2 of the twist stays when rg changes. With theta kept instead
/// it would grow as rg^2, a hundredfold when a body that stands on its edge falls flat.
struct VolumeFrictionState {
  FrictionState point;
  double rim = 0.0;  ///< zeta [m]
};

struct VolumeFrictionRates {
  FrictionRates point;
  double torque = 0.0;    ///< on A about n [N m]
  double rim_rate = 0.0;  ///< of zeta [m/s]
};

/// Seven-parameter bristle friction over a patch.   [Gonthier 2007 (4.219)-(4.243), with rg theta for theta]
/// The parameters and their meaning are those of BristleParameters: spin and rolling need no further ones.
/// `spin_scale` [1] multiplies the torque about the normal, stuck or slipping: the source scales it to fit another
/// simulation.   [Gonthier 2007, 5.2.2]
inline VolumeFrictionRates calc_volume_bristle_friction(const BristleParameters& p, const VolumeFrictionState& state,
                                                        const Vec3& n, double fn, const Vec3& vt, double wn, double rg,
                                                        const SlipShare& share, double spin_scale = 1.0) {
  VolumeFrictionRates out;
  const Vec3 z = tangential(state.point.z, n);
  const double s = calc_stribeck_weight(share.average_speed * share.average_speed, p.v_stribeck);
  const double bristle_rate = p.sigma_0 / p.sigma_1;
  const double c_v = s + (1.0 - s) * share.sliding;
  const double c_w = s + (1.0 - s) * share.spinning;

  out.point.dwell = p.tau_dwell > 0.0 ? state.point.dwell : s;
  if (p.tau_dwell > 0.0) {
    const double gain = s - state.point.dwell;
    out.point.dwell_rate = gain >= 0.0 ? gain / p.tau_dwell : gain * bristle_rate;
  }
  const double mu_max = p.mu_c + (p.mu_s - p.mu_c) * out.point.dwell;

  out.point.z_rate = s * vt + (1.0 - s) * (p.mu_c * c_v / p.sigma_1 * share.direction - bristle_rate * z);
  Vec3 b = p.sigma_0 * z + p.sigma_1 * out.point.z_rate;
  const double b_norm = b.norm();
  const bool slides = b_norm > mu_max * c_v;
  if (slides) {
    b *= mu_max * c_v / b_norm;
    out.point.z_rate = b / p.sigma_1 - bristle_rate * z;
  }

  out.rim_rate = s * rg * wn + (1.0 - s) * (p.mu_c * c_w / p.sigma_1 * share.spin_direction - bristle_rate * state.rim);
  double twist = p.sigma_0 * state.rim + p.sigma_1 * out.rim_rate;
  const double twist_max = mu_max * c_w;
  const bool spins = std::abs(twist) > twist_max;
  if (spins) {
    twist = std::copysign(twist_max, twist);
    out.rim_rate = twist / p.sigma_1 - bristle_rate * state.rim;
  }

  out.point.force = -fn * (b + p.sigma_2 * vt);
  out.torque = -spin_scale * rg * fn * (twist + p.sigma_2 * rg * wn);
  out.point.viscous_power = fn * p.sigma_2 * (vt.squaredNorm() + spin_scale * rg * rg * wn * wn);
  out.point.sticking = !slides && !spins && s >= 0.5;
  return out;
}

/// Regularised Coulomb friction over a patch, without memory.   [Gonthier 2007 (4.205), (4.208)]
inline VolumeFrictionRates calc_volume_coulomb_friction(const CoulombParameters& p, double fn, double rg,
                                                        const SlipShare& share, double spin_scale = 1.0) {
  VolumeFrictionRates out;
  const double s = calc_stribeck_weight(share.average_speed * share.average_speed, p.v_stribeck);
  const double mu = p.mu_c + (p.mu_s - p.mu_c) * s;
  out.point.dwell = s;
  out.point.force = -fn * mu * share.sliding * share.direction;
  out.torque = -spin_scale * fn * mu * rg * share.spinning * share.spin_direction;
  out.point.sticking = share.average_speed < p.v_eps;
  return out;
}

}  // namespace abut
