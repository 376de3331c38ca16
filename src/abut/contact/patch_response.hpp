#pragma once

#include "abut/contact/body_motion.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/patch.hpp"
#include "abut/geometry/point_pair.hpp"

namespace abut {

/// Velocity of the material point of a link that is at `point` now [m/s].   [Gonthier 2007 (3.3)]
inline Vec3 calc_point_velocity(const BodyMotion& motion, int link, const Vec3& point) {
  return motion.v_WCm[link] + motion.w_WB[link].cross(point - motion.p_WCm[link]);
}

/// Rate of a contact's gap [m/s], given the velocity of a relative to b at its point.
inline double calc_gap_rate(const PointContact& contact, const Vec3& velocity, const BodyMotion& motion, int link_a,
                            int link_b) {
  const double rate = contact.normal.dot(velocity);
  if (contact.arm == Vec3::Zero()) return rate;
  const Vec3 spin = motion.w_WB[link_a] - motion.w_WB[link_b];
  return rate + contact.normal.dot(spin.cross(contact.arm));
}

/// Forces, rates and powers of one patch.   [Gonthier 2007, 3.2]
/// The relaxed depth x_r = x - x_ro takes the place of the depth in the force (3.44); as x_ro decays by itself, it does
/// work fk x_ro / tau_r on the spring, which is entered as relaxation power so that the balance stays exact.
template <class Friction>
inline void calc_patch_response(const Patch& patch, const NormalLawParameters& rule, const PointContact& geometry,
                                const BodyMotion& motion, int link_a, int link_b, double time, const Friction& friction,
                                const FrictionInput& friction_input, PatchResponse& out) {
  const Vec3 n = geometry.normal;
  const Vec3 velocity =
      calc_point_velocity(motion, link_a, geometry.point) - calc_point_velocity(motion, link_b, geometry.point);
  const double gap_rate = calc_gap_rate(geometry, velocity, motion, link_a, link_b);
  const double approach = -n.dot(velocity);  // of the material, which the force does work on
  const double hidden = patch.hidden_measure(time);
  const double depth = std::max(0.0, -geometry.gap - hidden);
  const NormalForce normal =
      calc_normal_force(calc_law_now(rule, patch.normal, patch.blow, depth, -gap_rate, time), depth, -gap_rate);

  out.gap = geometry.gap;
  out.depth_rate = -gap_rate;
  out.normal = n;
  out.point = geometry.point;
  out.slip = velocity + approach * n;
  out.normal_force = normal.total;
  out.link_a = link_a;
  out.link_b = link_b;

  const FrictionRates tangential = calc_friction(friction, friction_input, n, normal.total, out.slip);
  out.force = normal.total * n + tangential.force;
  out.z_rate = tangential.z_rate;
  out.dwell_rate = tangential.dwell_rate;
  out.sticking = tangential.sticking;
  out.power.damping = patch.has_let_go ? 0.0 : (normal.total - normal.elastic) * approach;
  out.power.friction = -tangential.force.dot(out.slip);
  out.power.viscous = tangential.viscous_power;
  out.power.relaxation = hidden > 0.0 && depth > 0.0 ? normal.elastic * hidden / patch.relaxation_time : 0.0;
}

}  // namespace abut
