#pragma once

#include <algorithm>
#include <cmath>

#include "abut/contact/body_motion.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/law/volume_friction.hpp"
#include "abut/contact/patch.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/contact/region/volume_contact.hpp"
#include "abut/contact/region/volume_damping.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

namespace detail {

inline VolumeFrictionState read_volume_friction_state(const double* states) {
  return {read_friction_state(states, 4), states[4]};
}

/// Of laws without a form for patches, and of no friction. Such laws are refused for this region when the model is
/// compiled.
template <class Law>
VolumeFrictionRates calc_volume_friction(const Law&, const FrictionInput&, const VolumeContact&, const Vec3&,
                                         const Vec3&, double, const Vec3&, double) {
  return {};
}

inline VolumeFrictionRates calc_volume_friction(const CoulombParameters& as_given, const FrictionInput& in,
                                                const VolumeContact& volume, const Vec3& centroid, const Vec3& n,
                                                double fn, const Vec3& vt, double wn) {
  const double rg = volume.gyration_radius;
  const CoulombParameters law = calc_followed_coulomb(as_given, in, fn);
  const SlipShare share = volume.samples.empty()
                              ? calc_smooth_slip_share(vt, wn, rg, law.v_eps)
                              : calc_exact_slip_share(volume.samples, centroid, n, vt, wn, rg, law.v_eps);
  return calc_volume_coulomb_friction(law, fn, rg, share, volume.spin_scale);
}

inline VolumeFrictionRates calc_volume_friction(const BristleParameters& law, const FrictionInput& in,
                                                const VolumeContact& volume, const Vec3& centroid, const Vec3& n,
                                                double fn, const Vec3& vt, double wn) {
  const double rg = volume.gyration_radius;
  const SlipShare share = volume.samples.empty()
                              ? calc_slip_share(vt, wn, rg, law.v_eps, law.regularisation)
                              : calc_exact_slip_share(volume.samples, centroid, n, vt, wn, rg, law.v_eps);
  return calc_volume_bristle_friction(law, read_volume_friction_state(in.states), n, fn, vt, wn, rg, share,
                                      volume.spin_scale);
}

}  // namespace detail

/// The spring and its damper in one patch.
struct VolumeSpring {
  Vec3 force = Vec3::Zero();   ///< on A [N]
  Vec3 torque = Vec3::Zero();  ///< on A about the centroid [N m]
  double load = 0.0;           ///< |force| [N]
  double stored = 0.0;         ///< [J], where there is a potential
  PatchWork power;             ///< [W]
  NormalCoefficients law;      ///< with the damping that acts now
};

/// Spring with the potential U = k_v (integral of phi), f and t its force and torque for k_v = 1, and its damper:
///   (F, T) = k_v (f, t) max(0, 1 + A vn),   vn = (dU/dt) / (k_v V) = -(f . v + t . w) / V
/// vn is the mean speed of approach over the volume. The damper's power (dU/dt) (max(0, 1 + A vn) - 1) is never
/// negative, whatever A >= 0.   [docs/theory/volume.md]
/// A touch found late hides the root of the energy found then, m: (1 - m/sqrt(U))^2 U is stored, and the wrench is its
/// derivative, 1 - m/sqrt(U) times that of U; on a flat face this is the relaxed depth of (3.44). As m decays by itself
/// the spring takes up 2 (sqrt(U) - m) m / tau_r.
inline VolumeSpring calc_field_spring(const Patch& patch, const NormalLawParameters& rule, const VolumeContact& volume,
                                      const Vec3& velocity, const Vec3& spin, double time) {
  VolumeSpring out;
  const double hidden = patch.hidden_measure(time), root = std::sqrt(volume.field_energy);
  const double part = hidden > 0.0 ? std::max(0.0, 1.0 - hidden / root) : 1.0;
  const double rate = calc_field_rate(volume, velocity, spin);
  out.stored = patch.normal.stiffness * part * part * volume.field_energy;
  out.law = calc_volume_law_now(rule, patch, out.stored, rate, time);
  const NormalForce normal = calc_normal_force(out.law, part * volume.volume, rate);
  const double scale = normal.total / volume.volume;
  out.force = scale * volume.field_force;
  out.torque = scale * volume.field_torque;
  out.load = out.force.norm();
  out.power.damping = (normal.total - normal.elastic) * rate;
  if (hidden > 0.0 && part > 0.0)
    out.power.relaxation = 2.0 * patch.normal.stiffness * part * root * hidden / patch.relaxation_time;
  return out;
}

/// Guard of springs without a potential: the part of its force that one may still give back when it holds `stored` [J].
/// Leaving along its normal it would give back the energy that its volume tells; where it holds less it is weakened in
/// proportion, so that it is empty when it lets go, however long the last step is.
inline double calc_give_back(const Patch& patch, const VolumeContact& volume, double stored) {
  const double wanted = estimate_volume_energy(patch, volume, volume.volume);
  return wanted > 0.0 ? std::clamp(stored / wanted, 0.0, 1.0) : 1.0;
}

/// Separation speed at which the guard acts in full: it comes in smoothly with it [m/s].
inline constexpr double kGuardSpeed = 1e-3;

