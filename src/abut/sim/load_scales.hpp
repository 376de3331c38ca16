#pragma once

#include <vector>

#include "abut/sim/dynamics.hpp"

namespace abut {

/// What acts on a contact besides its own impact.
struct LoadScale {
  /// Largest acceleration with which loads other than contacts would drive together two bodies of its island, and that
  /// of gravity at least [m/s^2].
  double acceleration = 0.0;
  /// Largest speed at touch in its island, or half of that with which one of its contacts would let go now [m/s].
  double speed = 0.0;
  double force = 0.0;  ///< its normal force now [N]
};

/// Of each active patch, at the present state. An island is what contacts and joints hold together: a ball between a
/// shaft and its housing feels what presses on the shaft, although nothing else acts on the ball itself.
std::vector<LoadScale> calc_load_scales(Dynamics& dynamics, State& state);

}  // namespace abut
