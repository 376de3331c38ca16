#include "abut/solve/lcp/block_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "abut/base/error.hpp"

namespace abut {

namespace {

/// C -= A B', with A m x k, B n x k, C m x n, all column-major.
template <int M, int N, int K>
void subtract_product(const double* A, const double* B, double* C, int m_, int n_, int k_) {
  const int m = M > 0 ? M : m_, n = N > 0 ? N : n_, k = K > 0 ? K : k_;
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < k; ++l) {
      const double b = B[j + l * n];
      for (int i = 0; i < m; ++i) C[i + j * m] -= A[i + l * m] * b;
    }
  }
}

void subtract_product(const double* A, const double* B, double* C, int m, int n, int k) {
  if (m == 6 && n == 6 && k == 6)
    subtract_product<6, 6, 6>(A, B, C, m, n, k);
  else
    subtract_product<0, 0, 0>(A, B, C, m, n, k);
}

/// Lower Cholesky factor in place; false where a pivot is not safely positive.
bool factorize_dense(double* A, int n) {
  for (int j = 0; j < n; ++j) {
    double pivot = A[j + j * n];
    const double before = pivot;
    for (int l = 0; l < j; ++l) pivot -= A[j + l * n] * A[j + l * n];
    if (!(pivot > 1e-15 * before) || !(pivot > 0.0)) return false;
    const double root = std::sqrt(pivot), inverse = 1.0 / root;
    A[j + j * n] = root;
    for (int i = j + 1; i < n; ++i) {
      double sum = A[i + j * n];
      for (int l = 0; l < j; ++l) sum -= A[i + l * n] * A[j + l * n];
      A[i + j * n] = sum * inverse;
    }
  }
  return true;
}

/// B (m x n) <- B L^-T.
template <int M, int N>
void divide_by_transposed(const double* L, double* B, int m_, int n_) {
  const int m = M > 0 ? M : m_, n = N > 0 ? N : n_;
  for (int j = 0; j < n; ++j) {
    for (int l = 0; l < j; ++l) {
      const double factor = L[j + l * n];
      for (int i = 0; i < m; ++i) B[i + j * m] -= B[i + l * m] * factor;
    }
    const double inverse = 1.0 / L[j + j * n];
    for (int i = 0; i < m; ++i) B[i + j * m] *= inverse;
  }
}

void divide_by_transposed(const double* L, double* B, int m, int n) {
  if (m == 6 && n == 6)
    divide_by_transposed<6, 6>(L, B, m, n);
  else
    divide_by_transposed<0, 0>(L, B, m, n);
}

}  // namespace

void BlockCholesky::analyze(const std::vector<int>& sizes, std::vector<std::pair<int, int>> pairs) {
  for (auto& [i, j] : pairs) {
    if (i < j) std::swap(i, j);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  if (sizes == sizes_ && pairs == pairs_ && !place_.empty()) return;
  sizes_ = sizes;
  pairs_ = std::move(pairs);
  find_pattern();
}

void BlockCholesky::find_pattern() {
  const int n = static_cast<int>(sizes_.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : pairs_) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph.selfadjointView<Eigen::Lower>(), order);

  place_.resize(n);
  ordered_size_.resize(n);
  offset_.resize(n);
  std::vector<int> start(n, 0);
  for (int i = 1; i < n; ++i) start[i] = start[i - 1] + sizes_[i - 1];
  for (int k = 0; k < n; ++k) place_[order.indices()[k]] = k;
  for (int i = 0; i < n; ++i) {
    ordered_size_[place_[i]] = sizes_[i];
    offset_[place_[i]] = start[i];
  }
  // Rows of each column of the factor: those of the matrix and of the columns eliminated into it.
  std::vector<std::vector<int>> rows(n);
  for (const auto& [i, j] : pairs_) {
    const auto [low, high] = std::minmax(place_[i], place_[j]);
    rows[low].push_back(high);
  }
  columns_.assign(n, {});
  blocks_.clear();
  int data = 0;
  for (int k = 0; k < n; ++k) {
    std::sort(rows[k].begin(), rows[k].end());
    rows[k].erase(std::unique(rows[k].begin(), rows[k].end()), rows[k].end());
    if (rows[k].size() > 1) {
      const int parent = rows[k].front();
      rows[parent].insert(rows[parent].end(), rows[k].begin() + 1, rows[k].end());
    }
    columns_[k].push_back(static_cast<int>(blocks_.size()));
    blocks_.push_back({k, data});
    data += ordered_size_[k] * ordered_size_[k];
    for (const int i : rows[k]) {
      columns_[k].push_back(static_cast<int>(blocks_.size()));
      blocks_.push_back({i, data});
      data += ordered_size_[k] * ordered_size_[i];
    }
  }
  values_.assign(data, 0.0);
  targets_.assign(n, {});
  for (int k = 0; k < n; ++k) {
    for (std::size_t b = 1; b < columns_[k].size(); ++b) {
      for (std::size_t a = b; a < columns_[k].size(); ++a) {
        targets_[k].push_back(find_block(blocks_[columns_[k][b]].row, blocks_[columns_[k][a]].row));
      }
    }
  }
}

