#include "abut/solve/lcp/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/solve/lcp/velocity_matrix.hpp"

namespace abut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The iterate: velocities v, impulses x, and one multiplier for each finite bound,
///   M v - J' x = p,   J v + C x + c - z_low + z_high = 0,   z_low (x - lower) = z_high (upper - x) = m -> 0.
class InteriorPoint {
 public:
  InteriorPoint(const ConstraintSystem& system, std::span<const double> diagonal, BlockCholesky& cholesky)
      : system_(system), cholesky_(cholesky), n_(system.num_rows()), speeds_(system.num_velocities()) {
    for (std::vector<double>* list : {&x_, &z_low_, &z_high_, &w_, &stiff_, &r_, &dx_, &dz_low_, &dz_high_, &u_}) {
      list->assign(n_, 0.0);
    }
    for (std::vector<double>* list : {&v_, &force_, &dv_, &rhs_}) list->assign(speeds_, 0.0);
    set_start(diagonal);
  }

  /// One predictor and corrector; false where the matrix could not be factorised or no progress is possible.
  bool step() {
    calc_residuals();
    const double before = calc_gap();
    for (int i = 0; i < n_; ++i) stiff_[i] = is_fixed(i) ? 0.0 : 1.0 / (system_.compliance[i] + calc_barrier(i));
    assemble_velocity_matrix(system_, stiff_, cholesky_);
    if (!cholesky_.factorize()) return false;
    for (int i = 0; i < n_; ++i) r_[i] = 0.0;
    calc_direction(0.0, false);
    const double full = calc_longest_step();
    const double after = calc_gap(full);
    const double ratio = before > 0.0 ? after / before : 0.0;
    calc_direction(ratio * ratio * ratio * before, true);
    const double length = std::min(1.0, 0.995 * calc_longest_step());
    for (int i = 0; i < n_; ++i) {
      x_[i] += length * dx_[i];
      if (has_low(i)) z_low_[i] += length * dz_low_[i];
      if (has_high(i)) z_high_[i] += length * dz_high_[i];
    }
    for (int i = 0; i < speeds_; ++i) v_[i] += length * dv_[i];
    return length > 1e-8;
  }

  /// Mean product of distance and multiplier, over its scale.
  double calc_relative_gap() const { return calc_gap() / gap_scale_; }
  /// Force and row balance, over their scale.
  double calc_relative_balance() {
    calc_residuals();
    double worst = 0.0;
    for (int i = 0; i < n_; ++i) {
      if (!is_fixed(i)) worst = std::max(worst, std::abs(w_[i] - z_low_[i] + z_high_[i]) / speed_scale_);
    }
    for (int i = 0; i < speeds_; ++i) worst = std::max(worst, std::abs(force_[i]) / momentum_scale_);
    return worst;
  }
  const std::vector<double>& x() const { return x_; }

 private:
  bool is_fixed(int i) const { return system_.lower[i] == system_.upper[i]; }
  bool has_low(int i) const { return !is_fixed(i) && system_.lower[i] > -kInfinity; }
  bool has_high(int i) const { return !is_fixed(i) && system_.upper[i] < kInfinity; }

  void set_start(std::span<const double> diagonal) {
    constexpr double kMostUneven = 1e3;
    std::vector<double> speed(n_);
    system_.calc_velocities(x_.data(), v_.data());
    system_.calc_row_velocities(v_.data(), speed.data());
    speed_scale_ = 1e-300;
    momentum_scale_ = 1e-300;
    double mean = 0.0;
    for (int i = 0; i < n_; ++i) {
      speed_scale_ = std::max(speed_scale_, std::abs(speed[i] + system_.offset[i]));
      mean += diagonal[i] / n_;
    }
    for (const double p : system_.momentum()) momentum_scale_ = std::max(momentum_scale_, std::abs(p));
    const double impulse = speed_scale_ / std::max(mean, 1e-300);
    momentum_scale_ = std::max(momentum_scale_, impulse);  // displacements are looked for without momenta
    gap_scale_ = impulse * speed_scale_;
    light_ = 1e-9 * mean;
    for (int i = 0; i < n_; ++i) {
      const double low = system_.lower[i], high = system_.upper[i];
      if (is_fixed(i))
        x_[i] = low;
      else if (has_low(i) && has_high(i))
        x_[i] = 0.5 * (low + high);
      else if (has_low(i))
        x_[i] = low + impulse;
      else if (has_high(i))
        x_[i] = high - impulse;
      if (has_low(i)) z_low_[i] = speed_scale_;
      if (has_high(i)) z_high_[i] = speed_scale_;
      // In the middle of a box the multipliers cancel, whatever their size: near the products of the other rows.
      if (has_low(i) && has_high(i)) {
        z_low_[i] = z_high_[i] = speed_scale_ * std::clamp(2.0 * impulse / (high - low), 1.0, kMostUneven);
      }
    }
  }

