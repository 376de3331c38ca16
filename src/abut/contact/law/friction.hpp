#pragma once

#include <cmath>
#include <limits>

#include "abut/math/types.hpp"
#include "abut/scene/regularisation.hpp"

namespace abut {

/// What the friction laws share. A is the first body of the pair, the slip velocity vt [m/s] is that of
/// A relative to B in the tangent plane of the unit normal n, fn [N] >= 0 the normal force; the force
/// is the one on A and opposes slip.

/// Memory of one contact; all zero at a new one. Laws without memory ignore it.
struct FrictionState {
  Vec3 z = Vec3::Zero();  ///< bristle deflection [m]
  double dwell = 0.0;     ///< recovered stiction, 0 sliding to 1 long at rest; 1 for bodies assembled at rest
};

struct FrictionRates {
  Vec3 force = Vec3::Zero();   ///< on A [N]
  Vec3 z_rate = Vec3::Zero();  ///< [m/s]
  double dwell = 0.0;          ///< the value in effect (differs from the state's where dwell follows slip at once)
  double dwell_rate = 0.0;     ///< [1/s]
  double viscous_power = 0.0;  ///< heat of the viscous term [W], >= 0; part of -force.vt
  bool sticking = false;       ///< for events and displays; never feeds back into the motion
};

/// What a law needs to know of the instant.
struct FrictionInput {
  const double* states = nullptr;  ///< z (3), dwell (1), as many as the law has
  double max_rate = 0.0;           ///< fastest relaxation a fixed step can follow [1/s]
  double effective_mass = 1.0;     ///< of the contact [kg]
  double step = 0.0;               ///< that is fixed; 0: the error control follows whatever comes [s]
};

inline FrictionState read_friction_state(const double* states, int count) {
  FrictionState state;
  if (count >= 3) state.z = Vec3(states[0], states[1], states[2]);
  if (count >= 4) state.dwell = states[3];
  return state;
}

/// Sliding and static coefficients of a law, whatever it is [1].
struct FrictionCoefficients {
  double kinetic = 0.0, statical = 0.0;
};

/// How fast a law answers to a change of speed.
struct FrictionPace {
  double time = std::numeric_limits<double>::infinity();  ///< [s]
  const char* remedy = "another friction law";            ///< what makes it longer
};

/// Power that friction takes out of the bodies' motion [W]; what is not stored in bristles is heat.
inline double calc_friction_power(const FrictionRates& rates, const Vec3& vt) { return -rates.force.dot(vt); }

/// Removes the part of z along n. Laws do this before they use z; do it to the stored state as well whenever n has
/// turned, so that a deflection that has left the tangent plane cannot come back later.
inline void project_state(FrictionState& state, const Vec3& n) { state.z = tangential(state.z, n); }

/// u/|u| for |u| >= v_eps, continuously down to zero below; |u| is passed because callers have it.
inline Vec3 calc_direction(const Vec3& u, double norm, double v_eps, Regularisation form) {
  if (norm >= v_eps) return u / norm;
  const double r = norm / v_eps;
  const double scale = form == Regularisation::printed ? r * (1.5 - 0.5 * r * r) : 1.5 - 0.5 * r * r;
  return u * (scale / v_eps);
}

/// Stribeck weight exp(-(v/v_stribeck)^2) from the squared speed; 1 at rest, 0 in full slip. [Gonthier 2007 (3.30)]
inline double calc_stribeck_weight(double speed_squared, double v_stribeck) {
  const double ratio = speed_squared / (v_stribeck * v_stribeck);
  return ratio < 100.0 ? std::exp(-ratio) : 0.0;  // exp(-100) = 4e-44 changes no sum it enters
}

}  // namespace abut