int BlockCholesky::find_block(int column, int row) const {
  const std::vector<int>& list = columns_[column];
  const auto found =
      std::lower_bound(list.begin(), list.end(), row, [this](int block, int r) { return blocks_[block].row < r; });
  ABUT_REQUIRE(found != list.end() && blocks_[*found].row == row, "block ({}, {}) is not in the pattern", row, column);
  return *found;
}

void BlockCholesky::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

std::pair<double*, bool> BlockCholesky::off_diagonal(int i, int j) {
  const int a = place_[i], b = place_[j];
  const int block = find_block(std::min(a, b), std::max(a, b));
  return {values_.data() + blocks_[block].data, a < b};
}

bool BlockCholesky::factorize() {
  const int n = static_cast<int>(columns_.size());
  for (int k = 0; k < n; ++k) {
    const std::vector<int>& list = columns_[k];
    const int size = ordered_size_[k];
    double* diagonal = values_.data() + blocks_[list[0]].data;
    if (!factorize_dense(diagonal, size)) return false;
    for (std::size_t a = 1; a < list.size(); ++a) {
      const Block& block = blocks_[list[a]];
      divide_by_transposed(diagonal, values_.data() + block.data, ordered_size_[block.row], size);
    }
    std::size_t t = 0;
    for (std::size_t b = 1; b < list.size(); ++b) {
      const Block& column = blocks_[list[b]];
      for (std::size_t a = b; a < list.size(); ++a) {
        const Block& row = blocks_[list[a]];
        subtract_product(values_.data() + row.data, values_.data() + column.data,
                         values_.data() + blocks_[targets_[k][t++]].data, ordered_size_[row.row],
                         ordered_size_[column.row], size);
      }
    }
  }
  return true;
}

void BlockCholesky::solve(double* b) const {
  const int n = static_cast<int>(columns_.size());
  for (int k = 0; k < n; ++k) {
    const int size = ordered_size_[k];
    double* y = b + offset_[k];
    const double* L = values_.data() + blocks_[columns_[k][0]].data;
    for (int j = 0; j < size; ++j) {
      y[j] /= L[j + j * size];
      for (int i = j + 1; i < size; ++i) y[i] -= L[i + j * size] * y[j];
    }
    for (std::size_t a = 1; a < columns_[k].size(); ++a) {
      const Block& block = blocks_[columns_[k][a]];
      const int rows = ordered_size_[block.row];
      const double* B = values_.data() + block.data;
      double* z = b + offset_[block.row];
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < rows; ++i) z[i] -= B[i + j * rows] * y[j];
      }
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    const int size = ordered_size_[k];
    double* y = b + offset_[k];
    for (std::size_t a = 1; a < columns_[k].size(); ++a) {
      const Block& block = blocks_[columns_[k][a]];
      const int rows = ordered_size_[block.row];
      const double* B = values_.data() + block.data;
      const double* z = b + offset_[block.row];
      for (int j = 0; j < size; ++j) {
        double sum = 0.0;
        for (int i = 0; i < rows; ++i) sum += B[i + j * rows] * z[i];
        y[j] -= sum;
      }
    }
    const double* L = values_.data() + blocks_[columns_[k][0]].data;
    for (int j = size - 1; j >= 0; --j) {
      double sum = y[j];
      for (int i = j + 1; i < size; ++i) sum -= L[i + j * size] * y[i];
      y[j] = sum / L[j + j * size];
    }
  }
}

}  // namespace abut
