#pragma once

#include "abut/sim/dynamics.hpp"
#include "abut/solve/ode/adaptive_stepper.hpp"

namespace abut {

/// The error the adaptive methods may make in each state, for the patches that exist now.
///
/// A contact depth of a micrometre decides over forces while the coordinate it is computed from may be metres: errors
/// relative to the coordinates would be useless. So every coordinate of a body in contact is held to `tolerance` times
/// the depth that its impact or its weight will cause, and every velocity to `tolerance` times the impact speed (or the
/// speed of small oscillations at rest); a bristle to `tolerance` times its deflection at break-away.
ErrorWeights make_error_weights(const Dynamics& dynamics, const State& state, double tolerance);

/// Upper bound on the first step after the patches changed, and the fastest rate that friction will bring about.
RestartHint make_restart_hint(const Dynamics& dynamics, const State& state);

/// Time in which no pair of bounded bodies that are apart can pass through each other unseen [s].
double calc_safe_interval(Dynamics& dynamics);

}  // namespace abut
