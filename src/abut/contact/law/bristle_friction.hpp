#pragma once

#include <algorithm>

#include "abut/contact/law/friction.hpp"

namespace abut {

/// Seven-parameter bristle friction with dwell time.   [Gonthier 2007 (3.28)-(3.42)]
///
///   s      = exp(-|vt|^2 / v_stribeck^2), 1 stick, 0 slip                                      (3.30)
///   z'     = s vt + (1 - s) (mu_c/sigma_1 dir(vt) - sigma_0/sigma_1 z)                         (3.35)
///   dwell' = (s - dwell)/tau_dwell when rising, (s - dwell) sigma_0/sigma_1 when falling       (3.36)
///   mu_max = mu_c + (mu_s - mu_c) dwell                                                        (3.37)
///   b      = sigma_0 z + sigma_1 z', cut to |b| <= mu_max, z' following the cut         (3.39)-(3.41)
///   force  = -fn (b + sigma_2 vt)                                                              (3.42)
///
/// The state evolves independently of fn, and the force is proportional to fn at all times. In full slip the force
/// is mu_c fn at once; sticking ends only by the cut; regained contact sticks at once but stiction recovers with
/// tau_dwell. mu_s = mu_c removes the stick-slip difference, tau_dwell = 0 lets dwell follow s without delay.
/// Between stick and slip the bristles may be charged faster than the slip pays for (z' is not vt there): the heat
/// of a contact, work minus stored energy, can dip by up to one charge, fn mu_c^2 / (2 sigma_0), before it rises.
struct BristleParameters {
  double mu_c = 0.0;         ///< sliding coefficient [-], >= 0
  double mu_s = 0.0;         ///< stiction coefficient [-], >= mu_c
  double sigma_0 = 0.0;      ///< bristle stiffness per load [1/m], > 0
  double sigma_1 = 0.0;      ///< bristle damping per load [s/m], > 0
  double sigma_2 = 0.0;      ///< viscous coefficient per load [s/m], >= 0
  double v_stribeck = 1e-3;  ///< [m/s], > 0; 2 v_stribeck is full slip
  double tau_dwell = 0.0;    ///< recovery time of stiction [s], >= 0
  double v_eps = 1e-5;       ///< rounding of the slip direction [m/s], > 0, at most v_stribeck/10
  Regularisation regularisation = Regularisation::printed;

  // Asked through friction_law.hpp.
  static constexpr int kNumStates = 4;
  FrictionCoefficients coefficients() const { return {mu_c, mu_s}; }
  double calc_energy(const FrictionState& state, const Vec3& n, double fn) const;
  double calc_twist_energy(double rim, double fn) const { return 0.5 * fn * sigma_0 * rim * rim; }
  double charge_per_load() const { return mu_s * mu_s / (2.0 * sigma_0); }
  double break_away() const { return std::max(mu_s, 1e-6) / sigma_0; }
  double damping_per_load() const { return sigma_1; }
  FrictionPace calc_pace(double fn, double effective_mass) const {
    return {effective_mass / (sigma_1 * fn), "a smaller sigma_1"};
  }
  double calc_fastest_rate(double fn, double, double lightest) const {
    return std::max(fn * sigma_1 * lightest, sigma_0 / sigma_1);
  }
};

/// z is projected on the tangent plane of n before use; vt must lie in it. z_rate lies in it too.
inline FrictionRates calc_bristle_friction(const BristleParameters& p, const FrictionState& state, const Vec3& n,
                                           double fn, const Vec3& vt) {
  FrictionRates out;
  const Vec3 z = tangential(state.z, n);
  const double speed_squared = vt.squaredNorm();
  const double s = calc_stribeck_weight(speed_squared, p.v_stribeck);
  const double inverse_sigma_1 = 1.0 / p.sigma_1;
  const double bristle_rate = p.sigma_0 * inverse_sigma_1;

  out.z_rate = s * vt;
  if (s < 1.0) {
    const Vec3 direction = calc_direction(vt, std::sqrt(speed_squared), p.v_eps, p.regularisation);
    out.z_rate += (1.0 - s) * (p.mu_c * inverse_sigma_1 * direction - bristle_rate * z);
  }

  out.dwell = p.tau_dwell > 0.0 ? state.dwell : s;
  if (p.tau_dwell > 0.0) {
    const double gain = s - state.dwell;
    out.dwell_rate = gain >= 0.0 ? gain / p.tau_dwell : gain * bristle_rate;
  }

  const double mu_max = p.mu_c + (p.mu_s - p.mu_c) * out.dwell;
  Vec3 b = p.sigma_0 * z + p.sigma_1 * out.z_rate;
  const double b_squared = b.squaredNorm();
  const bool saturated = b_squared > mu_max * mu_max;
  if (saturated) {
    b *= mu_max / std::sqrt(b_squared);
    out.z_rate = inverse_sigma_1 * b - bristle_rate * z;
  }
  out.force = -fn * (b + p.sigma_2 * vt);
  out.viscous_power = fn * p.sigma_2 * speed_squared;
  out.sticking = !saturated && s >= 0.5;
  return out;
}

/// Energy stored in the bristles under the load fn [J]. It changes with fn as well as with z: the ledger of a
/// contact with a changing load must count 1/2 sigma_0 |z|^2 dfn/dt as work of the load.
inline double calc_bristle_energy(const BristleParameters& p, const FrictionState& state, const Vec3& n, double fn) {
  return 0.5 * fn * p.sigma_0 * tangential(state.z, n).squaredNorm();
}

inline FrictionRates calc_friction(const BristleParameters& law, const FrictionInput& in, const Vec3& n, double fn,
                                   const Vec3& slip) {
  return calc_bristle_friction(law, read_friction_state(in.states, 4), n, fn, slip);
}

inline double BristleParameters::calc_energy(const FrictionState& state, const Vec3& n, double fn) const {
  return calc_bristle_energy(*this, state, n, fn);
}

}  // namespace abut
