#pragma once

#include <algorithm>
#include <cmath>

#include "abut/contact/law/friction.hpp"

namespace abut {

/// Coulomb friction with a Stribeck curve and a rounded step at zero slip; no memory.
///
///   force = -fn mu(|vt|) dir(vt),   mu(v) = mu_c + (mu_s - mu_c) exp(-(v/v_stribeck)^2)
///
/// dir is the smooth direction of friction.hpp, so that the force is once continuously differentiable. Below v_eps
/// the contact creeps: a body on a slope moves at about v_eps tan(slope)/(1.5 mu_s) instead of resting; take lugre
/// or bristle for stiction.
struct CoulombParameters {
  double mu_c = 0.0;         ///< sliding coefficient [-], >= 0
  double mu_s = 0.0;         ///< coefficient at small slip [-], >= mu_c
  double v_stribeck = 1e-3;  ///< [m/s], > 0
  double v_eps = 1e-5;       ///< [m/s], > 0

  // Asked through friction_law.hpp.
  FrictionCoefficients coefficients() const { return {mu_c, mu_s}; }
  FrictionPace calc_pace(double fn, double effective_mass) const {
    return {v_eps * effective_mass / (mu_s * fn), "a larger v_eps"};
  }
  double calc_fastest_rate(double fn, double, double lightest) const { return 1.5 * mu_s * fn / v_eps * lightest; }
};

inline FrictionRates calc_coulomb_friction(const CoulombParameters& p, double fn, const Vec3& vt) {
  FrictionRates out;
  const double speed_squared = vt.squaredNorm();
  const double speed = std::sqrt(speed_squared);
  const double s = calc_stribeck_weight(speed_squared, p.v_stribeck);
  const double mu = p.mu_c + (p.mu_s - p.mu_c) * s;
  out.force = (-fn * mu) * calc_direction(vt, speed, p.v_eps, Regularisation::smooth);
  out.dwell = s;
  out.sticking = speed < p.v_eps;
  return out;
}

/// Part of effective mass / step that the slope of friction at no slip may have [1]. A contact of this mass forgets its
/// slip at up to four times the rate (a rod pushed at its end), which all explicit methods follow below 2 / step.
inline constexpr double kFollowedFriction = 0.5;

/// The law that a fixed step can follow: the slope at no slip, 1.5 mu_s fn / v_eps, is that of the law or the steepest
/// that the step takes. Steeper ones let the force change its sign within a step, and bodies shiver where they should
/// rest; weaker ones stop what slips in some more steps, and creep under a side load f at f step / (0.5 m).
inline CoulombParameters calc_followed_coulomb(const CoulombParameters& law, const FrictionInput& in, double fn) {
  CoulombParameters now = law;
  now.v_eps = std::max(law.v_eps, 1.5 * law.mu_s * fn * in.step / (kFollowedFriction * in.effective_mass));
  return now;
}

inline FrictionRates calc_friction(const CoulombParameters& law, const FrictionInput& in, const Vec3&, double fn,
                                   const Vec3& slip) {
  return calc_coulomb_friction(calc_followed_coulomb(law, in, fn), fn, slip);
}

}  // namespace abut
