#include "abut/solve/lcp/solve_lcp.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/solve/lcp/block_pivoting.hpp"
#include "abut/solve/lcp/factored_newton.hpp"
#include "abut/solve/lcp/gauss_seidel.hpp"
#include "abut/solve/lcp/lemke.hpp"

namespace abut {

namespace {

LcpResult run_pivoting(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  BlockPivotingOptions o;
  o.tolerance = options.tolerance;
  o.max_pivots = options.max_iterations;
  return solve_block_pivoting(problem, start, o);
}

LcpResult run_lemke(const BoundedLcp& problem, const LcpOptions& options) {
  LemkeOptions o;
  o.tolerance = options.tolerance;
  o.max_pivots = options.max_iterations;
  return solve_lemke(problem, o);
}

LcpResult run_gauss_seidel(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  GaussSeidelOptions o;
  o.tolerance = options.tolerance;
  if (options.max_iterations > 0) o.max_sweeps = options.max_iterations;
  return solve_gauss_seidel(problem, start, o);
}

/// Pivots, and where they do not end soon steps that descend: those cost more each, but their number hardly depends on
/// how many rows are redundant or degenerate. Then as many pivots as it takes.
LcpResult run_pivoting_first(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  constexpr int kManyPivots = 200;
  LcpOptions few = options;
  if (few.max_iterations == 0) few.max_iterations = kManyPivots;
  LcpResult pivoting = run_pivoting(problem, few, start);
  if (pivoting.is_solved()) return pivoting;
  FactoredNewtonOptions descent;
  descent.tolerance = options.tolerance;
  LcpResult newton = solve_factored_newton(problem, pivoting.x, descent);
  newton.iterations += pivoting.iterations;
  if (newton.is_solved()) return newton;
  if (few.max_iterations == options.max_iterations) return pivoting;
  return run_pivoting(problem, options, start);
}

LcpResult run_automatic(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  if (problem.size() > options.largest_direct) return run_gauss_seidel(problem, options, start);
  LcpResult pivoting = run_pivoting_first(problem, options, start);
  if (pivoting.is_solved()) return pivoting;
  LcpResult lemke = run_lemke(problem, options);
  lemke.message =
      fmt::format("block pivoting: {}{}{}", pivoting.message, lemke.message.empty() ? "" : "; lemke: ", lemke.message);
  if (lemke.is_solved()) return lemke;
  // A basis that is nearly right: pivoting from there may repair what Lemke's rounding spoiled.
  LcpResult again = run_pivoting(problem, options, lemke.x);
  if (again.is_solved()) return again;
  if (lemke.status == LcpStatus::no_solution) return lemke;
  LcpResult best = pivoting.residual < lemke.residual ? pivoting : lemke;
  LcpResult sweeps = run_gauss_seidel(problem, options, best.x);
  if (sweeps.is_solved() || sweeps.residual < best.residual) best = sweeps;
  best.message = lemke.message + (best.message.empty() ? "" : "; " + best.message);
  return best;
}

LcpResult run_fixed_bounds(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  switch (options.method) {
    case LcpMethod::block_pivoting:
      return run_pivoting(problem, options, start);
    case LcpMethod::lemke:
      return run_lemke(problem, options);
    case LcpMethod::gauss_seidel:
      return run_gauss_seidel(problem, options, start);
    case LcpMethod::automatic:
      break;
  }
  return run_automatic(problem, options, start);
}

/// Fixed point on the bounds; damped once it has begun to turn back and forth.
LcpResult run_coupled(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  const int n = problem.size();
  BoundedLcp fixed;
  fixed.A = problem.A;
  fixed.b = problem.b;
  VecX anchor = start.size() == n ? start : VecX::Zero(n);
  LcpResult result;
  VecX lower, upper;
  if (start.size() != n) {
    // Without a hint: the normal unknowns of the problem without friction.
    set_coupled_bounds(problem, anchor, fixed.lower, fixed.upper);
    anchor = run_fixed_bounds(fixed, options, {}).x;
  }
  int iterations = 0;
  double last = std::numeric_limits<double>::infinity(), damping = 1.0;
  for (int k = 0; k < std::max(1, options.max_bound_updates); ++k) {
    set_coupled_bounds(problem, anchor, fixed.lower, fixed.upper);
    result = run_fixed_bounds(fixed, options, k == 0 ? anchor : result.x);
    iterations += result.iterations;
    result.iterations = iterations;
    result.outer_iterations = k + 1;
    if (!result.is_solved()) return result;
    LcpResult checked = result;
    set_coupled_bounds(problem, result.x, lower, upper);
    assess(problem.A, problem.b, lower, upper, options.tolerance, checked);
    result = checked;
    if (result.is_solved()) return result;
    if (result.residual > 0.95 * last) damping = std::max(0.1, 0.7 * damping);
    last = result.residual;
    anchor += damping * (result.x - anchor);
  }
  result.message = fmt::format("bounds still change after {} updates: relative residual {:.2e}",
                               result.outer_iterations, result.relative_residual);
  return result;
}

}  // namespace

LcpResult solve_lcp(const BoundedLcp& problem, const LcpOptions& options, const VecX& start) {
  const std::string problem_text = describe_invalid(problem);
  const bool has_bad_start = start.size() != 0 && (start.size() != problem.b.size() || !start.allFinite());
  if (!problem_text.empty() || has_bad_start) {
    LcpResult result;
    result.message = !problem_text.empty() ? problem_text : "the start has another size or is not finite";
    result.x = result.w = VecX::Zero(problem.b.size());
    return result;
  }
  const bool is_coupled = !problem.couplings.empty() && options.method != LcpMethod::gauss_seidel;
  LcpResult result = is_coupled ? run_coupled(problem, options, start) : run_fixed_bounds(problem, options, start);
  if (!result.x.allFinite() || !result.w.allFinite()) {
    result.status = LcpStatus::singular;
    result.x = result.w = VecX::Zero(problem.size());
    result.residual = std::numeric_limits<double>::infinity();
    result.message = "numbers ran out of range; " + result.message;
  }
  return result;
}

}  // namespace abut
