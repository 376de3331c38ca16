#pragma once

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

struct GaussSeidelOptions {
  double tolerance = 1e-10;  ///< on the relative residual
  int max_sweeps = 1000;
};

/// Projected Gauss-Seidel: one row after the other is solved for its own unknown and put back within its bounds. Every
/// sweep costs n^2; converges for symmetric positive semi-definite matrices with positive diagonal, slowly where rows
/// are nearly dependent. Coupled bounds follow their normal unknown within the sweep. Meant for systems too large to
/// factorise and as a last resort; the status says whether it got there. Rows with a diagonal that is not positive make
/// it singular, and stay at `start`.
LcpResult solve_gauss_seidel(const BoundedLcp& problem, const VecX& start = {}, const GaussSeidelOptions& options = {});

}  // namespace abut
