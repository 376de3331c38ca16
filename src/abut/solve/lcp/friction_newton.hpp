#pragma once

#include <span>

#include "abut/solve/lcp/friction_contact.hpp"
#include "abut/solve/lcp/system_solver.hpp"

namespace abut {

struct FrictionNewtonOptions {
  double tolerance = 1e-10;  ///< on the residual of the friction law over the largest row speed without impulses
  double least = 0.0;        ///< residual that is good enough whatever that speed [m/s]
  int max_newton = 500;      ///< factorisations in all
  int max_proximal = 60;
};

/// Contacts with box, polygon or circle, whose limits follow their normal impulses of the same instant, all at once, by
/// Newton's method in the space of velocities.
///
/// As in SystemSolver, proximal steps make redundant contacts regular: from the last x_k with w_k, the step d in
/// velocities obeys
///   M d = J' (x(d) - x_k),    x(d) = projection of x_k - (w_k + J d) / e on what the law allows.
/// The limit of friction moves with the normal impulse, so that this is not the gradient of a function and its matrix
/// M + J' G J is not symmetric: a sparse LU factorisation takes the place of Cholesky's, and steps are shortened until
/// the imbalance of momenta falls. Where they stall, heavier weights make contacts depend less on each other. Nothing
/// proves that it ends for every problem with friction; the status says whether the law is met. The best impulses found
/// are left in `x`, which holds the guess, and their velocities in `v`. Contacts must be groups of the system of
/// exactly three rows; rows outside contacts keep their bounds.
SystemResult solve_friction_newton(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                                   const FrictionNewtonOptions& options, std::vector<double>& x,
                                   std::vector<double>& v);

}  // namespace abut
