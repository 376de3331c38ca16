#pragma once

#include <functional>
#include <string>
#include <vector>

#include "abut/math/types.hpp"

namespace abut {

/// A square system of equations, some of them complementarity conditions already written as an equation (see
/// calc_fischer_burmeister), that is smooth but for corners.
struct NonsmoothSystem {
  /// Fills r (as many as unknowns); may be called anywhere. Non-finite values mean "not there".
  std::function<void(const VecX& z, VecX& r)> residual;
  VecX unknown_scale;   ///< typical sizes of the unknowns, > 0
  VecX equation_scale;  ///< typical sizes of the terms of each equation, > 0

  int size() const { return static_cast<int>(unknown_scale.size()); }
};

enum class NcpStatus { solved, stalled, iteration_limit, invalid };

struct NcpOptions {
  double tolerance = 1e-10;  ///< on max |r_i| / equation_scale_i
  int max_iterations = 100;
};

struct NcpResult {
  NcpStatus status = NcpStatus::invalid;
  double residual = 0.0;  ///< max |r_i| / equation_scale_i
  int iterations = 0;     ///< linear systems solved
  std::string message;
  VecX z;

  bool is_solved() const { return status == NcpStatus::solved; }
};

/// a >= 0, b >= 0, a b = 0 as one equation: sqrt(a^2 + b^2) - a - b = 0 [Fischer 1992]. Differentiable but at (0, 0).
double calc_fischer_burmeister(double a, double b);

/// Newton's method on scaled unknowns and equations with Jacobians by differences, globalised: the step is shortened
/// until the sum of squares falls; where the Newton step does not descend, a Levenberg-Marquardt step does, with a
/// damping that grows until it succeeds. Converges quadratically near regular solutions. Never loops; z is always the
/// best point seen.
NcpResult solve_semismooth_newton(const NonsmoothSystem& system, const VecX& start, const NcpOptions& options = {});

}  // namespace abut
