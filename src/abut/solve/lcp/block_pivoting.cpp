#include "abut/solve/lcp/block_pivoting.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <fmt/format.h>

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Side : unsigned char { free, lower, upper };

/// |A_ii|, and for rows that have next to none that of a middling row: a mean would be that of the largest, and rows
/// may differ by any factor (a row that is nearly free to move has a large one).
VecX calc_sizes(const MatX& A) {
  VecX sizes = A.diagonal().cwiseAbs();
  std::vector<double> sorted(sizes.data(), sizes.data() + sizes.size());
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
  const double middle = sorted.empty() || sorted[sorted.size() / 2] == 0.0 ? 1.0 : sorted[sorted.size() / 2];
  return sizes.cwiseMax(1e-6 * middle);
}

/// One proximal problem (A + e D) x + (b - e D c), D the sizes of the diagonal, bounds, with the split of rows kept
/// from one to the next.
class PivotSearch {
 public:
  PivotSearch(const BoundedLcp& problem, const VecX& lower, const VecX& upper, const BlockPivotingOptions& options)
      : A_(problem.A), b_(problem.b), lower_(lower), upper_(upper), options_(options), n_(problem.size()) {
    is_symmetric_ = (A_ - A_.transpose()).cwiseAbs().maxCoeff() <= 1e-14 * A_.cwiseAbs().maxCoeff();
    sizes_ = calc_sizes(A_);
    base_weight_ = weight_ = options.proximal;
    max_pivots_ = options.max_pivots > 0 ? options.max_pivots : 50 + 4 * n_;
    sides_.assign(n_, Side::free);
  }

  void split_by(const VecX& start) {
    const VecX w = A_ * start + b_;
    for (int i = 0; i < n_; ++i) {
      const double value = start[i] - w[i] / sizes_[i];
      if (lower_[i] == upper_[i] || value < lower_[i])
        sides_[i] = Side::lower;
      else if (value > upper_[i])
        sides_[i] = Side::upper;
    }
  }

  /// Nearest start without a hint: at the bound nearest to zero where pushing away from it is not asked for by b.
  void split_cold() { split_by(VecX::Zero(n_).cwiseMax(lower_).cwiseMin(upper_)); }

  /// Solves the proximal problem about c; false when the pivots ran out or a system was singular. The heavier the
  /// weight, the nearer the matrix to a diagonal one and the fewer the pivots: where they do not end soon, a heavier
  /// one brings the centre nearer to a solution and leaves a better split to the next step.
  bool solve(const VecX& center, VecX& x) {
    constexpr double kFactor = 100.0;
    constexpr double kHeaviest = 1.0;
    while (true) {
      const bool is_last = weight_ >= kHeaviest;
      const std::vector<Side> sides = sides_;
      if (search(center, is_last ? max_pivots_ : std::min(max_pivots_, pivots_ + kFewPivots), x)) {
        is_light_ = weight_ <= base_weight_;
        weight_ = std::max(base_weight_, weight_ / kFactor);
        return true;
      }
      if (is_last || is_singular_ || pivots_ >= max_pivots_) return false;
      weight_ = std::min(kHeaviest, kFactor * weight_);
      sides_ = sides;
    }
  }

  int pivots() const { return pivots_; }
  bool is_singular() const { return is_singular_; }
  /// Whether the last proximal problem had the weight asked for.
  bool is_light() const { return is_light_; }

 private:
  static constexpr int kFewPivots = 30;

  bool search(const VecX& center, int max_pivots, VecX& x) {
    int best = n_ + 1;
    int patience = options_.patience;
    while (pivots_ < max_pivots) {
      if (!solve_split(center, x)) return false;
      const int wrong = find_wrong(x);
      if (wrong == 0) return true;
      if (wrong < best) {
        best = wrong;
        patience = options_.patience;
      } else {
        patience = std::max(0, patience - 1);
      }
      change_over(patience > 0 ? n_ : 1);
    }
    return false;
  }

  /// x on the free rows with w = 0 there and bounds elsewhere; then the proximal w on all rows.
  bool solve_split(const VecX& center, VecX& x) {
    ++pivots_;
    std::vector<int> free;
    x.resize(n_);
    for (int i = 0; i < n_; ++i) {
      if (sides_[i] == Side::free) free.push_back(i);
      x[i] = sides_[i] == Side::free ? 0.0 : (sides_[i] == Side::lower ? lower_[i] : upper_[i]);
    }
    const int m = static_cast<int>(free.size());
    if (m > 0) {
      MatX system(m, m);
      const VecX known = A_ * x + b_ - weight_ * sizes_.cwiseProduct(center);
      VecX rhs(m);
      for (int j = 0; j < m; ++j) {
        for (int i = 0; i < m; ++i) system(i, j) = A_(free[i], free[j]);
        system(j, j) += weight_ * sizes_[free[j]];
        rhs[j] = -known[free[j]];
      }
      const VecX solution = solve_system(system, rhs);
      if (!solution.allFinite()) {
        is_singular_ = true;
        return false;
      }
      for (int j = 0; j < m; ++j) x[free[j]] = solution[j];
    }
    w_ = A_ * x + b_ + weight_ * sizes_.cwiseProduct(x - center);
    scale_w_ = std::max(calc_row_scale(A_, x, b_), 1e-300);
    return true;
  }

