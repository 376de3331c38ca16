#include "abut/solve/lcp/factored_newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "abut/solve/lcp/system_solver.hpp"

namespace abut {

namespace {

/// L with A = L L' to rounding, by Cholesky's method with the largest pivot first, ended where the rest is rounding; or
/// nothing.
std::optional<MatX> find_factor(const MatX& A) {
  constexpr double kRounding = 1e-14;
  const Eigen::Index n = A.rows();
  const double size = A.cwiseAbs().maxCoeff(), least = kRounding * static_cast<double>(n) * size;
  if ((A - A.transpose()).cwiseAbs().maxCoeff() > kRounding * size) return std::nullopt;
  MatX L = MatX::Zero(n, n);
  VecX rest = A.diagonal();
  Eigen::Index rank = 0;
  for (; rank < n; ++rank) {
    Eigen::Index pivot = 0;
    const double largest = rest.maxCoeff(&pivot);
    if (largest <= least) break;
    VecX column = A.col(pivot) - L.leftCols(rank) * L.row(pivot).head(rank).transpose();
    column /= std::sqrt(largest);
    L.col(rank) = column;
    rest -= column.cwiseAbs2();
    rest[pivot] = 0.0;  // done with, whatever rounding says
  }
  L.conservativeResize(n, rank);
  // A matrix with a negative direction leaves more than rounding.
  if (!((L * L.transpose() - A).cwiseAbs().maxCoeff() <= 10.0 * least)) return std::nullopt;
  return L;
}

}  // namespace

LcpResult solve_factored_newton(const BoundedLcp& problem, const VecX& start, const FactoredNewtonOptions& options) {
  LcpResult result;
  result.method = "factored-newton";
  const int n = problem.size();
  VecX lower, upper;
  set_own_bounds(problem, lower, upper);
  result.x = VecX::Zero(n).cwiseMax(lower).cwiseMin(upper);
  assess(problem.A, problem.b, lower, upper, options.tolerance, result);
  const std::optional<MatX> L = n > 0 ? find_factor(problem.A) : std::nullopt;
  if (!L || L->cols() == 0) {
    if (!result.is_solved()) result.status = LcpStatus::singular;
    result.message = "the matrix is not symmetric and positive semi-definite";
    return result;
  }
  const Eigen::Index rank = L->cols();
  ConstraintSystem system;
  system.add_part(MatX::Identity(rank, rank), VecX::Zero(rank));
  system.add_rows(n, 0, *L, -1, MatX());
  std::copy(problem.b.data(), problem.b.data() + n, system.offset.begin());
  std::copy(lower.data(), lower.data() + n, system.lower.begin());
  std::copy(upper.data(), upper.data() + n, system.upper.begin());
  SystemSolver solver;
  SystemSolverOptions inner;
  inner.tolerance = 0.1 * options.tolerance;
  std::vector<double> x(static_cast<std::size_t>(n), 0.0), v;
  if (start.size() == n) std::copy(start.data(), start.data() + n, x.begin());
  const SystemResult found = solver.solve(system, inner, x, v);
  result.x = Eigen::Map<const VecX>(x.data(), n);
  result.iterations = found.iterations;
  result.outer_iterations = found.outer_iterations;
  assess(problem.A, problem.b, lower, upper, options.tolerance, result);
  if (!result.is_solved()) result.message = found.message;
  return result;
}

}  // namespace abut
