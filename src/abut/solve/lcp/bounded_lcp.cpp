#include "abut/solve/lcp/bounded_lcp.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHuge = 1e300;

std::string describe_invalid_coupling(const BoundedLcp& problem) {
  for (const BoundCoupling& c : problem.couplings) {
    if (c.row < 0 || c.row >= problem.size() || c.normal < 0 || c.normal >= problem.size() || c.row == c.normal) {
      return fmt::format("coupling of row {} to row {} in a problem of {} rows", c.row, c.normal, problem.size());
    }
    if (!(c.factor >= 0.0) || !std::isfinite(c.factor)) {
      return fmt::format("coupling of row {} has the factor {}; it must be finite and not negative", c.row, c.factor);
    }
  }
  return {};
}

}  // namespace

BoundedLcp make_lcp(MatX A, VecX b) {
  BoundedLcp problem;
  const Eigen::Index n = b.size();
  problem.A = std::move(A);
  problem.b = std::move(b);
  problem.lower = VecX::Zero(n);
  problem.upper = VecX::Constant(n, kInfinity);
  return problem;
}

std::string_view lcp_status_name(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved:
      return "solved";
    case LcpStatus::not_converged:
      return "not converged";
    case LcpStatus::no_solution:
      return "no solution";
    case LcpStatus::singular:
      return "singular";
    case LcpStatus::invalid:
      return "invalid";
  }
  return "?";
}

std::string describe_invalid(const BoundedLcp& problem) {
  const Eigen::Index n = problem.b.size();
  if (problem.A.rows() != n || problem.A.cols() != n || problem.lower.size() != n || problem.upper.size() != n) {
    return fmt::format("sizes differ: A is {} x {}, b has {}, lower {}, upper {} entries", problem.A.rows(),
                       problem.A.cols(), n, problem.lower.size(), problem.upper.size());
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!std::isfinite(problem.b[i])) return fmt::format("b[{}] = {} is not finite", i, problem.b[i]);
    if (!(problem.lower[i] <= problem.upper[i]) || problem.lower[i] == kInfinity || problem.upper[i] == -kInfinity) {
      return fmt::format("row {} has the bounds {} and {}", i, problem.lower[i], problem.upper[i]);
    }
    for (Eigen::Index j = 0; j < n; ++j) {
      if (!std::isfinite(problem.A(i, j))) return fmt::format("A({}, {}) = {} is not finite", i, j, problem.A(i, j));
    }
  }
  return describe_invalid_coupling(problem);
}

void set_own_bounds(const BoundedLcp& problem, VecX& lower, VecX& upper) {
  lower = problem.lower;
  upper = problem.upper;
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    if (lower[i] <= -kHuge) lower[i] = -kInfinity;
    if (upper[i] >= kHuge) upper[i] = kInfinity;
  }
}

void set_coupled_bounds(const BoundedLcp& problem, const VecX& x, VecX& lower, VecX& upper) {
  set_own_bounds(problem, lower, upper);
  for (const BoundCoupling& c : problem.couplings) {
    upper[c.row] = c.factor * std::max(0.0, x[c.normal]);
    lower[c.row] = -upper[c.row];
  }
}

double calc_natural_residual(const VecX& x, const VecX& w, const VecX& lower, const VecX& upper) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    // mid(a, b, c) with a >= c is clamp(b, c, a); infinite bounds leave w.
    const double r = std::clamp(w[i], x[i] - upper[i], std::max(x[i] - lower[i], x[i] - upper[i]));
    if (!(std::abs(r) <= worst)) worst = std::abs(r);
  }
  return worst;
}

double calc_row_scale(const MatX& A, const VecX& x, const VecX& b) {
  double scale = 0.0;
  for (Eigen::Index i = 0; i < b.size(); ++i) {
    scale = std::max({scale, std::abs(b[i]), A.row(i).cwiseAbs().dot(x.cwiseAbs())});
  }
  return scale;
}

void judge(double b_scale, double row_scale, double tolerance, LcpResult& result) {
  // Rounding of sums of a few hundred terms; 64 ulp covers what refinement leaves on the test problems with room.
  constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
  const double scale = std::max(b_scale, 0.01 * row_scale);
  result.relative_residual = scale > 0.0 ? result.residual / scale : result.residual;
  const bool is_good = result.residual <= std::max(tolerance * b_scale, kRounding * row_scale);
  result.status = is_good ? LcpStatus::solved : LcpStatus::not_converged;
}

void assess(const MatX& A, const VecX& b, const VecX& lower, const VecX& upper, double tolerance, LcpResult& result) {
  result.w = A * result.x + b;
  result.residual = calc_natural_residual(result.x, result.w, lower, upper);
  const double b_scale = b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0.0;
  judge(b_scale, calc_row_scale(A, result.x, b), tolerance, result);
}

}  // namespace abut
