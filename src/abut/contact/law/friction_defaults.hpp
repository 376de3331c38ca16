#pragma once

#include "abut/contact/law/friction_law.hpp"
#include "abut/contact/law/resolved_value.hpp"
#include "abut/scene/friction_spec.hpp"

namespace abut {

/// From what a scene gives to every parameter of a friction law, by the rules of [Gonthier 2007, 3.3.2]. Wrong values
/// throw InputError with key, value and range. `gravity` is |g| [m/s^2]; without gravity the rules use
/// kStandardGravity and say so.

inline constexpr double kStandardGravity = 9.81;     ///< [m/s^2]
inline constexpr double kPreslidingDistance = 1e-4;  ///< bristle deflection at break-away, robotic payloads [m] (3.46)

/// Stribeck speed of a contact that takes up its load within the presliding distance d = 1e-4 m [m/s]:
///   v_stribeck = sqrt(mu_s g d)
/// Bristles of stiffness mu_s / d under a load that comes at once are charged at up to exp(-1) times this, and a body
/// that is set down gains about as much while its contact closes. A smaller Stribeck speed would take both for slip,
/// whose friction is mu_c, and a body that mu_s would hold would slide away.
double calc_default_v_stribeck(double mu_s, double gravity);

inline Resolved<NoFriction> resolve_friction(const NoFrictionSpec&, double) { return {}; }

Resolved<CoulombParameters> resolve_friction(const CoulombSpec& spec, double gravity);

/// Coefficients of this law that are not given follow the load fn of the contact, in an impact as at rest; what is
/// returned holds for 1 N (sigma_1 beside a given sigma_0: for 1 kg) and says what scales (LugreParameters).
/// The bristles yield by a quarter of the distance of the bristle law, whose damper bears the load until its springs
/// do: bodies set down on a slope are held to 0.98 mu_s, as there, and to 0.90 with the whole of it.
Resolved<LugreParameters> resolve_friction(const LugreSpec& spec, double gravity);

Resolved<BristleParameters> resolve_friction(const BristleSpec& spec, double gravity);

}  // namespace abut
