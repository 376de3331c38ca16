#pragma once

namespace abut {

/// Smallest coefficient of restitution that the laws accept where e = 0 is not representable. [Gonthier 2007, 5.1.3]
inline constexpr double kMinRestitution = 0.01;

/// Exact relations between damping and restitution for f = k x^p (1 + D v / v0), v0 the speed of approach at touch
/// [m/s]. One isolated impact (no other force) ends with e = -v_out / v0, whatever the mass, k and p:
///
///   D (1 + e) = ln[(1 + D) / (1 - D e)]                                              [Gonthier 2007 (3.22)]

/// Dimensionless damping d = e D that gives restitution e, the root in (0, 1] of                [Gonthier 2007 (3.23)]
///   (1 + d/e) / (1 - d) = exp(d (1 + 1/e))
/// e in (0, 1], meant for [kMinRestitution, 1]; relative error below 1e-14; d(1) = 0. The law's coefficient is
/// lambda = k d / (e v0).                                                                       [Gonthier 2007 (3.25)]
double gonthier_damping(double restitution);

/// Restitution that damping ratio D >= 0 produces: e = (1 + W0(-(1+D) exp(-(1+D)))) / D, W0 the principal Lambert
/// function; e(0) = 1. Accurate to a few units in the last place for any D, also D -> 0.
double exact_restitution(double damping_ratio);

}  // namespace abut
