#pragma once

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

enum class LcpMethod {
  /// Block pivoting; where pivots do not end soon Newton's method with a line search, for semi-definite matrices; where
  /// that fails Lemke; where that fails Gauss-Seidel.
  automatic,
  block_pivoting,  ///< fast and exact for positive semi-definite and P-matrices
  lemke,           ///< exact for many more matrices; slower
  gauss_seidel,    ///< approximate, any size
};

struct LcpOptions {
  LcpMethod method = LcpMethod::automatic;
  double tolerance = 1e-12;  ///< on the relative residual
  int max_iterations = 0;    ///< of the method; 0 chooses by size
  /// Updates of coupled bounds at most; not used without couplings. Each is a problem with fixed bounds, started from
  /// the last.
  int max_bound_updates = 100;
  /// Above this size `automatic` starts with Gauss-Seidel: a dense factorisation of more rows takes seconds.
  int largest_direct = 4000;
};

/// The one entrance to the dense solvers. Checks the data (status `invalid`, never an exception), solves, and says in
/// the result who answered. `start` may be empty or an earlier solution of a similar problem.
LcpResult solve_lcp(const BoundedLcp& problem, const LcpOptions& options = {}, const VecX& start = {});

}  // namespace abut
