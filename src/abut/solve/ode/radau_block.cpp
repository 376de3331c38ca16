#include "abut/solve/ode/radau_block.hpp"

#include <utility>

#include "abut/math/union_find.hpp"

namespace abut {

namespace {

/// Up to here a dense elimination is the faster one (seven free bodies and their contacts).
constexpr std::size_t kLargestDense = 100;

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

/// shift I - J for the components that are kept: the integrals are eliminated.
template <class Scalar, class Matrix>
void reduce(const MatX& kept, const MatX& product, Scalar shift, Matrix* out) {
  *out = -kept.cast<Scalar>() - product.cast<Scalar>() * (1.0 / shift);
  out->diagonal().array() += shift;
}

template <class Vector>
void gather(const std::vector<int>& members, const Vector& whole, Vector* part) {
  part->resize(static_cast<Eigen::Index>(members.size()));
  for (std::size_t i = 0; i < members.size(); ++i) (*part)[i] = whole[members[i]];
}

template <class Vector>
void scatter(const std::vector<int>& members, const Vector& part, Vector* whole) {
  for (std::size_t i = 0; i < members.size(); ++i) (*whole)[members[i]] = part[i];
}

}  // namespace

RadauBlock::RadauBlock(std::vector<int> members)
    : members_(std::move(members)), is_dense_(members_.size() <= kLargestDense) {}

/// Integrals are components without action on themselves and on each other, as the places of bodies are: their rates
/// are speeds. Read off the values, as the pattern knows bodies only.
void RadauBlock::find_integrals(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local) {
  is_integral_.assign(members_.size(), 0);
  is_acted_on_.assign(members_.size(), 0);
  place_.resize(members_.size());
  integrals_.clear();
  kept_.clear();
  for (std::size_t c = 0; c < members_.size(); ++c) {
    bool is_integral = is_acted_on_[c] == 0;
    for (Eigen::SparseMatrix<double>::InnerIterator it(jacobian, members_[c]); it; ++it) {
      const auto r = static_cast<std::size_t>(local[it.row()]);
      if (it.value() != 0.0 && (r == c || is_integral_[r] != 0)) is_integral = false;
    }
    std::vector<int>& list = is_integral ? integrals_ : kept_;
    place_[c] = static_cast<int>(list.size());
    list.push_back(members_[c]);
    if (!is_integral) continue;
    is_integral_[c] = 1;
    for (Eigen::SparseMatrix<double>::InnerIterator it(jacobian, members_[c]); it; ++it)
      if (it.value() != 0.0) is_acted_on_[local[it.row()]] = 1;
  }
}

void RadauBlock::factorise_dense(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local) {
  find_integrals(jacobian, local);
  const auto num_kept = static_cast<Eigen::Index>(kept_.size());
  kept_jacobian_.setZero(num_kept, num_kept);
  product_.setZero(num_kept, num_kept);
  onto_kept_.setZero(num_kept, static_cast<Eigen::Index>(integrals_.size()));
  onto_integrals_.clear();
  for (std::size_t c = 0; c < members_.size(); ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(jacobian, members_[c]); it; ++it) {
      const int r = local[it.row()];
      if (it.value() == 0.0) continue;
      if (is_integral_[c] != 0) {
        onto_kept_(place_[r], place_[c]) = it.value();
      } else if (is_integral_[r] != 0) {
        onto_integrals_.push_back({place_[r], place_[c], it.value()});
      } else {
        kept_jacobian_(place_[r], place_[c]) = it.value();
      }
    }
  }
  for (const Entry& entry : onto_integrals_) product_.col(entry.column) += entry.value * onto_kept_.col(entry.row);
  if (num_kept == 0) return;
  reduce(kept_jacobian_, product_, shift_, &dense_);
  reduce(kept_jacobian_, product_, complex_shift_, &complex_dense_);
  lu_.compute(dense_);
  complex_lu_.compute(complex_dense_);
}

bool RadauBlock::factorise(const Eigen::SparseMatrix<double>& jacobian, const std::vector<int>& local, double shift,
                           std::complex<double> complex_shift) {
  shift_ = shift;
  complex_shift_ = complex_shift;
  if (is_dense_) {
    factorise_dense(jacobian, local);
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

template <class Scalar, class Dense, class Sparse>
void RadauBlock::solve_with(Scalar shift, const Dense& dense, const Sparse& sparse, Scratch<Scalar>* scratch,
                            Eigen::Matrix<Scalar, Eigen::Dynamic, 1>* rhs) {
  auto& [part, solution, integrals] = *scratch;
  if (!is_dense_) {
    gather(members_, *rhs, &part);
    solution = sparse.solve(part);
    scatter(members_, solution, rhs);
    return;
  }
  gather(kept_, *rhs, &part);
  gather(integrals_, *rhs, &integrals);
  const Scalar inverse = 1.0 / shift;
  integrals *= inverse;
  for (Eigen::Index i = 0; i < integrals.size(); ++i) part += integrals[i] * onto_kept_.col(i).template cast<Scalar>();
  if (part.size() > 0) solution = dense.solve(part);
  for (const Entry& entry : onto_integrals_) integrals[entry.row] += (entry.value * inverse) * solution[entry.column];
  scatter(kept_, solution, rhs);
  scatter(integrals_, integrals, rhs);
}

void RadauBlock::solve(VecX* rhs) { solve_with(shift_, lu_, sparse_lu_, &scratch_, rhs); }

void RadauBlock::solve(Eigen::VectorXcd* rhs) {
  solve_with(complex_shift_, complex_lu_, complex_sparse_lu_, &complex_scratch_, rhs);
}

std::vector<std::vector<int>> find_parts(const Eigen::SparseMatrix<double>& pattern) {
  const auto n = static_cast<int>(pattern.cols());
  UnionFind sets(n);
  for (int c = 0; c < n; ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(pattern, c); it; ++it) {
      sets.join(c, static_cast<int>(it.row()));
    }
  }
  std::vector<int> place(n, -1);
  std::vector<std::vector<int>> parts;
  for (int i = 0; i < n; ++i) {
    int& p = place[sets.find(i)];
    if (p < 0) {
      p = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    parts[p].push_back(i);
  }
  return parts;
}

}  // namespace abut
