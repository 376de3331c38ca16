#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "abut/math/types.hpp"

namespace abut {

/// A row whose bounds follow another unknown: |x_row| <= factor x_normal, and 0 where x_normal is negative. With factor
/// the coefficient of friction this is the box of Coulomb's law. The problem is then no longer linear; it is solved as
/// a sequence of problems with fixed bounds.
struct BoundCoupling {
  int row = 0;
  int normal = 0;
  double factor = 0.0;  ///< >= 0
};

/// Mixed linear complementarity problem with bounds.   [Peiret et al. 2016 (30)-(31)]
///   w = A x + b,  lower <= x <= upper,
///   x_i = lower_i => w_i >= 0;  x_i = upper_i => w_i <= 0;  otherwise w_i = 0.
/// Bounds may be infinite (a row free on both sides is an equation); lower = upper fixes x_i and leaves w_i free. A
/// finite bound of magnitude 1e300 or more counts as infinite. lower = 0 and upper = infinity everywhere is the LCP.
struct BoundedLcp {
  MatX A;
  VecX b;
  VecX lower, upper;
  std::vector<BoundCoupling> couplings;  ///< usually none

  int size() const { return static_cast<int>(b.size()); }
};

/// The standard problem 0 <= x _|_ A x + b >= 0.
BoundedLcp make_lcp(MatX A, VecX b);

/// How a solution attempt ended. Only `solved` promises the tolerance; in all cases x and w are finite and x lies
/// within its bounds.
enum class LcpStatus {
  solved,
  not_converged,  ///< the iteration limit came first; the residual says how far it got
  no_solution,    ///< a ray was found: for monotone problems a proof that none exists, else that none was found
  singular,       ///< a system met on the way had no solution and no other way was left
  invalid,        ///< the data are not finite, sizes differ, or lower > upper
};
std::string_view lcp_status_name(LcpStatus status);

struct LcpResult {
  LcpStatus status = LcpStatus::invalid;
  /// max_i |mid(w_i, x_i - lower_i, x_i - upper_i)|: zero exactly at solutions. In the mixed unit of x and w.
  double residual = std::numeric_limits<double>::infinity();
  /// The residual over max |b|, or over a hundredth of the largest |A| |x| where that is more.
  double relative_residual = std::numeric_limits<double>::infinity();
  int iterations = 0;        ///< pivots, factorisations or sweeps, by method
  int outer_iterations = 0;  ///< proximal steps and updates of coupled bounds
  std::string method;        ///< which one answered
  std::string message;       ///< why it is not solved, or what was special
  VecX x, w;

  bool is_solved() const { return status == LcpStatus::solved; }
};

/// Empty when the data can be worked with, else what is wrong with them.
std::string describe_invalid(const BoundedLcp& problem);

/// The bounds themselves, without couplings; those beyond any meaning become infinite.
void set_own_bounds(const BoundedLcp& problem, VecX& lower, VecX& upper);
/// The same problem with huge bounds made infinite and bounds of coupled rows taken from x.
void set_coupled_bounds(const BoundedLcp& problem, const VecX& x, VecX& lower, VecX& upper);

/// max_i |mid(w_i, x_i - lower_i, x_i - upper_i)|.
double calc_natural_residual(const VecX& x, const VecX& w, const VecX& lower, const VecX& upper);

/// Largest magnitude among the terms that cancel in w = A x + b; what rounding errors are measured against.
double calc_row_scale(const MatX& A, const VecX& x, const VecX& b);

/// Fills relative residual and status from the residual: solved where it is at most tolerance max |b|, or rounding of
/// the terms that cancel. Not tolerance times those terms: where there is no solution x grows without end, and with it
/// such a scale.
void judge(double b_scale, double row_scale, double tolerance, LcpResult& result);

/// Fills w, both residuals and the status (solved or not_converged) of result.x for these bounds.
void assess(const MatX& A, const VecX& b, const VecX& lower, const VecX& upper, double tolerance, LcpResult& result);

}  // namespace abut
