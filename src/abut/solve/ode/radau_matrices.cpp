#include "abut/solve/ode/radau_matrices.hpp"

#include <cmath>
#include <utility>

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
  const Eigen::SparseMatrix<double>& sparse = jacobian.sparse();
  is_usable_ = radau.gamma / h < kLargest;
  for (Eigen::Index k = 0; k < sparse.nonZeros(); ++k) {
    is_usable_ = is_usable_ && std::abs(sparse.valuePtr()[k]) < kLargest;  // false for what is not a number, too
  }
  if (!is_usable_) return;
  if (analysed_pattern_ != jacobian.pattern_count()) {
    blocks_.clear();
    local_.resize(sparse.cols());
    for (std::vector<int>& part : find_parts(sparse)) {
      for (std::size_t i = 0; i < part.size(); ++i) local_[part[i]] = static_cast<int>(i);
      blocks_.push_back(std::make_unique<RadauBlock>(std::move(part)));
    }
    analysed_pattern_ = jacobian.pattern_count();
  }
  const std::complex<double> complex_shift(radau.alpha / h, radau.beta / h);
  for (const std::unique_ptr<RadauBlock>& block : blocks_) {
    is_usable_ = block->factorise(sparse, local_, radau.gamma / h, complex_shift);
    if (!is_usable_) return;
  }
}

void RadauMatrices::solve(VecX* rhs) const {
  if (rhs->size() == 0 || !is_usable_) return;
  if (!is_sparse_) {
    *rhs = VecX(lu_.solve(*rhs));
    return;
  }
  for (const std::unique_ptr<RadauBlock>& block : blocks_) block->solve(rhs);
}

void RadauMatrices::solve(Eigen::VectorXcd* rhs) const {
  if (rhs->size() == 0 || !is_usable_) return;
  if (!is_sparse_) {
    *rhs = Eigen::VectorXcd(complex_lu_.solve(*rhs));
    return;
  }
  for (const std::unique_ptr<RadauBlock>& block : blocks_) block->solve(rhs);
}

}  // namespace abut
