#include "abut/solve/lcp/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <fmt/format.h>

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Basis of the system  w - A z - d z0 = b with a covering vector d > 0. Variable j < n is w_j, n <= j < 2n is z_(j-n),
/// 2n is z0.
class LemkeBasis {
 public:
  LemkeBasis(const MatX& A, const VecX& b, const VecX& cover, int refactor)
      : A_(A), b_(b), cover_(cover), n_(static_cast<int>(b.size())), refactor_(refactor) {
    basic_.resize(n_);
    for (int i = 0; i < n_; ++i) basic_[i] = i;
    inverse_ = MatX::Identity(n_, n_);
    values_ = b;
  }

  int z0() const { return 2 * n_; }
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  const std::vector<int>& basic() const { return basic_; }
  const VecX& values() const { return values_; }

  /// Brings z0 in where b is most negative for its cover; returns the variable that left.
  int start() {
    int row = 0;
    for (int i = 1; i < n_; ++i) {
      // Lexicographically least of (b_i, e_i) / d_i: the last of equals.
      if (b_[i] * cover_[row] <= b_[row] * cover_[i]) row = i;
    }
    column_ = -cover_;
    return exchange(row, z0());
  }

  /// Row that leaves when `variable` enters; -1 on a ray.
  int find_leaving(int variable) {
    column_.noalias() = inverse_ * calc_column(variable);
    const double threshold = 1e-10 * std::max(1e-300, column_.cwiseAbs().maxCoeff());
    double least = kInfinity;
    for (int i = 0; i < n_; ++i) {
      if (column_[i] > threshold) least = std::min(least, std::max(0.0, values_[i]) / column_[i]);
    }
    if (least == kInfinity) return -1;
    const double slack = 1e-12 * (least + value_scale());
    int row = -1;
    for (int i = 0; i < n_; ++i) {
      if (column_[i] <= threshold || std::max(0.0, values_[i]) / column_[i] > least + slack) continue;
      if (basic_[i] == z0()) return i;
      if (row < 0 || is_lexicographically_less(i, row)) row = i;
    }
    return row;
  }

  /// Puts `variable`, whose column was computed last, in place of the row's; returns the one that leaves.
  int exchange(int row, int variable) {
    const int leaving = basic_[row];
    basic_[row] = variable;
    if (++pivots_ % refactor_ == 0) {
      if (refresh()) return leaving;
    }
    const double pivot = column_[row];
    const Eigen::RowVectorXd pivot_row = inverse_.row(row) / pivot;
    const double value = values_[row] / pivot;
    column_[row] = 0.0;
    inverse_.noalias() -= column_ * pivot_row;
    values_ -= column_ * value;
    inverse_.row(row) = pivot_row;
    values_[row] = value;
    return leaving;
  }

 private:
  VecX calc_column(int variable) const {
    if (variable == z0()) return -cover_;
    if (variable < n_) return VecX::Unit(n_, variable);
    return -A_.col(variable - n_);
  }

  double value_scale() const { return values_.cwiseAbs().maxCoeff() / std::max(1e-300, column_.cwiseAbs().maxCoeff()); }

  bool is_lexicographically_less(int i, int j) const {
    for (int k = 0; k < n_; ++k) {
      const double a = inverse_(i, k) / column_[i], b = inverse_(j, k) / column_[j];
      if (std::abs(a - b) > 1e-11 * (std::abs(a) + std::abs(b))) return a < b;
    }
    return i < j;
  }

  bool refresh() {
    MatX basis(n_, n_);
    for (int i = 0; i < n_; ++i) basis.col(i) = calc_column(basic_[i]);
    const Eigen::PartialPivLU<MatX> lu(basis);
    const MatX inverse = lu.inverse();
    if (!inverse.allFinite()) return false;
    inverse_ = inverse;
    values_ = lu.solve(b_);
    return true;
  }

