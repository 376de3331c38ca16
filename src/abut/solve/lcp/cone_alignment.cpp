#include "abut/solve/lcp/cone_alignment.hpp"

#include <algorithm>
#include <cmath>

#include "abut/solve/lcp/contact_sweeps.hpp"

namespace abut {

namespace {

/// The turned problem, and how each contact was turned.
class Alignment {
 public:
  Alignment(const ConstraintSystem& system, std::span<const FrictionContact> contacts)
      : system_(system), contacts_(contacts), turns_(contacts.size()), limits_(contacts.size(), 0.0) {}

  /// Turns the rows by the impulses x and the velocities v. Limits move only a part of the way to mu x_n where
  /// `share` < 1, which calms a sequence that swings.
  void align(const std::vector<double>& x, const std::vector<double>& v, double least_slip, double share) {
    turned_ = system_;
    w_.resize(x.size());
    system_.calc_row_velocities(v.data(), w_.data());
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const int row = contacts_[k].row;
      const Vec2 impulse(x[row + 1], x[row + 2]);
      const Vec2 slip(w_[row + 1] + system_.offset[row + 1], w_[row + 2] + system_.offset[row + 2]);
      const double speed = slip.norm();
      const bool slides = speed > least_slip;
      const Vec2 along = slides ? slip : impulse;
      const double length = along.norm();
      turns_[k] = length > 0.0 ? Vec2(along / length) : Vec2(1.0, 0.0);
      turned_.rotate_rows(row + 1, turns_[k]);
      limits_[k] += share * (contacts_[k].mu * std::max(0.0, x[row]) - limits_[k]);
      for (int t = 1; t < 3; ++t) {
        turned_.lower[row + t] = -limits_[k];
        turned_.upper[row + t] = limits_[k];
      }
      if (slides && limits_[k] > 0.0) turned_.compliance[row + 2] = speed / limits_[k];
    }
  }

  const ConstraintSystem& turned() const { return turned_; }

  /// Impulses in turned rows from those in the given ones, and back.
  void turn(std::vector<double>& x) const {
    for (std::size_t k = 0; k < contacts_.size(); ++k) rotate(turns_[k], contacts_[k].row, x);
  }
  void turn_back(std::vector<double>& x) const {
    for (std::size_t k = 0; k < contacts_.size(); ++k) rotate({turns_[k].x(), -turns_[k].y()}, contacts_[k].row, x);
  }

 private:
  static void rotate(const Vec2& turn, int row, std::vector<double>& x) {
    const double a = x[row + 1], b = x[row + 2];
    x[row + 1] = turn.x() * a + turn.y() * b;
    x[row + 2] = turn.x() * b - turn.y() * a;
  }

  const ConstraintSystem& system_;
  std::span<const FrictionContact> contacts_;
  ConstraintSystem turned_;
  std::vector<Vec2> turns_;     ///< cosine and sine
  std::vector<double> limits_;  ///< mu x_n [N s]
  std::vector<double> w_;
};

}  // namespace

SystemResult solve_by_cone_alignment(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                                     const ConeAlignmentOptions& options, SystemSolver& solver, std::vector<double>& x,
                                     std::vector<double>& v) {
  x.resize(system.num_rows(), 0.0);
  v.resize(system.num_velocities());
  system.calc_velocities(x.data(), v.data());
  const double free_speed = system.calc_free_speed();
  const double goal = std::max(options.tolerance * free_speed, options.least);
  SystemSolverOptions inner;
  inner.tolerance = 0.1 * options.tolerance;
  inner.least = 0.1 * options.least;
  Alignment alignment(system, contacts);
  SystemResult result;
  std::vector<double> trial = x, trial_v = v;
  double best = std::numeric_limits<double>::infinity(), share = 1.0;
  for (int k = 0; k < options.max_alignments; ++k) {
    alignment.align(trial, trial_v, goal, share);
    alignment.turn(trial);
    const SystemResult step = solver.solve(alignment.turned(), inner, trial, trial_v);
    alignment.turn_back(trial);
    result.iterations += step.iterations;
    ++result.outer_iterations;
    inner.begins_at_guess = true;
    const double residual = calc_friction_residual(system, contacts, trial);
    if (!(residual < best)) share = std::max(0.25, 0.7 * share);
    if (residual < best) {
      best = residual;
      x = trial;
      v = trial_v;
    }
    if (best <= goal || !std::isfinite(residual)) break;
  }
  result.conclude(best, goal, free_speed, result.outer_iterations, "alignments");
  return result;
}

}  // namespace abut
