#pragma once

#include <span>

#include "abut/solve/lcp/friction_contact.hpp"
#include "abut/solve/lcp/system_solver.hpp"

namespace abut {

struct ConeAlignmentOptions {
  double tolerance = 1e-10;  ///< on the residual of Coulomb's law over the largest row speed without impulses
  double least = 0.0;        ///< residual that is good enough whatever that speed [m/s]
  int max_alignments = 40;
};

/// Coulomb's law with the circular cone for many contacts, as a sequence of bounded problems for SystemSolver.
///
/// From the last impulses and velocities, the tangential rows of each contact are turned: along the slip where it
/// slides, with the dry limit mu x_n along it and the viscous impulse (mu x_n / |slip|) w_2 across it, which turns the
/// force with the slip; along the force where it sticks, where the box of that size touches the circle. Limits follow
/// the normal impulses. Where the sequence settles the law is met exactly. It settles in some ten problems for stacks
/// and walls; where contacts jam it need not, which the status says: x is then the best found, a start for sweeps.
/// Contacts must be groups of exactly three rows without compliance in the tangential ones, all with a circular cone.
SystemResult solve_by_cone_alignment(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                                     const ConeAlignmentOptions& options, SystemSolver& solver, std::vector<double>& x,
                                     std::vector<double>& v);

}  // namespace abut