  const MatX& A_;
  const VecX &b_, &cover_;
  int n_, refactor_, pivots_ = 0;
  std::vector<int> basic_;
  MatX inverse_;
  VecX values_, column_;
};

/// x from the final basis: the rows whose z is basic are solved anew, which removes the errors of the updates.
VecX calc_solution(const MatX& A, const VecX& b, const LemkeBasis& basis) {
  const int n = static_cast<int>(b.size());
  VecX x = VecX::Zero(n);
  std::vector<int> free;
  for (int i = 0; i < n; ++i) {
    const int variable = basis.basic()[i];
    if (variable < n || variable == basis.z0()) continue;
    x[variable - n] = std::max(0.0, basis.values()[i]);
    free.push_back(variable - n);
  }
  const int m = static_cast<int>(free.size());
  if (m == 0) return x;
  MatX system(m, m);
  VecX rhs(m);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) system(i, j) = A(free[i], free[j]);
    rhs[j] = -b[free[j]];
  }
  const Eigen::PartialPivLU<MatX> lu(system);
  VecX fresh = lu.solve(rhs);
  for (int k = 0; k < 2; ++k) fresh += lu.solve(rhs - system * fresh);
  if (!fresh.allFinite()) return x;
  VecX better = x;
  for (int j = 0; j < m; ++j) better[free[j]] = std::max(0.0, fresh[j]);
  const VecX zero = VecX::Zero(n), none = VecX::Constant(n, kInfinity);
  const bool is_better =
      calc_natural_residual(better, A * better + b, zero, none) <= calc_natural_residual(x, A * x + b, zero, none);
  return is_better ? better : x;
}

bool is_semidefinite(const MatX& A) {
  const Eigen::LDLT<MatX> factors(0.5 * (A + A.transpose()));
  return factors.info() == Eigen::Success &&
         factors.vectorD().minCoeff() >= -1e-12 * factors.vectorD().cwiseAbs().maxCoeff();
}

/// Pivots from one covering vector to a solution, a ray or the limit.
LcpResult follow_path(const MatX& A, const VecX& b, const VecX& cover, const LemkeOptions& options) {
  LcpResult result;
  result.method = "lemke";
  const int n = static_cast<int>(b.size());
  const VecX zero = VecX::Zero(n), none = VecX::Constant(n, kInfinity);
  result.x = zero;
  assess(A, b, zero, none, options.tolerance, result);
  LemkeBasis basis(A, b, cover, std::max(1, options.refactor));
  const int max_pivots = options.max_pivots > 0 ? options.max_pivots : 100 + 20 * n;
  int entering = basis.complement(basis.start());
  result.iterations = 1;
  bool is_ray = false;
  while (result.iterations < max_pivots) {
    const int row = basis.find_leaving(entering);
    if (row < 0) {
      is_ray = true;
      break;
    }
    ++result.iterations;
    const int leaving = basis.exchange(row, entering);
    if (leaving == basis.z0()) {
      result.x = calc_solution(A, b, basis);
      assess(A, b, zero, none, options.tolerance, result);
      if (!result.is_solved()) result.message = "the final basis is too ill-conditioned for the tolerance";
      return result;
    }
    entering = basis.complement(leaving);
  }
  result.status = is_ray ? LcpStatus::no_solution : LcpStatus::not_converged;
  result.message = fmt::format("{} after {} pivots", is_ray ? "ended on a ray" : "no end of pivots", result.iterations);
  return result;
}

/// Which rows of a bounded problem have what.
struct RowKinds {
  std::vector<int> free, boxed, bounded;  ///< unbounded; two bounds; at least one bound
};

}  // namespace

