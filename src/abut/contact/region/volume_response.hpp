#pragma once

#include <cmath>

#include "abut/contact/body_motion.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/law/volume_friction.hpp"
#include "abut/contact/patch.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/contact/region/volume_contact.hpp"
#include "abut/contact/region/volume_damping.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

namespace detail {

inline VolumeFrictionState read_volume_friction_state(const double* states) {
  return {read_friction_state(states, 4), states[4]};
}

inline VolumeFrictionRates calc_volume_friction(const NoFriction&, const double*, const VolumeContact&, const Vec3&,
                                                const Vec3&, double, const Vec3&, double) {
  return {};
}

/// Refused for this region when the model is compiled.
inline VolumeFrictionRates calc_volume_friction(const LugreParameters&, const double*, const VolumeContact&,
                                                const Vec3&, const Vec3&, double, const Vec3&, double) {
  return {};
}

inline VolumeFrictionRates calc_volume_friction(const CoulombParameters& law, const double*,
                                                const VolumeContact& volume, const Vec3& centroid, const Vec3& n,
                                                double fn, const Vec3& vt, double wn) {
  const double rg = volume.gyration_radius;
  const SlipShare share = volume.samples.empty()
                              ? calc_smooth_slip_share(vt, wn, rg, law.v_eps)
                              : calc_exact_slip_share(volume.samples, centroid, n, vt, wn, rg, law.v_eps);
  return calc_volume_coulomb_friction(law, fn, rg, share, volume.spin_scale);
}

inline VolumeFrictionRates calc_volume_friction(const BristleParameters& law, const double* states,
                                                const VolumeContact& volume, const Vec3& centroid, const Vec3& n,
                                                double fn, const Vec3& vt, double wn) {
  const double rg = volume.gyration_radius;
  const SlipShare share = volume.samples.empty()
                              ? calc_slip_share(vt, wn, rg, law.v_eps, law.regularisation)
                              : calc_exact_slip_share(volume.samples, centroid, n, vt, wn, rg, law.v_eps);
  return calc_volume_bristle_friction(law, read_volume_friction_state(states), n, fn, vt, wn, rg, share,
                                      volume.spin_scale);
}

}  // namespace detail

/// Force, torque, rates and powers of one volumetric patch.   [spec 0, 2.5, 2.6]
///
///   fn    = k_v V max(0, 1 + A vn),  vn > 0 approaching                                     (4.62), (4.178)
///   tau_r = -k_v A J_v wt, damps rolling; bounded, see volume_damping.hpp                   (4.67), 11
///   A      that of the blow that acts now, see law/blow.hpp
///   friction force at the centroid, friction torque about the normal                       (4.230), (4.243)
///
/// The spring has no potential in general (V does not depend on one coordinate): what it stores is counted by its work,
/// so that the balance closes whatever the path.   [spec 0, 3.5]
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
  if (!(volume.volume > 0.0) || !(volume.gyration_radius > 0.0)) return;

  const double effective = std::max(0.0, volume.volume - patch.hidden_measure(time));
  const NormalCoefficients law = calc_volume_law_now(rule, patch, volume, effective, -gap_rate, time);
  const NormalForce normal = calc_normal_force(law, effective, -gap_rate);
  out.normal_force = normal.total;
  const VolumeFrictionRates tangential_part = detail::calc_volume_friction(
      friction, friction_input.states, volume, geometry.point, n, normal.total, out.slip, wn);
  const Vec3 rolling = calc_rolling_torque(rule, law, volume, n, wt);

  out.force = normal.total * n + tangential_part.point.force;
  out.torque = rolling + tangential_part.torque * n;
  out.z_rate = tangential_part.point.z_rate;
  out.dwell_rate = tangential_part.point.dwell_rate;
  out.theta_rate = tangential_part.theta_rate;
  out.sticking = tangential_part.point.sticking;
  out.power.damping = (normal.total - normal.elastic) * -gap_rate - rolling.dot(wt);
  out.power.friction = -tangential_part.point.force.dot(out.slip) - tangential_part.torque * wn;
  out.power.viscous = tangential_part.point.viscous_power;
  out.power.elastic = normal.elastic * -gap_rate;
}

}  // namespace abut
