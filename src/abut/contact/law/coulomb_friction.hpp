#pragma once

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

inline FrictionRates calc_friction(const CoulombParameters& law, const FrictionInput&, const Vec3&, double fn,
                                   const Vec3& slip) {
  return calc_coulomb_friction(law, fn, slip);
}

}  // namespace abut
