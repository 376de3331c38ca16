#pragma once

#include <array>

#include "abut/solve/ode/error_weights.hpp"
#include "abut/solve/ode/radau_matrices.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {

/// When the simplified Newton iteration of Radau stops; all in units of the error weights.
struct RadauNewtonOptions {
  /// A step is refused unless the predicted remaining error of its stages is below this. Tighter costs iterations.
  double tolerance = 1e-3;
  /// While the iteration contracts by `fast_contraction` or better it goes on to this error. It is what lets a body at
  /// rest come to rest: residual velocities are of the order of target times the velocity tolerance, and shrink with
  /// each step.
  double target = 1e-7;
  double fast_contraction = 0.1;
  /// Rounding can hold the corrections above `tolerance` when the user's tolerance is extreme; stagnation below this
  /// passes.
  double stagnation = 0.05;
  int max_iterations = 10;
};

struct RadauNewtonResult {
  bool is_converged = false;
  bool is_refused = false;   ///< rates not finite in a stage
  int iterations = 0;        ///< until `tolerance` was met; the polish beyond it does not count
  double contraction = 0.0;  ///< of the slowest pair of iterations
  double step_factor = 0.5;  ///< advice for the next try when it did not converge
};

/// Solves the stage equations Z = h (A x I) F(y + Z) of Radau IIA by simplified Newton iteration in the variables W =
/// T^-1 Z: one real and one complex factorisation of size n for all iterations and stages.
class RadauNewton {
 public:
  using Stages = std::array<VecX, 3>;

  explicit RadauNewton(const RadauNewtonOptions& options) : options_(options) {}

  void resize(Eigen::Index n);
  /// Factorises gamma/h I - J and (alpha + i beta)/h I - J.
  void factorise(double h, const Jacobian& jacobian, WorkCounter* work);
  /// Iterates from the guess in *z; w are the error weights.
  RadauNewtonResult solve(RateEvaluator& rates, double t, double h, const VecX& y, const VecX& w, Stages* z);
  /// Solves (gamma/h I - J) x = rhs in place; the filter of the error estimate.
  void filter(VecX* rhs) const;

 private:
  bool calc_correction(RateEvaluator& rates, double t, double h, const VecX& y, const Stages& z);
  double correction_norm(const VecX& w) const;
  bool is_converging(int iteration, double norm, double floor, RadauNewtonResult* result) const;
  void apply_correction(Stages* z);

  RadauNewtonOptions options_;
  RadauMatrices matrices_;
  Stages transformed_, correction_, stage_rates_;
  VecX y_stage_;
  Eigen::VectorXcd complex_rhs_;
};

}  // namespace abut
