#pragma once

#include <algorithm>
#include <cmath>

namespace abut {

/// Coefficients of one contact's normal force, fixed from touch to lift-off.
///
///   f = max(0, k x^p + lambda x^r v)                 [Azad and Featherstone 2014 (1) with q = 1; Gonthier 2007 (3.11)]
///
/// x depth [m]; v = dx/dt [m/s], > 0 approaching. Every law of the family is a choice of
/// (p, r) and of the rule for lambda:
///   lambda = 0   hertz
///   r = p        hunt-crossley, lankarani-nikravesh, flores, gonthier
///   r = 1        lee-wang
///   r = 1/2      azad-featherstone (p = 3/2)
///   r = 0        kelvin-voigt (p = 1)
struct NormalCoefficients {
  double stiffness = 0.0;         ///< k [N/m^p], > 0
  double exponent = 1.5;          ///< p [-], > 0
  double damping = 0.0;           ///< lambda [N s/m^(r+1)], >= 0
  double damping_exponent = 1.5;  ///< r [-], 0 <= r <= p
};

/// Parts of a normal force [N]. The damper's share is total - elastic; it dissipates
/// (total - elastic) * depth_rate [W], which stays >= 0 when the clamp acts, because the bodies then separate
/// (v < 0) faster than the spring can follow.
struct NormalForce {
  double total = 0.0;      ///< what acts on the bodies, >= 0: no adhesion
  double elastic = 0.0;    ///< k x^p, derivative of the stored energy
  double unclamped = 0.0;  ///< k x^p + lambda x^r v, may be negative; its zero is the instant the surfaces let go
};

/// x^a for x >= 0 without std::pow for the exponents that occur in practice.
inline double calc_power(double x, double a) {
  if (a == 1.5) return x * std::sqrt(x);
  if (a == 1.0) return x;
  if (a == 0.5) return std::sqrt(x);
  if (a == 0.0) return 1.0;
  return std::pow(x, a);
}

/// Force at depth [m] and depth rate [m/s]; all zero for depth <= 0.
inline NormalForce calc_normal_force(const NormalCoefficients& c, double depth, double depth_rate) {
  if (!(depth > 0.0)) return {};
  NormalForce f;
  const double x_p = calc_power(depth, c.exponent);
  f.elastic = c.stiffness * x_p;
  const double x_r = c.damping_exponent == c.exponent ? x_p : calc_power(depth, c.damping_exponent);
  f.unclamped = f.elastic + c.damping * x_r * depth_rate;
  f.total = std::max(0.0, f.unclamped);
  return f;
}

/// Energy stored in the contact's spring [J]: k x^(p+1) / (p+1).
inline double calc_elastic_energy(const NormalCoefficients& c, double depth) {
  if (!(depth > 0.0)) return 0.0;
  return c.stiffness * calc_power(depth, c.exponent) * depth / (c.exponent + 1.0);
}

/// Derivative of the force with respect to depth at fixed rate, and to the rate at fixed depth, without the clamp.
/// For step-size advice and implicit methods. [N/m], [N s/m]; zero for depth <= 0.
struct NormalForceGradient {
  double by_depth = 0.0;
  double by_rate = 0.0;
};

inline NormalForceGradient calc_normal_force_gradient(const NormalCoefficients& c, double depth, double depth_rate) {
  if (!(depth > 0.0)) return {};
  const double x_p = calc_power(depth, c.exponent);
  const double x_r = calc_power(depth, c.damping_exponent);
  NormalForceGradient g;
  g.by_depth = (c.stiffness * c.exponent * x_p + c.damping * c.damping_exponent * x_r * depth_rate) / depth;
  g.by_rate = c.damping * x_r;
  return g;
}

}  // namespace abut
