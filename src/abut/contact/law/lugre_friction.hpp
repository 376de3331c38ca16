#pragma once

#include <algorithm>
#include <limits>

#include "abut/contact/law/friction.hpp"

namespace abut {

/// LuGre friction in the tangent plane (isotropic). [Moisio 2013 (3.11)-(3.15)] Coefficients that are given do not
/// scale with the load; those that are not follow it, so that the law is as good for the load of an impact as for the
/// weight.
///
///   z'    = vt - (sigma_0 |vt| / g) z,   g = fn (mu_d + (mu_s - mu_d) exp(-(|vt|/v_stribeck)^2))
///   force = -(sigma_0 z + sigma_1 s z' + sigma_2 vt),   s = exp(-(|vt|/v_stribeck)^2)
///
/// Steady sliding: |force| = g + sigma_2 |vt|; break-away at mu_s fn; stiffness before sliding sigma_0. The
/// relaxation rate sigma_0 |vt| / g of a given sigma_0 has no bound as fn -> 0: pass a max_rate of order 1/step to
/// fixed-step methods, infinity to adaptive ones. The source has no s in the force ([Olsson et al. 1998] let sigma_1
/// fall with the speed): in slip a falling load makes z' = -|vt|, and sigma_1 |vt|, a hundred times g, would pull along
/// with the slip; points that share a load by turns flickered between mu fn and nothing. sigma_1 s |vt| < 4 g makes the
/// law passive, because work minus storage is then a positive quadratic form of z and vt; the default sigma_1 and
/// v_stribeck stay below 1.8 mu_s fn. What the bristles give is cut at mu_s fn: sigma_1 z' does not know the load, and
/// would act, with a jump, on surfaces that only just touch. Before break-away at a steady load and in steady sliding
/// the cut does not act.
struct LugreParameters {
  double mu_s = 0.0;         ///< [-], >= mu_d
  double mu_d = 0.0;         ///< [-], > 0
  double sigma_0 = 0.0;      ///< bristle stiffness [N/m], > 0
  double sigma_1 = 0.0;      ///< bristle damping [N s/m], >= 0
  double sigma_2 = 0.0;      ///< viscous coefficient [N s/m], >= 0
  double v_stribeck = 1e-3;  ///< [m/s], > 0
  /// sigma_0 holds for a load of 1 N and is proportional to it: z' does not know the load then, and has no singularity.
  bool sigma_0_by_load = false;
  /// sigma_1 is critical for the effective mass m of the contact, 2 sqrt(sigma_0 m): the number holds for 1 kg and
  /// scales with sqrt(m) where sigma_0 is given. Where sigma_0 follows the load, it is the least of that and of the
  /// number times the load, which bounds sigma_1 |vt| / g however small the load is.
  bool sigma_1_by_mass = false;

