#pragma once

#include <algorithm>
#include <cmath>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/law/normal_law.hpp"

namespace abut {

/// The impact that a contact's damper is made for.   [docs/theory/normal-force.md, "Which impact"]
///
/// The rules of normal_law.hpp take the damping lambda(v) from the speed v of an impact. While a contact lasts, v is
///
///   v = v_t                          as long as u^2 <= 2 v_t^2
///   v^2 = v_t^2 + (u^2 - 2 v_t^2)^2 / u^2     beyond: a new blow, or a load, has brought more than the touch did
///
///   u^2 = 2 E / (m eta) + v_n^2 (approaching) or (v_n / e)^2 (separating)
///                                    the speed of the isolated impact that would be in this state [m^2/s^2]
///   v_t = max(v_small, v_0 / (1 + a^2)),  a = max(0, (t - t_0) / T - 1),  T = 10 x_0 / (e v_0)
///
/// with v_0 and t_0 speed and time of the touch, m the effective mass, E the energy in the spring, x_0 the depth of an
/// undamped impact at v_0, and eta = 2 (1/D - ln(1 + D)/D^2) the part of its energy that an impact with damping ratio
/// D = lambda v_0 / k has in the spring when it is deepest. u is v_0 at touch, at the deepest point and at the end of
/// an isolated impact, stays near it in between (below sqrt(2) v_0) and the impact is over before T: its damping is
/// lambda(v_0) to the last bit, its restitution the rule's. A contact that began at rest, that carries a load or is hit
/// again has the damping of the impact that would be in its state; |v_n| <= u bounds what the damper adds. What a touch
/// was like is forgotten once its impact must be over. v is continuous, with continuous slopes but across v_n = 0,
/// where the damper has no force; lambda >= 0 always: the damper only takes energy.
struct Blow {
  double speed = 0.0;       ///< max(v_0, v_small), the one that NormalCoefficients::damping was made for [m/s]
  double floor = 0.0;       ///< v_small [m/s]
  double touch_time = 0.0;  ///< t_0 [s]
  double hold_time = 0.0;   ///< T [s]
  double mass = 1.0;        ///< m [kg]
  double spring = 2.0;      ///< 2 / (m eta) [1/kg]
  double release = 1.0;     ///< 1 / e^2 [1]
  double exponent = 0.0;    ///< s of lambda ~ v^-s at constant restitution: 1 - 2 (p - r) / (p + 1) [1]
  bool renews = false;      ///< false where the damping is given, or there is none
  bool varies = false;      ///< the restitution depends on the speed
};

/// `by_depth`: the law as one of depth, for x_0. touch_speed [m/s] of approach; effective_mass [kg]; touch_time [s].
Blow make_blow(const NormalLawParameters& rule, const NormalCoefficients& c, const NormalCoefficients& by_depth,
               double touch_speed, double effective_mass, double touch_time);

/// The speed v above [m/s]. energy: E [J]; depth_rate: v_n [m/s], > 0 approaching; time [s].
inline double calc_blow_speed(const Blow& blow, double energy, double depth_rate, double time) {
  const double age = (time - blow.touch_time) / blow.hold_time - 1.0;
  const double touch = age > 0.0 ? std::max(blow.floor, blow.speed / (1.0 + age * age)) : blow.speed;
  const double w = touch * touch;
  const double u = blow.spring * energy + (depth_rate > 0.0 ? 1.0 : blow.release) * depth_rate * depth_rate;
  const double excess = u - 2.0 * w;
  return excess > 0.0 ? std::sqrt(w + excess * excess / u) : touch;
}

/// The damping that acts now [N s/m^(r+1)].
inline double calc_damping(const NormalLawParameters& rule, const NormalCoefficients& c, const Blow& blow,
                           double energy, double depth_rate, double time) {
  if (!blow.renews) return c.damping;
  const double speed = calc_blow_speed(blow, energy, depth_rate, time);
  if (speed == blow.speed) return c.damping;
  if (blow.varies) return make_normal_coefficients(rule, c.stiffness, speed, blow.mass).damping;
  return c.damping * calc_power(blow.speed / speed, blow.exponent);
}

/// The law of a point with the damping that acts at this depth [m], depth rate [m/s] and time [s].
inline NormalCoefficients calc_law_now(const NormalLawParameters& rule, const NormalCoefficients& c, const Blow& blow,
                                       double depth, double depth_rate, double time) {
  NormalCoefficients now = c;
  if (blow.renews) now.damping = calc_damping(rule, c, blow, calc_elastic_energy(c, depth), depth_rate, time);
  return now;
}

}  // namespace abut
