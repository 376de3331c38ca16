#pragma once

#include "abut/contact/body_motion.hpp"
#include "abut/contact/patch.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/contact/region/perimeter_memory.hpp"

namespace abut {

/// What a perimeter patch does at one instant of a step: the forces are those it holds, the powers go with the motion,
/// so that works integrated by any method are the true ones of the held forces.
inline void calc_perimeter_response(const PerimeterMemory& memory, const BodyMotion& motion, int link_a, int link_b,
                                    PatchResponse& out) {
  const PerimeterHold& hold = memory.hold;
  const Vec3 velocity =
      calc_point_velocity(motion, link_a, hold.point) - calc_point_velocity(motion, link_b, hold.point);
  const Vec3 spin = motion.w_WB[link_a] - motion.w_WB[link_b];
  const auto power_into = [&](const PerimeterLoad& load) { return -load.force.dot(velocity) - load.torque.dot(spin); };
  const double strength = hold.strength, damping = strength * hold.damping_strength;
  const double friction = strength * hold.friction_strength;
  out = PatchResponse{};
  out.link_a = link_a;
  out.link_b = link_b;
  out.point = hold.point;
  out.normal = hold.normal;
  out.gap = -hold.depth;
  out.depth_rate = -hold.normal.dot(velocity);
  out.slip = velocity + out.depth_rate * hold.normal;
  out.spin = hold.normal.dot(spin);
  const Vec3 push = strength * hold.elastic.force + damping * hold.damping.force;
  out.normal_force = calc_normal_force(hold);
  out.force = push + friction * hold.friction.force;
  out.torque = strength * hold.elastic.torque + damping * hold.damping.torque + friction * hold.friction.torque;
  out.sticking = hold.sticking;
  out.perimeter = hold.perimeter;
  out.power.elastic = strength * power_into(hold.elastic);
  out.power.damping = damping * power_into(hold.damping);
  out.power.friction = friction * power_into(hold.friction);
  out.power.viscous = friction * hold.viscous_power;
}

}  // namespace abut
