#pragma once

#include <complex>

#include <Eigen/LU>
#include <Eigen/SparseLU>

#include "abut/solve/ode/jacobian.hpp"

namespace abut {

/// The two matrices of Radau's simplified Newton iteration, gamma/h I - J and (alpha + i beta)/h I - J, factorised:
/// dense or sparse as the Jacobian is.
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
  Eigen::SparseMatrix<double> sparse_;
  Eigen::SparseMatrix<std::complex<double>> complex_sparse_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_lu_;
  Eigen::SparseLU<Eigen::SparseMatrix<std::complex<double>>> complex_sparse_lu_;
  long analysed_pattern_ = 0;  ///< Jacobian::pattern_count() of the last symbolic factorisation
};

}  // namespace abut
