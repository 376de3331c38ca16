#pragma once

#include "abut/contact/law/normal_force.hpp"

namespace abut {

/// One isolated impact on the law of normal_force.hpp, made dimensionless with
///   length L = (m v0^2 / k)^(1/(p+1)), time T = L / v0, force m v0^2 / L = k L^p:
///
///   x'' = -max(0, x^p + d x^r x'),  x(0) = 0, x'(0) = 1,  d = lambda v0 L^(r-p) / k [Azad and Featherstone 2014 (1)]
///
/// For (3/2, 1/2) d = lambda v0^(1/5) k^(-3/5) m^(-2/5); for r = p d = lambda v0 / k;
/// for (1, 0) d = lambda / sqrt(k m).
struct ImpactOutcome {
  double restitution = 1.0;  ///< speed of separation over speed of approach [-]
  double duration = 0.0;     ///< from touch until the force has fallen to zero [T, or s]; infinite where it never does
  double max_depth = 0.0;    ///< [L, or m]
  double release_depth = 0.0;  ///< left when the force is lost [L, or m]; the shapes part release_depth / (e v0) later
  double peak_force = 0.0;     ///< [k L^p, or N]; good to about 1e-4, the others to 1e-10
};

/// Far beyond critical damping a body does not rebound, it creeps out: the spring is balanced by the damper,
/// v = -x^(p-r) / d. Once that holds to a thousandth at a speed below 1e-4 the rest is this motion: its restitution is
/// zero where r < p, its duration finite where p - r < 1 only.

/// Dimensionless outcome for exponents p > 0, 0 <= r <= p and damping d >= 0.
ImpactOutcome dimensionless_impact(double exponent, double damping_exponent, double damping);

/// The inverse: the d whose impact has the given restitution e in [kMinRestitution, 1], such that e is met to 1e-9.
/// Exact for r = p. Otherwise the first call for a pair (p, r) tabulates e(d) (some ms); safe from several threads,
/// and the result depends on the arguments alone.
double dimensionless_damping(double exponent, double damping_exponent, double restitution);

/// The factor that turns d into lambda: lambda = d k L^(p-r) / v0 [N s/m^(r+1)].
/// stiffness [N/m^p], speed v0 > 0 [m/s], effective mass m = 1 / (1/m1 + 1/m2) [kg].
double calc_damping_scale(const NormalCoefficients& c, double speed, double effective_mass);

/// What an isolated impact at speed > 0 [m/s] of effective mass [kg] will look like, in SI units.
ImpactOutcome calc_impact(const NormalCoefficients& c, double speed, double effective_mass);

}  // namespace abut
