#pragma once

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

struct LemkeOptions {
  double tolerance = 1e-12;  ///< on the relative residual of the solution returned
  int max_pivots = 0;        ///< 0 chooses 100 + 20 n
  int max_attempts = 4;      ///< covering vectors tried, where a ray proves nothing
  int refactor = 64;         ///< pivots between fresh inverses of the basis
};

/// Lemke's complementary pivoting for 0 <= x _|_ A x + b >= 0 [Cottle, Pang and Stone 1992, 4.4], ties broken
/// lexicographically so that it cannot cycle. The covering vector is one everywhere, then others. Finds a solution or
/// ends on a ray. For positive semi-definite matrices a ray means that there is none; for others it only means that
/// this path found none. The solution is computed afresh from the final basis. Cost: n^2 a pivot, usually between n and
/// 2 n pivots.
LcpResult solve_lemke(const MatX& A, const VecX& b, const LemkeOptions& options = {});

/// The bounded problem written as an LCP and handed to solve_lemke: rows with two finite bounds get a second unknown;
/// rows without bounds are eliminated, and refused as singular where their own block cannot be.
LcpResult solve_lemke(const BoundedLcp& problem, const LemkeOptions& options = {});

}  // namespace abut
