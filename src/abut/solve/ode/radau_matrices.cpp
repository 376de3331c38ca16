#include "abut/solve/ode/radau_matrices.hpp"

#include <cmath>

#include "abut/solve/ode/radau_coefficients.hpp"

namespace abut {

namespace {

/// A pivot search among numbers that are not finite has no defined outcome, and products of numbers beyond this bound
/// may become such during the elimination.
constexpr double kLargest = 1e100;

}  // namespace

void RadauMatrices::factorise(double h, const Jacobian& jacobian) {
  is_usable_ = true;
  is_sparse_ = jacobian.is_sparse();
  if (jacobian.size() == 0) return;
  if (is_sparse_) {
    factorise_sparse(h, jacobian);
  } else {
    factorise_dense(h, jacobian.dense());
  }
}

void RadauMatrices::factorise_dense(double h, const MatX& jacobian) {
  const RadauCoefficients& radau = radau_coefficients();
  dense_ = -jacobian;
  dense_.diagonal().array() += radau.gamma / h;
  is_usable_ = dense_.allFinite() && dense_.cwiseAbs().maxCoeff() < kLargest;
  if (!is_usable_) return;
  complex_dense_.resize(jacobian.rows(), jacobian.cols());
  complex_dense_.real() = -jacobian;
  complex_dense_.imag().setZero();
  complex_dense_.diagonal().array() += std::complex<double>(radau.alpha / h, radau.beta / h);
  lu_.compute(dense_);
  complex_lu_.compute(complex_dense_);
}

void RadauMatrices::factorise_sparse(double h, const Jacobian& jacobian) {
  const RadauCoefficients& radau = radau_coefficients();
  sparse_ = -jacobian.sparse();
  complex_sparse_ = sparse_.cast<std::complex<double>>();
  const std::complex<double> complex_shift(radau.alpha / h, radau.beta / h);
  for (Eigen::Index i = 0; i < sparse_.rows(); ++i) {
    sparse_.coeffRef(i, i) += radau.gamma / h;
    complex_sparse_.coeffRef(i, i) += complex_shift;
  }
  for (Eigen::Index k = 0; k < sparse_.nonZeros(); ++k) {
    is_usable_ = is_usable_ && std::abs(sparse_.valuePtr()[k]) < kLargest;  // false for what is not a number, too
  }
  if (!is_usable_) return;
  if (analysed_pattern_ != jacobian.pattern_count()) {
    sparse_lu_.analyzePattern(sparse_);
    complex_sparse_lu_.analyzePattern(complex_sparse_);
    analysed_pattern_ = jacobian.pattern_count();
  }
  sparse_lu_.factorize(sparse_);
  complex_sparse_lu_.factorize(complex_sparse_);
  is_usable_ = sparse_lu_.info() == Eigen::Success && complex_sparse_lu_.info() == Eigen::Success;
}

void RadauMatrices::solve(VecX* rhs) const {
  if (rhs->size() == 0 || !is_usable_) return;
  *rhs = is_sparse_ ? VecX(sparse_lu_.solve(*rhs)) : VecX(lu_.solve(*rhs));
}

void RadauMatrices::solve(Eigen::VectorXcd* rhs) const {
  if (rhs->size() == 0 || !is_usable_) return;
  *rhs = is_sparse_ ? Eigen::VectorXcd(complex_sparse_lu_.solve(*rhs)) : Eigen::VectorXcd(complex_lu_.solve(*rhs));
}

}  // namespace abut
