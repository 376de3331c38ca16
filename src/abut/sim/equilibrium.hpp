#pragma once

#include <string>

#include "abut/sim/dynamics.hpp"

namespace abut {

/// What looking for rest came to.
struct Equilibrium {
  bool is_found = false;
  /// Where it is, with what moved most; or why there is none, with the largest force left and where.
  std::string text;
};

/// Puts `state` at rest where the loads of time 0 balance: springs, weight, applied forces, motors and the elastic
/// forces of contacts at zero speed, with loops closed and prescribed joints where they are. Dry friction holds
/// nothing: bristles are without charge, so that rest does not depend on a past.
///
/// Implicit steps of q' = a(q), a the accelerations at rest, along which the energy falls; their length grows as a
/// does, so that the last ones are Newton's: (1 / T - da/dq) dq = a, differences for da/dq, no change beyond a part of
/// a body's size. [Kelley and Keyes 1998]
Equilibrium find_equilibrium(Dynamics& dynamics, State& state);

}  // namespace abut
