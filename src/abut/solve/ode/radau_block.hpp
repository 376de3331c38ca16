#pragma once

#include <complex>
#include <vector>

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include "abut/math/types.hpp"

namespace abut {

/// Components that act on each other, directly or through others, and factors of the two matrices of Radau's Newton
/// iteration for them alone. Small blocks, as bodies that touch nothing but the ground, are dense: a sparse elimination
/// would spend its time on bookkeeping. There, places are eliminated by hand, as their rates are speeds (Hairer &
/// Wanner, Solving Ordinary Differential Equations II, IV.8, second-order systems): with i for them, k for the rest,
///   (shift I - J_kk - J_ki J_ik / shift) x_k = r_k + J_ki r_i / shift,   x_i = (r_i + J_ik x_k) / shift
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
  struct Entry {
    int row, column;
    double value;
  };
  template <class Scalar>
  struct Scratch {
    Eigen::Matrix<Scalar, Eigen::Dynamic, 1> part, solution, integrals;
  };
  void find_integrals(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local);
  void factorise_dense(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local);
  template <class Scalar, class Dense, class Sparse>
  void solve_with(Scalar shift, const Dense& dense, const Sparse& sparse, Scratch<Scalar>* scratch,
                  Eigen::Matrix<Scalar, Eigen::Dynamic, 1>* rhs);

  std::vector<int> members_;
  double shift_ = 0.0;
  std::complex<double> complex_shift_;
  std::vector<int> integrals_, kept_;            ///< members, eliminated by hand and by the factors of a dense block
  std::vector<char> is_integral_, is_acted_on_;  ///< by member; acted on by integrals
  std::vector<int> place_;                       ///< of each member in integrals_ or kept_
  MatX kept_jacobian_, onto_kept_, product_;     ///< J_kk, J_ki, J_ki J_ik
  std::vector<Entry> onto_integrals_;            ///< J_ik
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
  Scratch<double> scratch_;
  Scratch<std::complex<double>> complex_scratch_;
};

/// The components of a square pattern, taken as that of an undirected graph, in parts that do not touch: each
/// ascending, in the order of their first component.
std::vector<std::vector<int>> find_parts(const Eigen::SparseMatrix<double>& pattern);

}  // namespace abut