  /// w = J v + C x + c and the force balance p + J' x - M v.
  void calc_residuals() {
    system_.calc_row_velocities(v_.data(), w_.data());
    for (int i = 0; i < n_; ++i) w_[i] += system_.compliance[i] * x_[i] + system_.offset[i];
    system_.calc_momentum_of(v_.data(), rhs_.data());
    const std::span<const double> p = system_.momentum();
    std::copy(p.begin(), p.end(), force_.begin());
    system_.add_row_forces(x_.data(), force_.data());
    for (int i = 0; i < speeds_; ++i) force_[i] -= rhs_[i];
  }

  /// A little weight remains on rows without bounds, which may depend on each other.
  double calc_barrier(int i) const {
    double sum = light_;
    if (has_low(i)) sum += z_low_[i] / (x_[i] - system_.lower[i]);
    if (has_high(i)) sum += z_high_[i] / (system_.upper[i] - x_[i]);
    return sum;
  }

  double calc_gap(double length = 0.0) const {
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < n_; ++i) {
      const double x = x_[i] + length * dx_[i];
      if (has_low(i)) sum += (x - system_.lower[i]) * (z_low_[i] + length * dz_low_[i]), ++count;
      if (has_high(i)) sum += (system_.upper[i] - x) * (z_high_[i] + length * dz_high_[i]), ++count;
    }
    return count > 0 ? sum / count : 0.0;
  }

  /// Newton direction towards products equal to `target`; the corrector subtracts the predictor's second-order part.
  void calc_direction(double target, bool is_corrector) {
    for (int i = 0; i < n_; ++i) {
      if (is_fixed(i)) continue;
      double r = w_[i];
      const double second = is_corrector ? 1.0 : 0.0;
      if (has_low(i)) r -= (target - second * dx_[i] * dz_low_[i]) / (x_[i] - system_.lower[i]);
      if (has_high(i)) r += (target + second * dx_[i] * dz_high_[i]) / (system_.upper[i] - x_[i]);
      r_[i] = r;
      u_[i] = -stiff_[i] * r;
    }
    for (int i = 0; i < n_; ++i) {
      if (is_fixed(i)) u_[i] = 0.0;
    }
    dv_ = force_;
    system_.add_row_forces(u_.data(), dv_.data());
    cholesky_.solve(dv_.data());
    system_.calc_row_velocities(dv_.data(), u_.data());
    for (int i = 0; i < n_; ++i) {
      if (is_fixed(i)) continue;
      const double dx = -stiff_[i] * (r_[i] + u_[i]), second = is_corrector ? dx_[i] : 0.0;
      if (has_low(i)) {
        const double s = x_[i] - system_.lower[i];
        dz_low_[i] = (target - second * dz_low_[i] - z_low_[i] * dx) / s - z_low_[i];
      }
      if (has_high(i)) {
        const double s = system_.upper[i] - x_[i];
        dz_high_[i] = (target + second * dz_high_[i] + z_high_[i] * dx) / s - z_high_[i];
      }
      dx_[i] = dx;
    }
  }

  double calc_longest_step() const {
    double length = 1.0 / 0.995;
    for (int i = 0; i < n_; ++i) {
      if (has_low(i)) {
        if (dx_[i] < 0.0) length = std::min(length, (system_.lower[i] - x_[i]) / dx_[i]);
        if (dz_low_[i] < 0.0) length = std::min(length, -z_low_[i] / dz_low_[i]);
      }
      if (has_high(i)) {
        if (dx_[i] > 0.0) length = std::min(length, (system_.upper[i] - x_[i]) / dx_[i]);
        if (dz_high_[i] < 0.0) length = std::min(length, -z_high_[i] / dz_high_[i]);
      }
    }
    return length;
  }

  const ConstraintSystem& system_;
  BlockCholesky& cholesky_;
  int n_, speeds_;
  double speed_scale_ = 1.0, momentum_scale_ = 1.0, gap_scale_ = 1.0, light_ = 0.0;
  std::vector<double> x_, z_low_, z_high_, w_, stiff_, r_, dx_, dz_low_, dz_high_, u_;
  std::vector<double> v_, force_, dv_, rhs_;
};

}  // namespace

int approach_by_interior_point(const ConstraintSystem& system, std::span<const double> diagonal, int max_steps,
                               BlockCholesky& cholesky, std::vector<double>& x) {
  // Beyond this the matrix loses the digits that the direction needs; Newton's method takes over well before.
  constexpr double kNear = 1e-11, kBalanced = 1e-7;
  InteriorPoint point(system, diagonal, cholesky);
  constexpr int kPatience = 15;  // steps without a better point: rounding has the word
  int steps = 0, last_better = 0;
  double best = kInfinity;
  while (steps < std::min(max_steps, 100)) {
    ++steps;
    if (!point.step()) break;
    const double gap = point.calc_relative_gap(), balance = point.calc_relative_balance();
    const double merit = gap + 1e-3 * balance;
    if (!std::isfinite(merit)) break;
    if (merit < best) {
      if (merit < 0.5 * best) last_better = steps;
      best = merit;
      x = point.x();
    }
    if (steps - last_better >= kPatience) break;
    if (gap <= kNear && balance <= kBalanced) break;
  }
  return steps;
}

}  // namespace abut
