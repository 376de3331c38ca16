#include "abut/solve/ode/radau_block.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace abut {

namespace {

/// Up to here a dense elimination is the faster one (four free bodies and their contacts).
constexpr std::size_t kLargestDense = 64;

/// shift I - J restricted to the block; members are ascending, so rows keep their order.
template <class Scalar>
void fill(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& members, const std::vector<int>& local,
          Scalar shift, Eigen::SparseMatrix<Scalar>* out) {
  const auto n = static_cast<Eigen::Index>(members.size());
  out->resize(n, n);
  for (Eigen::Index c = 0; c < n; ++c) {
    out->startVec(c);
    bool has_diagonal = false;
    for (Eigen::SparseMatrix<double>::InnerIterator it(jacobian, members[c]); it; ++it) {
      const Eigen::Index r = local[it.row()];
      if (r > c && !has_diagonal) out->insertBack(c, c) = shift;
      has_diagonal = has_diagonal || r >= c;
      out->insertBack(r, c) = r == c ? shift - it.value() : Scalar(-it.value());
    }
    if (!has_diagonal) out->insertBack(c, c) = shift;
  }
  out->finalize();
}

template <class Scalar, class Matrix>
void fill(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& members, const std::vector<int>& local,
          Scalar shift, Matrix* out) {
  const auto n = static_cast<Eigen::Index>(members.size());
  out->setZero(n, n);
  for (Eigen::Index c = 0; c < n; ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(jacobian, members[c]); it; ++it)
      (*out)(local[it.row()], c) = -it.value();
    (*out)(c, c) += shift;
  }
}

template <class Vector, class Dense, class Sparse>
void solve_part(const std::vector<int>& members, bool is_dense, const Dense& dense, const Sparse& sparse, Vector* part,
                Vector* solution, Vector* rhs) {
  part->resize(static_cast<Eigen::Index>(members.size()));
  for (std::size_t i = 0; i < members.size(); ++i) (*part)[i] = (*rhs)[members[i]];
  if (is_dense) {
    *solution = dense.solve(*part);
  } else {
    *solution = sparse.solve(*part);
  }
  for (std::size_t i = 0; i < members.size(); ++i) (*rhs)[members[i]] = (*solution)[i];
}

}  // namespace

RadauBlock::RadauBlock(std::vector<int> members)
    : members_(std::move(members)), is_dense_(members_.size() <= kLargestDense) {}

bool RadauBlock::factorise(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local, double shift,
                           std::complex<double> complex_shift) {
  if (is_dense_) {
    fill(jacobian, members_, local, shift, &dense_);
    fill(jacobian, members_, local, complex_shift, &complex_dense_);
    lu_.compute(dense_);
    complex_lu_.compute(complex_dense_);
    return true;
  }
  fill(jacobian, members_, local, shift, &sparse_);
  fill(jacobian, members_, local, complex_shift, &complex_sparse_);
  if (!is_analysed_) {
    sparse_lu_.analyzePattern(sparse_);
    complex_sparse_lu_.analyzePattern(complex_sparse_);
    is_analysed_ = true;
  }
  sparse_lu_.factorize(sparse_);
  complex_sparse_lu_.factorize(complex_sparse_);
  return sparse_lu_.info() == Eigen::Success && complex_sparse_lu_.info() == Eigen::Success;
}

void RadauBlock::solve(VecX* rhs) { solve_part(members_, is_dense_, lu_, sparse_lu_, &part_, &solution_, rhs); }

void RadauBlock::solve(Eigen::VectorXcd* rhs) {
  solve_part(members_, is_dense_, complex_lu_, complex_sparse_lu_, &complex_part_, &complex_solution_, rhs);
}

std::vector<std::vector<int>> find_parts(const Eigen::SparseMatrix<double>& pattern) {
  const auto n = static_cast<int>(pattern.cols());
  std::vector<int> root(n);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (int c = 0; c < n; ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(pattern, c); it; ++it) {
      const int a = find(c), b = find(static_cast<int>(it.row()));
      if (a != b) root[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<int> place(n, -1);
  std::vector<std::vector<int>> parts;
  for (int i = 0; i < n; ++i) {
    int& p = place[find(i)];
    if (p < 0) {
      p = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    parts[p].push_back(i);
  }
  return parts;
}

}  // namespace abut