  // Asked through friction_law.hpp.
  static constexpr int kNumStates = 3;
  FrictionCoefficients coefficients() const { return {mu_d, mu_s}; }
  double calc_energy(const FrictionState& state, const Vec3& n, double fn) const;
  double charge_per_load() const { return sigma_0_by_load ? mu_s * mu_s / (2.0 * sigma_0) : 0.0; }
  double calc_fastest_rate(double fn, double effective_mass, double lightest) const;
  Vec3 calc_touch_deflection(const Vec3& slip) const;
};

/// sigma_0 and sigma_1 of a contact of this effective mass [kg] under the load fn [N].
inline LugreParameters calc_lugre_now(const LugreParameters& p, double fn, double effective_mass) {
  LugreParameters now = p;
  if (p.sigma_0_by_load) now.sigma_0 *= fn;
  if (p.sigma_1_by_mass) {
    now.sigma_1 = p.sigma_0_by_load ? std::min(p.sigma_1 * fn, 2.0 * std::sqrt(now.sigma_0 * effective_mass))
                                    : p.sigma_1 * std::sqrt(effective_mass);
  }
  return now;
}

/// max_rate [1/s] bounds the relaxation towards steady sliding. At fn <= 0 there is no force, and a deflection whose
/// stiffness does not follow the load fades at max_rate (stays, when that is infinite: the owner resets it at
/// lift-off).
inline FrictionRates calc_lugre_friction(const LugreParameters& p, const FrictionState& state, const Vec3& n, double fn,
                                         const Vec3& vt, double max_rate = std::numeric_limits<double>::infinity(),
                                         double effective_mass = 1.0) {
  FrictionRates out;
  const Vec3 z = tangential(state.z, n);
  const bool is_pressed = fn > 0.0;
  if (!is_pressed && !p.sigma_0_by_load) {
    if (std::isfinite(max_rate)) out.z_rate = -max_rate * z;
    return out;
  }
  const double speed_squared = vt.squaredNorm();
  const double speed = std::sqrt(speed_squared);
  const double s = calc_stribeck_weight(speed_squared, p.v_stribeck);
  const double mu = p.mu_d + (p.mu_s - p.mu_d) * s;
  const double rate = p.sigma_0 * speed / (p.sigma_0_by_load ? mu : mu * fn);
  // Slower, but towards the same deflection: a rate that were only cut would bend the bristles by vt / max_rate.
  out.z_rate = rate <= max_rate ? Vec3(vt - rate * z) : Vec3(max_rate * (vt / rate - z));
  if (!is_pressed) return out;
  const LugreParameters now = calc_lugre_now(p, fn, effective_mass);
  Vec3 bristles = now.sigma_0 * z + now.sigma_1 * s * out.z_rate;
  const double limit = p.mu_s * fn;
  const double square = bristles.squaredNorm();
  if (square > limit * limit) bristles *= limit / std::sqrt(square);
  out.force = -(bristles + p.sigma_2 * vt);
  out.viscous_power = p.sigma_2 * speed_squared;
  out.dwell = s;
  // Most of a slow slip goes into the bristles.
  out.sticking = speed < p.v_stribeck && 4.0 * out.z_rate.squaredNorm() >= speed_squared;
  return out;
}

/// One step of the law where time is discrete: the deflection at its end, and the force held over it.
struct LugreStep {
  Vec3 z = Vec3::Zero();       ///< [m]
  Vec3 force = Vec3::Zero();   ///< on A [N]
  double viscous_power = 0.0;  ///< [W]
  bool sticking = false;
};

/// `share` scales the three coefficients, for a point that carries this part of a contact [1]. The deflection follows
/// by the implicit rule z+ = (z + h vt) / (1 + h sigma_0 |vt| / g), which ends at g / sigma_0 however fast the slip,
/// and whose force never returns more than the bristles lose.   [Moisio 2013, 5.2.6]
inline LugreStep step_lugre_friction(const LugreParameters& p, double share, const Vec3& z_old, const Vec3& n,
                                     double fn, const Vec3& vt, double h) {
  LugreStep out;
  if (!(fn > 0.0) || !(share > 0.0)) return out;
  const Vec3 z = tangential(z_old, n);
  const double speed_squared = vt.squaredNorm();
  const double g = fn * (p.mu_d + (p.mu_s - p.mu_d) * calc_stribeck_weight(speed_squared, p.v_stribeck));
  const double shrink = g / (g + h * share * p.sigma_0 * std::sqrt(speed_squared));
  out.z = shrink * (z + h * vt);
  const Vec3 z_rate = (1.0 / h) * (out.z - z);
  Vec3 bristles = share * (p.sigma_0 * out.z + p.sigma_1 * z_rate);
  const double limit = p.mu_s * fn;
  const double square = bristles.squaredNorm();
  if (square > limit * limit) bristles *= limit / std::sqrt(square);
  out.force = -(bristles + share * p.sigma_2 * vt);
  out.viscous_power = share * p.sigma_2 * speed_squared;
  out.sticking = speed_squared < p.v_stribeck * p.v_stribeck && 4.0 * z_rate.squaredNorm() >= speed_squared;
  return out;
}

/// Energy stored in the bristles under the load fn [J]; where sigma_0 follows the load, it changes with it as that of
/// bristle_friction.hpp does.
inline double calc_lugre_energy(const LugreParameters& p, const FrictionState& state, const Vec3& n, double fn) {
  return 0.5 * p.sigma_0 * (p.sigma_0_by_load ? fn : 1.0) * tangential(state.z, n).squaredNorm();
}

inline FrictionRates calc_friction(const LugreParameters& law, const FrictionInput& in, const Vec3& n, double fn,
                                   const Vec3& slip) {
  return calc_lugre_friction(law, read_friction_state(in.states, 3), n, fn, slip, in.max_rate, in.effective_mass);
}

inline double LugreParameters::calc_energy(const FrictionState& state, const Vec3& n, double fn) const {
  return calc_lugre_energy(*this, state, n, fn);
}

inline double LugreParameters::calc_fastest_rate(double fn, double effective_mass, double lightest) const {
  return calc_lugre_now(*this, fn, effective_mass).sigma_1 * lightest;
}

/// The deflection of bristles that touch while the surfaces slip at vt [m], where their stiffness follows the load.
///
///   z_0 = (1 - s) mu(|vt|) / s_0 dir(vt),   s = exp(-(|vt|/v_stribeck)^2),   sigma_0 = s_0 fn
///
/// that of steady sliding when they touch in slip, none when they touch at rest. A contact that closes in slip slides
/// as a whole from its first instant: the distance over which it could stick shrinks with its load, which is none yet
/// (Mindlin: in proportion to the depth). Bristles that began straight would need a tenth of a millimetre of each short
/// bounce before they rub with mu fn. Without load they hold no energy.
inline Vec3 LugreParameters::calc_touch_deflection(const Vec3& vt) const {
  const double speed_squared = vt.squaredNorm();
  if (!sigma_0_by_load || !(speed_squared > 0.0)) return Vec3::Zero();
  const double s = calc_stribeck_weight(speed_squared, v_stribeck);
  const double mu = mu_d + (mu_s - mu_d) * s;
  return ((1.0 - s) * mu / (sigma_0 * std::sqrt(speed_squared))) * vt;
}

}  // namespace abut