  VecX solve_system(const MatX& system, const VecX& rhs) const {
    if (is_symmetric_) {
      const Eigen::LLT<MatX> cholesky(system);
      if (cholesky.info() == Eigen::Success) {
        VecX x = cholesky.solve(rhs);
        x += cholesky.solve(rhs - system * x);
        return x;
      }
    }
    const Eigen::PartialPivLU<MatX> lu(system);
    VecX x = lu.solve(rhs);
    x += lu.solve(rhs - system * x);
    return x;
  }

  int find_wrong(const VecX& x) {
    // Differences of the order of rounding are not worth a pivot: they would come back for ever at degenerate rows.
    constexpr double kRounding = 1e-13;
    const double tolerance_w = kRounding * scale_w_;
    const double tolerance_x = kRounding * std::max(x.cwiseAbs().maxCoeff(), 1e-300);
    wrong_.clear();
    for (int i = 0; i < n_; ++i) {
      if (lower_[i] == upper_[i]) continue;
      Side side = sides_[i];
      if (side == Side::free) {
        if (x[i] < lower_[i] - tolerance_x)
          side = Side::lower;
        else if (x[i] > upper_[i] + tolerance_x)
          side = Side::upper;
      } else if (side == Side::lower ? w_[i] < -tolerance_w : w_[i] > tolerance_w) {
        side = Side::free;
      }
      if (side != sides_[i]) wrong_.push_back({i, side});
    }
    return static_cast<int>(wrong_.size());
  }

  void change_over(int count) {
    for (std::size_t k = 0; k < wrong_.size() && static_cast<int>(k) < count; ++k) {
      sides_[wrong_[k].row] = wrong_[k].side;
    }
  }

  struct Change {
    int row;
    Side side;
  };

  const MatX& A_;
  const VecX& b_;
  const VecX &lower_, &upper_;
  const BlockPivotingOptions& options_;
  int n_;
  bool is_symmetric_ = false, is_singular_ = false, is_light_ = true;
  VecX sizes_;                               ///< of each row, > 0
  double base_weight_ = 0.0, weight_ = 0.0;  ///< proximal, over the sizes
  double scale_w_ = 1.0;
  int pivots_ = 0, max_pivots_ = 0;
  std::vector<Side> sides_;
  std::vector<Change> wrong_;
  VecX w_;
};

}  // namespace

LcpResult solve_block_pivoting(const BoundedLcp& problem, const VecX& start, const BlockPivotingOptions& options) {
  LcpResult result;
  result.method = "block-pivoting";
  const int n = problem.size();
  VecX lower, upper;
  set_own_bounds(problem, lower, upper);
  result.x = VecX::Zero(n).cwiseMax(lower).cwiseMin(upper);
  if (n == 0) {
    result.w = result.x;
    result.residual = result.relative_residual = 0.0;
    result.status = LcpStatus::solved;
    return result;
  }

  PivotSearch search(problem, lower, upper, options);
  if (start.size() == n) {
    result.x = start.cwiseMax(lower).cwiseMin(upper);
    search.split_by(result.x);
  } else {
    search.split_cold();
  }
  assess(problem.A, problem.b, lower, upper, options.tolerance, result);
  double best = std::numeric_limits<double>::infinity();
  int stalled = 0;
  VecX x;
  while (result.outer_iterations < options.max_proximal && stalled < 4) {
    ++result.outer_iterations;
    const bool is_found = search.solve(result.x, x);
    result.iterations = search.pivots();
    if (!is_found) {
      result.status = search.is_singular() ? LcpStatus::singular : LcpStatus::not_converged;
      result.message =
          fmt::format("{} after {} pivots, residual {:.2e}",
                      search.is_singular() ? "singular system" : "no end of pivots", search.pivots(), result.residual);
      return result;
    }
    result.x = x.cwiseMax(lower).cwiseMin(upper);
    assess(problem.A, problem.b, lower, upper, options.tolerance, result);
    // One more step than needed costs a solve and takes the residual to rounding; it is not worth a second one.
    if (result.is_solved() && (best < kInfinity || result.relative_residual <= 1e-14)) return result;
    stalled = search.is_light() && result.residual > 0.9 * best ? stalled + 1 : 0;
    best = std::min(best, result.residual);
  }
  result.message = fmt::format("proximal steps did not settle: residual {:.2e} after {} of them", result.residual,
                               result.outer_iterations);
  return result;
}

}  // namespace abut
