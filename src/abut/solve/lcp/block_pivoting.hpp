#pragma once

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

struct BlockPivotingOptions {
  double tolerance = 1e-12;  ///< on the relative residual
  int max_pivots = 0;        ///< factorisations; 0 chooses 50 + 4 n
  int max_proximal = 60;     ///< proximal steps for matrices that are singular or nearly so
  int patience = 5;          ///< block exchanges without progress before single least-index pivots take over
  double proximal = 1e-9;  ///< proximal weight over the mean diagonal; larger is safer and slower on singular matrices
};

/// Block principal pivoting for bounded problems [Judice and Pires 1994], with Murty's
/// least-index rule as safeguard.   [Peiret et al. 2016 (30), (31)]
///
/// Rows are split in free ones, where w = 0 is solved for, and ones at their lower or upper bound. All rows found
/// on the wrong side change over together while their number falls; when it has not for a while, only the one of least
/// index does, which ends in finitely many pivots for P-matrices. To make every positive semi-definite matrix such a
/// one (redundant contacts), the problem is solved as a sequence of A + e I, b - e x_previous, whose limit is a
/// solution of the problem as given wherever one exists; with a regular matrix the second step changes nothing but
/// rounding errors.
///
/// Bounds are taken as they are (couplings are not looked at). `start` (empty, or one number a row) chooses the first
/// split. Deterministic; never loops.
LcpResult solve_block_pivoting(const BoundedLcp& problem, const VecX& start = {},
                               const BlockPivotingOptions& options = {});

}  // namespace abut
