#pragma once

#include <optional>

#include <Eigen/SparseCore>

#include "abut/solve/ode/error_weights.hpp"
#include "abut/solve/ode/jacobian_plan.hpp"
#include "abut/solve/ode/rate_evaluator.hpp"

namespace abut {

/// df/dy by one-sided differences. Sparse where the system knows its structure and that pays, dense otherwise.
class Jacobian {
 public:
  /// Takes the system's size and structure; to be called where they may have changed.
  void restart(const OdeSystem& system);

  bool is_sparse() const { return plan_.has_value(); }
  const MatX& dense() const { return dense_; }
  const Eigen::SparseMatrix<double>& sparse() const { return sparse_; }
  Eigen::Index size() const { return size_; }
  /// Counts the patterns of the sparse matrix: while it is the same, so is the pattern.
  long pattern_count() const { return pattern_count_; }

  /// At (t, y), where the rates are `f`. The increments are multiplied by `scale`: a negative one looks to the other
  /// side of a kink, a small one resolves a feature narrower than the usual increment. False when a perturbed state is
  /// refused on both sides.
  bool calc(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f, double scale,
            VecX* y_scratch, VecX* f_scratch);

  /// Its numbers; when they are read it must have been restarted for the same system.
  template <class Archive>
  void visit(Archive& archive) {
    archive(dense_);
    for (Eigen::Index i = 0; is_sparse() && i < sparse_.nonZeros(); ++i) archive(sparse_.valuePtr()[i]);
  }

 private:
  bool calc_sparse(RateEvaluator& rates, const ErrorWeights& weights, double t, const VecX& y, const VecX& f,
                   double scale, VecX* y_scratch, VecX* f_scratch);

  Eigen::Index size_ = 0;
  std::optional<JacobianPlan> plan_;
  long pattern_count_ = 0;
  MatX dense_;
  Eigen::SparseMatrix<double> sparse_;
  VecX increments_;
};

}  // namespace abut
