#pragma once

#include <span>
#include <vector>

#include <Eigen/SparseCore>

#include "abut/solve/ode/rate_structure.hpp"

namespace abut {

/// How to find a sparse Jacobian with few evaluations: columns that share no row are perturbed together [Curtis, Powell
/// and Reid 1974]. Blocks get colours such that no rate depends on two blocks of one colour; the k-th columns of a
/// colour's blocks make a batch.
class JacobianPlan {
 public:
  explicit JacobianPlan(const RateStructure& structure);

  int num_batches() const { return static_cast<int>(batches_.size()); }
  std::span<const int> batch(int index) const { return batches_[static_cast<std::size_t>(index)]; }
  /// A matrix with an entry, zero, wherever the Jacobian may have one, and on the diagonal.
  const Eigen::SparseMatrix<double>& pattern() const { return pattern_; }

 private:
  void make_pattern(const std::vector<std::vector<int>>& states, const std::vector<std::vector<int>>& neighbours);
  void make_batches(const std::vector<std::vector<int>>& states, const std::vector<std::vector<int>>& neighbours);

  std::vector<std::vector<int>> batches_;
  Eigen::SparseMatrix<double> pattern_;
};

}  // namespace abut
