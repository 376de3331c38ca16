#pragma once

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

struct FactoredNewtonOptions {
  double tolerance = 1e-10;  ///< on the relative residual
};

/// Symmetric positive semi-definite problems by SystemSolver: with A = L L', L of as many columns as A has rank, the
/// problem is that of rows L on unit masses. Newton's steps with their line search then take the place of pivots, and
/// redundant rows cost nothing. Where A is neither symmetric nor semi-definite the status is `singular` and x is the
/// point of the box nearest to zero.
LcpResult solve_factored_newton(const BoundedLcp& problem, const VecX& start, const FactoredNewtonOptions& options);

}  // namespace abut
