#pragma once

#include "abut/sim/dynamics.hpp"
#include "abut/sim/load_scales.hpp"
#include "abut/solve/ode/adaptive_stepper.hpp"

namespace abut {

/// The error the adaptive methods may make in each state, for the patches that exist now.
///
/// A contact depth of a micrometre decides over forces while the coordinate it is computed from may be metres: errors
/// relative to the coordinates would be useless. So every coordinate of a body in contact is held to `tolerance` times
/// the depth that its impact or the loads on it will cause, and every velocity to `tolerance` times the impact speed
/// (or the speed of small oscillations at rest); a bristle to `tolerance` times its deflection at break-away. A free
/// body's angles and angular velocities are held to a third of what moves its farthest place by as much, and never
/// looser than for one a metre away.
ErrorWeights make_error_weights(const Dynamics& dynamics, const State& state, const std::vector<LoadScale>& loads,
                                double tolerance);

/// Energies that works are compared with, at the motion computed last [J]; a millijoule where nothing moves yet.
double calc_energy_scale(const Dynamics& dynamics, const State& state);

/// Upper bound on the first step after the patches changed, and the fastest rate that friction will bring about.
RestartHint make_restart_hint(const Dynamics& dynamics, const State& state, const std::vector<LoadScale>& loads);

}  // namespace abut
