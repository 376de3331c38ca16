#include "abut/solve/lcp/velocity_matrix.hpp"

#include <algorithm>

namespace abut {

namespace {

/// H += J_a' D J_b for one group, into column-major storage of n_a rows (or n_b rows where transposed).
template <int N>
void add_weighted_product(const double* J_a, int n_a_, const double* J_b, int n_b_, const double* weights, int rows,
                          double* H) {
  const int n_a = N > 0 ? N : n_a_, n_b = N > 0 ? N : n_b_;
  for (int r = 0; r < rows; ++r) {
    if (weights[r] == 0.0) continue;
    for (int j = 0; j < n_b; ++j) {
      const double factor = weights[r] * J_b[r * n_b + j];
      for (int i = 0; i < n_a; ++i) H[i + j * n_a] += J_a[r * n_a + i] * factor;
    }
  }
}

void add_weighted_product(const double* J_a, int n_a, const double* J_b, int n_b, const double* weights, int rows,
                          double* H) {
  if (n_a == 6 && n_b == 6)
    add_weighted_product<6>(J_a, 6, J_b, 6, weights, rows, H);
  else
    add_weighted_product<0>(J_a, n_a, J_b, n_b, weights, rows, H);
}

}  // namespace

void analyze_velocity_matrix(const ConstraintSystem& system, BlockCholesky& cholesky) {
  std::vector<int> sizes(system.num_parts());
  for (int k = 0; k < system.num_parts(); ++k) sizes[k] = system.part_size(k);
  std::vector<std::pair<int, int>> pairs;
  for (const RowGroup& g : system.groups()) {
    if (g.part_a >= 0 && g.part_b >= 0 && g.part_a != g.part_b) pairs.emplace_back(g.part_a, g.part_b);
  }
  cholesky.analyze(sizes, std::move(pairs));
}

void assemble_velocity_matrix(const ConstraintSystem& system, std::span<const double> row_weights,
                              BlockCholesky& cholesky) {
  cholesky.set_zero();
  for (int k = 0; k < system.num_parts(); ++k) {
    const int n = system.part_size(k) * system.part_size(k);
    std::copy(system.mass(k), system.mass(k) + n, cholesky.diagonal(k));
  }
  double weights[64];
  for (const RowGroup& g : system.groups()) {
    for (int first = 0; first < g.num_rows; first += 64) {
      const int rows = std::min(64, g.num_rows - first);
      bool is_any = false;
      for (int r = 0; r < rows; ++r) {
        const int row = g.row + first + r;
        weights[r] = row_weights[row];
        is_any = is_any || weights[r] != 0.0;
      }
      if (!is_any) continue;
      const int n_a = g.part_a >= 0 ? system.part_size(g.part_a) : 0;
      const int n_b = g.part_b >= 0 ? system.part_size(g.part_b) : 0;
      const double* J_a = system.jacobian(g.data_a) + first * n_a;
      const double* J_b = system.jacobian(g.data_b) + first * n_b;
      if (g.part_a >= 0) add_weighted_product(J_a, n_a, J_a, n_a, weights, rows, cholesky.diagonal(g.part_a));
      if (g.part_b >= 0) add_weighted_product(J_b, n_b, J_b, n_b, weights, rows, cholesky.diagonal(g.part_b));
      if (g.part_a < 0 || g.part_b < 0) continue;
      const auto [data, is_transposed] = cholesky.off_diagonal(g.part_a, g.part_b);
      if (is_transposed)
        add_weighted_product(J_b, n_b, J_a, n_a, weights, rows, data);
      else
        add_weighted_product(J_a, n_a, J_b, n_b, weights, rows, data);
    }
  }
}

}  // namespace abut
