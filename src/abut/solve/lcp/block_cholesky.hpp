#pragma once

#include <utility>
#include <vector>

namespace abut {

/// Cholesky factorisation of a symmetric positive definite matrix made of dense blocks, most of which are absent: the
/// velocities of bodies, coupled where they touch. The pattern is analysed once (approximate minimum degree on the
/// graph of blocks) and kept while the same bodies touch. Blocks of 6 x 6 are unrolled.
class BlockCholesky {
 public:
  /// Block rows of these sizes; `pairs` are the off-diagonal blocks that may be present (order and repetition do not
  /// matter). Returns at once when nothing has changed since the last call.
  void analyze(const std::vector<int>& sizes, std::vector<std::pair<int, int>> pairs);

  void set_zero();
  /// Where block (i, i) is accumulated, column-major; only its lower triangle is read.
  double* diagonal(int i) { return values_.data() + blocks_[columns_[place_[i]].front()].data; }
  /// Where block (i, j) is accumulated, and whether it is kept transposed, as (j, i), column-major.
  std::pair<double*, bool> off_diagonal(int i, int j);

  /// False where the matrix is not positive definite to rounding.
  bool factorize();
  /// Overwrites b with the solution.
  void solve(double* b) const;

  int num_blocks() const { return static_cast<int>(blocks_.size()); }

 private:
  struct Block {
    int row = 0;   ///< place in the order of elimination
    int data = 0;  ///< in values_
  };
  void find_pattern();
  int find_block(int column, int row) const;

  std::vector<int> sizes_;  ///< as given
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> place_;                  ///< of each block row in the order of elimination
  std::vector<int> ordered_size_, offset_;  ///< by place; offset into the caller's vector
  std::vector<std::vector<int>> columns_;   ///< blocks of each column, the diagonal first, rows ascending
  std::vector<Block> blocks_;
  std::vector<std::vector<int>> targets_;  ///< of each column: blocks that the products of its pairs go to
  std::vector<double> values_;
};

}  // namespace abut
