#pragma once

#include <complex>
#include <vector>

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include "abut/math/types.hpp"

namespace abut {

/// Components that act on each other, directly or through others, and factors of the two matrices of Radau's Newton
/// iteration for them alone. Small blocks, as bodies that touch nothing but the ground, are dense: a sparse elimination
/// would spend its time on bookkeeping.
class RadauBlock {
 public:
  /// members: components of the whole system, ascending.
  explicit RadauBlock(std::vector<int> members);

  /// Factorises shift I - J and complex_shift I - J; false where they are singular. `local` is the place of each
  /// component in its block.
  bool factorise(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local, double shift,
                 std::complex<double> complex_shift);
  /// In place, on the components of this block.
  void solve(VecX* rhs);
  void solve(Eigen::VectorXcd* rhs);

 private:
  std::vector<int> members_;
  bool is_dense_;
  bool is_analysed_ = false;
  MatX dense_;
  Eigen::MatrixXcd complex_dense_;
  Eigen::PartialPivLU<MatX> lu_;
  Eigen::PartialPivLU<Eigen::MatrixXcd> complex_lu_;
  Eigen::SparseMatrix<double> sparse_;
  Eigen::SparseMatrix<std::complex<double>> complex_sparse_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_lu_;
  Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>> complex_sparse_lu_;
  VecX part_, solution_;
  Eigen::VectorXcd complex_part_, complex_solution_;
};

/// The components of a square pattern, taken as that of an undirected graph, in parts that do not touch: each
/// ascending, in the order of their first component.
std::vector<std::vector<int>> find_parts(const Eigen::SparseMatrix<double>& pattern);

}  // namespace abut
