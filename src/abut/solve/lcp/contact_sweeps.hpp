#pragma once

#include <span>

#include "abut/solve/lcp/friction_contact.hpp"
#include "abut/solve/lcp/system_solver.hpp"

namespace abut {

struct SweepOptions {
  double tolerance = 1e-10;  ///< on the residual over the largest row speed without impulses
  double least = 0.0;        ///< residual that is good enough whatever that speed [m/s]
  int max_sweeps = 2000;
};

/// Gauss-Seidel over contacts: each in turn is solved exactly for its own three impulses with all others held, with its
/// friction limit following its normal impulse of the same instant. Rows outside contacts are taken one by one within
/// their bounds. Memory and time of a sweep are linear in the number of rows, so it is the way for very large systems;
/// and it is the only one here that knows the circular cone. Convergence is linear, and slow for tall stacks: the
/// status says whether the tolerance was met. Contacts must be groups of the system of exactly three rows. `x` holds
/// the guess and the result, `v` the velocities.
SystemResult solve_contact_sweeps(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                                  const SweepOptions& options, std::vector<double>& x, std::vector<double>& v);

/// Largest residual over contacts (by their law) and other rows (by their bounds) of impulses x [m/s].
double calc_friction_residual(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                              const std::vector<double>& x);

}  // namespace abut
