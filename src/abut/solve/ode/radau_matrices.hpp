#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <Eigen/LU>

#include "abut/solve/ode/jacobian.hpp"
#include "abut/solve/ode/radau_block.hpp"

namespace abut {

/// The two matrices of Radau's simplified Newton iteration, gamma/h I - J and (alpha + i beta)/h I - J, factorised:
/// as a whole where the Jacobian is dense, otherwise in blocks that do not act on each other.
class RadauMatrices {
 public:
  void factorise(double h, const Jacobian& jacobian);
  /// Whether the matrices of the last factorisation were finite and regular.
  bool is_usable() const { return is_usable_; }
  /// In place.
  void solve(VecX* rhs) const;
  void solve(Eigen::VectorXcd* rhs) const;

 private:
  void factorise_dense(double h, const MatX& jacobian);
  void factorise_sparse(double h, const Jacobian& jacobian);

  bool is_usable_ = true;
  bool is_sparse_ = false;
  MatX dense_;
  Eigen::MatrixXcd complex_dense_;
  Eigen::PartialPivLU<MatX> lu_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_lu_;
  std::vector<std::unique_ptr<RadauBlock>> blocks_;  ///< of a sparse Jacobian
  std::vector<int> local_;                           ///< place of each component in its block
  long analysed_pattern_ = 0;                        ///< Jacobian::pattern_count() of the blocks
};

}  // namespace abut