LcpResult solve_lemke(const MatX& A, const VecX& b, const LemkeOptions& options) {
  LcpResult result;
  result.method = "lemke";
  const int n = static_cast<int>(b.size());
  const VecX zero = VecX::Zero(n), none = VecX::Constant(n, kInfinity);
  result.x = zero;
  assess(A, b, zero, none, options.tolerance, result);
  if (n == 0 || b.minCoeff() >= 0.0) return result;
  VecX cover = VecX::Ones(n);
  std::uint64_t seed = 1;
  int pivots = 0;
  for (int attempt = 0; attempt < std::max(1, options.max_attempts); ++attempt) {
    result = follow_path(A, b, cover, options);
    pivots += result.iterations;
    // A ray is an answer for monotone problems. For others another cover leads along another path.
    if (result.is_solved() || (attempt == 0 && is_semidefinite(A))) break;
    for (int i = 0; i < n; ++i) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      cover[i] = 0.05 + static_cast<double>(seed >> 40) * 0x1p-24;
    }
  }
  result.iterations = pivots;
  return result;
}

LcpResult solve_lemke(const BoundedLcp& problem, const LemkeOptions& options) {
  const int n = problem.size();
  VecX lower, upper;
  set_own_bounds(problem, lower, upper);

  // Unknowns measured from a finite bound, with the sign that makes them positive: x = origin + sign y.
  RowKinds kinds;
  VecX origin = VecX::Zero(n), sign = VecX::Ones(n);
  for (int i = 0; i < n; ++i) {
    const bool has_lower = lower[i] > -kInfinity, has_upper = upper[i] < kInfinity;
    if (has_lower)
      origin[i] = lower[i];
    else if (has_upper)
      origin[i] = upper[i], sign[i] = -1.0;
    if (!has_lower && !has_upper)
      kinds.free.push_back(i);
    else
      kinds.bounded.push_back(i);
    if (has_lower && has_upper) kinds.boxed.push_back(i);
  }
  MatX S = sign.asDiagonal() * problem.A * sign.asDiagonal();
  VecX c = sign.cwiseProduct(problem.b + problem.A * origin);
  const int f = static_cast<int>(kinds.free.size()), m = static_cast<int>(kinds.bounded.size());
  const int p = static_cast<int>(kinds.boxed.size());

  LcpResult result;
  MatX S_bb = S(kinds.bounded, kinds.bounded);
  VecX c_b = c(kinds.bounded);
  Eigen::FullPivLU<MatX> lu;
  if (f > 0) {
    lu.compute(S(kinds.free, kinds.free));
    if (!lu.isInvertible()) {
      result.method = "lemke";
      result.x = origin;
      assess(problem.A, problem.b, lower, upper, options.tolerance, result);
      result.status = LcpStatus::singular;
      result.message = "the rows without bounds are not independent";
      return result;
    }
    S_bb -= S(kinds.bounded, kinds.free) * lu.solve(MatX(S(kinds.free, kinds.bounded)));
    c_b -= S(kinds.bounded, kinds.free) * lu.solve(VecX(c(kinds.free)));
  }
  MatX big = MatX::Zero(m + p, m + p);
  VecX big_b(m + p);
  big.topLeftCorner(m, m) = S_bb;
  big_b.head(m) = c_b;
  for (int k = 0, j = 0; k < p; ++k) {
    while (kinds.bounded[j] != kinds.boxed[k]) ++j;
    big(j, m + k) = 1.0;
    big(m + k, j) = -1.0;
    big_b[m + k] = upper[kinds.boxed[k]] - lower[kinds.boxed[k]];
  }
  const LcpResult inner = solve_lemke(big, big_b, options);
  VecX y = VecX::Zero(n);
  y(kinds.bounded) = inner.x.head(m);
  if (f > 0) y(kinds.free) = -lu.solve(VecX(c(kinds.free) + S(kinds.free, kinds.bounded) * inner.x.head(m)));
  result = inner;
  result.x = (origin + sign.cwiseProduct(y)).cwiseMax(lower).cwiseMin(upper);
  assess(problem.A, problem.b, lower, upper, options.tolerance, result);
  if (inner.status == LcpStatus::no_solution || inner.status == LcpStatus::singular) result.status = inner.status;
  return result;
}

}  // namespace abut
