#include "abut/solve/lcp/gauss_seidel.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace abut {

LcpResult solve_gauss_seidel(const BoundedLcp& problem, const VecX& start, const GaussSeidelOptions& options) {
  LcpResult result;
  result.method = "gauss-seidel";
  const int n = problem.size();
  VecX lower, upper;
  result.x = start.size() == n ? start : VecX::Zero(n);
  set_coupled_bounds(problem, result.x, lower, upper);
  result.x = result.x.cwiseMax(lower).cwiseMin(upper);
  std::vector<const BoundCoupling*> coupling(n, nullptr);
  for (const BoundCoupling& c : problem.couplings) coupling[c.row] = &c;
  const bool has_bad_row = n > 0 && problem.A.diagonal().minCoeff() <= 0.0;

  // Rows are read one at a time: a row-major copy keeps them together.
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A = problem.A;
  VecX& x = result.x;
  constexpr int kSweepsBetweenChecks = 10;
  assess(problem.A, problem.b, lower, upper, options.tolerance, result);
  while (!result.is_solved() && result.iterations < options.max_sweeps) {
    for (int k = 0; k < kSweepsBetweenChecks && result.iterations < options.max_sweeps; ++k, ++result.iterations) {
      for (int i = 0; i < n; ++i) {
        if (coupling[i] != nullptr) {
          upper[i] = coupling[i]->factor * std::max(0.0, x[coupling[i]->normal]);
          lower[i] = -upper[i];
        }
        if (A(i, i) <= 0.0) continue;
        x[i] = std::clamp(x[i] - (A.row(i).dot(x) + problem.b[i]) / A(i, i), lower[i], upper[i]);
      }
    }
    set_coupled_bounds(problem, x, lower, upper);
    x = x.cwiseMax(lower).cwiseMin(upper);
    assess(problem.A, problem.b, lower, upper, options.tolerance, result);
  }
  if (!result.is_solved()) {
    if (has_bad_row) result.status = LcpStatus::singular;
    result.message = fmt::format("{}relative residual {:.2e} after {} sweeps",
                                 has_bad_row ? "a diagonal entry is not positive; " : "", result.relative_residual,
                                 result.iterations);
  }
  return result;
}

}  // namespace abut