/// Spring along a given normal: fn = k_v V max(0, 1 + A vn). It has no potential in general (V does not depend on one
/// coordinate): what it stores is counted by its work, so that the balance closes whatever the path.
inline VolumeSpring calc_normal_spring(const Patch& patch, const NormalLawParameters& rule, const VolumeContact& volume,
                                       const Vec3& n, double gap_rate, double time) {
  const double effective = std::max(0.0, volume.volume - patch.hidden_measure(time));
  VolumeSpring out;
  out.law = calc_volume_law_now(rule, patch, estimate_volume_energy(patch, volume, effective), -gap_rate, time);
  NormalForce normal = calc_normal_force(out.law, effective, -gap_rate);
  const double kept = 1.0 - (1.0 - patch.give_back) * std::clamp(gap_rate / kGuardSpeed, 0.0, 1.0);
  normal.total *= kept;
  normal.elastic *= kept;
  out.force = normal.total * n;
  out.load = normal.total;
  out.power.damping = (normal.total - normal.elastic) * -gap_rate;
  out.power.elastic = normal.elastic * -gap_rate;
  return out;
}

/// Rates of the bristles of a patch whose last touch is lost inside a step, before its lift is located: they go on at
/// the place and along the normal of the last step. Nothing presses on them, and they end with the patch; but rates
/// that stopped at once would be a jump, up to which the error control would have to creep.
template <class Friction>
inline void follow_bristles(const Patch& patch, const VolumeContact& volume, const BodyMotion& motion, int link_a,
                            int link_b, const Friction& friction, const FrictionInput& friction_input,
                            PatchResponse& out) {
  const Vec3& n = patch.last_normal;
  if (n.isZero() || !(patch.last_volume > 0.0)) return;
  const Pose& X_WB = motion.X_WB[link_b];
  const Vec3 point = X_WB * patch.last_centroid;
  const Vec3 velocity = calc_point_velocity(motion, link_a, point) - calc_point_velocity(motion, link_b, point);
  VolumeContact last = volume;
  last.gyration_radius =
      VolumeMetrics{patch.last_volume, Vec3::Zero(), patch.last_inertia, Vec3::Zero()}.calc_gyration_radius(
          X_WB.R.transpose() * n);
  const VolumeFrictionRates rates =
      detail::calc_volume_friction(friction, friction_input, last, point, n, 0.0, velocity - n.dot(velocity) * n,
                                   n.dot(motion.w_WB[link_a] - motion.w_WB[link_b]));
  out.z_rate = rates.point.z_rate;
  out.dwell_rate = rates.point.dwell_rate;
  out.rim_rate = rates.rim_rate;
}

/// Force, torque, rates and powers of one volumetric patch.   [Gonthier 2007, 4]
/// A is that of the blow that acts now, see law/blow.hpp; the torque against rolling is bounded, see
/// volume_damping.hpp; friction force at the centroid, friction torque about the normal                        (4.230),
/// (4.243)
template <class Friction>
inline void calc_volume_response(const Patch& patch, const NormalLawParameters& rule, const PointContact& geometry,
                                 const VolumeContact& volume, const BodyMotion& motion, int link_a, int link_b,
                                 double time, const Friction& friction, const FrictionInput& friction_input,
                                 PatchResponse& out) {
  out = PatchResponse{};
  out.link_a = link_a;
  out.link_b = link_b;
  out.gap = geometry.gap;
  out.normal = geometry.normal;
  out.point = geometry.point;
  out.volume = volume.volume;
  out.area = volume.area;
  out.gyration_radius = volume.gyration_radius;
  out.inertia = volume.inertia;
  const Vec3 n = geometry.normal;
  const Vec3 velocity =
      calc_point_velocity(motion, link_a, geometry.point) - calc_point_velocity(motion, link_b, geometry.point);
  const Vec3 spin = motion.w_WB[link_a] - motion.w_WB[link_b];
  const double gap_rate = n.dot(velocity);
  const double wn = n.dot(spin);
  const Vec3 wt = spin - wn * n;
  out.depth_rate = -gap_rate;
  out.slip = velocity - gap_rate * n;
  out.spin = wn;
  if (!(volume.volume > 0.0) || !(volume.gyration_radius > 0.0))
    return follow_bristles(patch, volume, motion, link_a, link_b, friction, friction_input, out);

  const VolumeSpring spring = volume.has_field ? calc_field_spring(patch, rule, volume, velocity, spin, time)
                                               : calc_normal_spring(patch, rule, volume, n, gap_rate, time);
  out.normal_force = spring.load;
  out.stored = spring.stored;
  const VolumeFrictionRates tangential_part =
      detail::calc_volume_friction(friction, friction_input, volume, geometry.point, n, spring.load, out.slip, wn);
  const Vec3 rolling = calc_rolling_torque(rule, spring.law, volume, n, wt);

  out.force = spring.force + tangential_part.point.force;
  out.torque = spring.torque + rolling + tangential_part.torque * n;
  out.z_rate = tangential_part.point.z_rate;
  out.dwell_rate = tangential_part.point.dwell_rate;
  out.rim_rate = tangential_part.rim_rate;
  out.sticking = tangential_part.point.sticking;
  out.power = spring.power;
  out.power.damping -= rolling.dot(wt);
  out.power.friction = -tangential_part.point.force.dot(out.slip) - tangential_part.torque * wn;
  out.power.viscous = tangential_part.point.viscous_power;
}

}  // namespace abut
