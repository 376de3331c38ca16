#pragma once

#include <span>
#include <vector>

#include "abut/solve/lcp/block_cholesky.hpp"
#include "abut/solve/lcp/constraint_system.hpp"

namespace abut {

/// Brings x near a solution of the system by Mehrotra's predictor-corrector method [Nocedal and Wright 2006, 16.6], in
/// the space of velocities: each step factorises M + J' D J with D from the distances to the bounds. Some twenty steps
/// whatever the size, but no warm start and no exact end: x is strictly inside its bounds and approximate, meant as the
/// start of SystemSolver. Returns the number of factorisations. `diagonal` is that of S; `cholesky` must have been
/// analysed for the system.
int approach_by_interior_point(const ConstraintSystem& system, std::span<const double> diagonal, int max_steps,
                               BlockCholesky& cholesky, std::vector<double>& x);

}  // namespace abut
