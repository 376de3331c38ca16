#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "abut/solve/lcp/bounded_lcp.hpp"

namespace abut {

/// Reproducible numbers in (-1, 1), the same on every machine.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
  }
  MatX matrix(int rows, int cols) {
    MatX m(rows, cols);
    for (int j = 0; j < cols; ++j) {
      for (int i = 0; i < rows; ++i) m(i, j) = next();
    }
    return m;
  }

 private:
  std::uint64_t state_;
};

enum class MatrixKind { definite, semidefinite, monotone, hardly_any_rank };

inline MatX make_matrix(MatrixKind kind, int n, TestRandom& random) {
  const int rank = kind == MatrixKind::definite ? n : std::max(1, kind == MatrixKind::hardly_any_rank ? n / 4 : n / 2);
  const MatX G = random.matrix(n, rank);
  MatX A = G * G.transpose() / rank;
  if (kind == MatrixKind::definite) A.diagonal().array() += 1e-3;
  if (kind == MatrixKind::monotone) {
    const MatX S = random.matrix(n, n) / std::sqrt(n);
    A += S - S.transpose();
  }
  return A;
}

/// A problem with a known solution, a third of whose rows are degenerate (x at its bound and w = 0).
inline BoundedLcp make_feasible(MatrixKind kind, int n, bool is_boxed, TestRandom& random, VecX& x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  BoundedLcp problem = make_lcp(make_matrix(kind, n, random), VecX::Zero(n));
  x.resize(n);
  VecX w = VecX::Zero(n);
  for (int i = 0; i < n; ++i) {
    if (is_boxed) {
      problem.lower[i] = -std::abs(random.next());
      problem.upper[i] = std::abs(random.next());
      const double which = random.next();
      if (which > 0.8) problem.upper[i] = kInfinity;
      if (which < -0.8) problem.lower[i] = -kInfinity;
    }
    const double low = problem.lower[i], high = problem.upper[i], side = random.next();
    const bool is_low = low > -kInfinity;
    if (side < -0.3) {
      x[i] = is_low ? low : high;
      w[i] = side < -0.65 ? 0.0 : (is_low ? 1.0 : -1.0) * std::abs(random.next());
    } else if (side > 0.5 && high < kInfinity) {
      x[i] = high;
      w[i] = -std::abs(random.next());
    } else {
      const double a = is_low ? low : high - 1.0, b = high < kInfinity ? high : a + 1.0;
      x[i] = a + (b - a) * (0.5 + 0.5 * random.next());
    }
  }
  problem.b = w - problem.A * x;
  return problem;
}

}  // namespace abut
