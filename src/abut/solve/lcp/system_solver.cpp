#include "abut/solve/lcp/system_solver.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/math/bracketed_root.hpp"
#include "abut/solve/lcp/interior_point.hpp"
#include "abut/solve/lcp/velocity_matrix.hpp"

namespace abut {

namespace {

/// Largest magnitude; not a number where one of them is none.
double calc_max(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) return value;
    most = std::max(most, std::abs(value));
  }
  return most;
}

constexpr char kLow = 0, kFree = 1, kHigh = 2;

double calc_dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void SystemResult::conclude(double reached, double goal, double free_speed, int count, const char* counted) {
  residual = reached;
  relative_residual = free_speed > 0.0 ? reached / free_speed : reached;
  status = reached <= goal ? LcpStatus::solved : LcpStatus::not_converged;
  if (is_solved()) return;
  message = fmt::format("residual {:.2e} m/s ({:.1e} of the free speed) after {} {}", reached, relative_residual, count,
                        counted);
}

/// dx at d, with u = J d, and the side of each row. A row leaves its bound only where that is worth more than rounding:
/// degenerate rows (unloaded feet of a table) would otherwise come and go for ever, each time with a factorisation.
void SystemSolver::calc_increments(const std::vector<double>& u) {
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double value = -(w_[i] + u[i]) * stiff_[i], slack = slack_ * stiff_[i];
    if (high_[i] - low_[i] <= slack) {
      // The friction of a foot without load: a box narrower than rounding has no sides.
      sides_[i] = kLow;
      dx_[i] = low_[i];
      continue;
    }
    const double low = low_[i] + (sides_[i] == kLow ? slack : 0.0);
    const double high = high_[i] - (sides_[i] == kHigh ? slack : 0.0);
    sides_[i] = value <= low ? kLow : (value >= high ? kHigh : kFree);
    dx_[i] = sides_[i] == kFree ? value : (sides_[i] == kLow ? low_[i] : high_[i]);
  }
}

/// The sides on which one Jacobi step from x would leave the rows: the first guess of the split.
void SystemSolver::predict_sides(const ConstraintSystem& system, const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double change = diagonal_[i] > 0.0 ? w_[i] / diagonal_[i] : 0.0;
    const double slack = diagonal_[i] > 0.0 ? worth_ / diagonal_[i] : 0.0;
    if (system.upper[i] - system.lower[i] <= worth_ * stiff_[i]) {
      sides_[i] = kLow;
      continue;
    }
    const double low = system.lower[i] + (x[i] <= system.lower[i] ? slack : 0.0);
    const double high = system.upper[i] - (x[i] >= system.upper[i] ? slack : 0.0);
    sides_[i] = x[i] - change <= low ? kLow : (x[i] - change >= high ? kHigh : kFree);
  }
}

/// Slope of the convex function along the step: step' (M (d + t step) - J' dx(d + t step)).
double SystemSolver::calc_slope(double t) const {
  double slope = mass_slope_ + t * mass_curvature_;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const double value = -(w_[i] + u_[i] + t * u_step_[i]) * stiff_[i];
    slope -= u_step_[i] * std::min(std::max(value, low_[i]), high_[i]);
  }
  return slope;
}

/// Where the slope, which grows with t in straight pieces from a negative value, is nearly zero.
double SystemSolver::search_line() const {
  const double first = calc_slope(0.0);
  const double enough = 0.1 * std::abs(first);
  Chord chord{0.0, first, 1.0, calc_slope(1.0)};
  if (std::abs(chord.f_1) <= enough) return 1.0;
  while (chord.f_1 < 0.0 && chord.x_1 < 1e6) {
    const double farther = 4.0 * chord.x_1;
    chord.move_first(chord.x_1, chord.f_1);
    chord.move_second(farther, calc_slope(farther));
  }
  double t = chord.x_1;
  for (int k = 0; k < 60; ++k) {
    t = k % 3 == 2 ? 0.5 * (chord.x_0 + chord.x_1) : chord.root_from_first();
    const double slope = calc_slope(t);
    if (std::abs(slope) <= enough) break;
    slope < 0.0 ? chord.move_first(t, slope) : chord.move_second(t, slope);
  }
  return t;
}

/// The matrix of the free rows, unless it is the one factorised last.
bool SystemSolver::factorize(const ConstraintSystem& system, int max_newton, SystemResult& result) {
  if (is_factored_) {
    bool is_same = true;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      is_same = is_same && (sides_[i] == kFree) == (factored_sides_[i] == kFree);
    }
    factored_sides_ = sides_;
    if (is_same) return true;
  }
  if (result.iterations >= max_newton) return false;
  ++result.iterations;
  for (std::size_t i = 0; i < sides_.size(); ++i) row_weights_[i] = sides_[i] == kFree ? stiff_[i] : 0.0;
  assemble_velocity_matrix(system, row_weights_, cholesky_);
  is_factored_ = cholesky_.factorize();
  factored_sides_ = sides_;
  return is_factored_;
}

/// Finds d and dx for the present x_k, from the split of rows in sides_; false where a factorisation failed or their
/// number ran out.
bool SystemSolver::minimize(const ConstraintSystem& system, int max_newton, SystemResult& result) {
  std::fill(d_.begin(), d_.end(), 0.0);
  std::fill(u_.begin(), u_.end(), 0.0);
  for (std::size_t i = 0; i < dx_.size(); ++i) {
    dx_[i] = sides_[i] == kFree ? -w_[i] * stiff_[i] : (sides_[i] == kLow ? low_[i] : high_[i]);
  }
  constexpr int kMostSteps = 200;  // with one factorisation each, max_newton is met before
  slack_ = worth_;
  for (int k = 0; k < kMostSteps; ++k) {
    if (!factorize(system, max_newton, result)) return false;
    std::fill(rhs_.begin(), rhs_.end(), 0.0);
    system.add_row_forces(dx_.data(), rhs_.data());
    system.calc_momentum_of(d_.data(), work_.data());
    for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] -= work_[i];
    step_ = rhs_;
    cholesky_.solve(step_.data());
    system.calc_row_velocities(step_.data(), u_step_.data());
    const double decrement = calc_dot(rhs_, step_);
    if (!std::isfinite(decrement)) return false;

    for (std::size_t i = 0; i < u_.size(); ++i) row_work_[i] = u_[i] + u_step_[i];
    calc_increments(row_work_);
    // A full step that leaves every row on its side has reached the minimum, to rounding; and where the energy that a
    // step still gains is that of a speed not worth mentioning, it does not matter what rows do.
    const bool is_done = sides_ == factored_sides_ || (k > 0 && decrement * mean_mobility_ <= worth_ * worth_);
    double t = 1.0;
    if (!is_done && k > 0) {
      // The part of the slope that belongs to M, apart, so that the search looks at rows only.
      system.calc_momentum_of(step_.data(), work_.data());
      mass_curvature_ = calc_dot(work_, step_);
      mass_slope_ = calc_dot(work_, d_);
      t = search_line();
    }
    for (std::size_t i = 0; i < d_.size(); ++i) d_[i] += t * step_[i];
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] += t * u_step_[i];
    if (is_done) return true;
    // No way down although rows would move: those held at their bounds for rounding's sake are in the way.
    if (t < 1e-3) slack_ = 0.0;
    sides_ = factored_sides_;
    calc_increments(u_);
  }
  return false;
}

void SystemSolver::prepare(const ConstraintSystem& system) {
  const std::size_t rows = system.num_rows(), speeds = system.num_velocities();
  for (std::vector<double>* list :
       {&diagonal_, &stiff_, &w_, &low_, &high_, &u_, &dx_, &u_step_, &row_weights_, &row_work_})
    list->resize(rows);
  for (std::vector<double>* list : {&d_, &step_, &rhs_, &work_}) list->resize(speeds);
  sides_.assign(rows, kFree);
  proximal_ = 0.0;
  system.calc_diagonal(diagonal_.data());
  // Without compliances: the friction row of a foot with next to no load has an enormous one.
  mean_mobility_ = 0.0;
  for (std::size_t i = 0; i < rows; ++i)
    mean_mobility_ += (diagonal_[i] - system.compliance[i]) / static_cast<double>(rows);
}

void SystemSolver::set_proximal(const ConstraintSystem& system, double proximal) {
  if (proximal == proximal_) return;
  proximal_ = proximal;
  for (std::size_t i = 0; i < stiff_.size(); ++i) {
    // Rows that move nothing (both parts held) still need a finite stiffness.
    const double weight = proximal * std::max(diagonal_[i] - system.compliance[i], 1e-6 * mean_mobility_);
    stiff_[i] = 1.0 / (system.compliance[i] + (weight > 0.0 ? weight : proximal));
  }
  is_factored_ = false;
}

void SystemSolver::assess(const ConstraintSystem& system, double tolerance, const std::vector<double>& x,
                          std::vector<double>& v, SystemResult& result) {
  system.calc_velocities(x.data(), v.data());
  system.calc_row_velocities(v.data(), w_.data());
  result.residual = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    w_[i] += system.compliance[i] * x[i] + system.offset[i];
    const double scale = std::max(diagonal_[i], 1e-300);
    const double above = scale * (x[i] - system.lower[i]), below = scale * (x[i] - system.upper[i]);
    const double r = std::abs(std::min(std::max(w_[i], below), above));
    if (!(r <= result.residual)) result.residual = r;
  }
  result.relative_residual = free_speed_ > 0.0 ? result.residual / free_speed_ : result.residual;
  // Below this, rounding of the velocities that cancel in w.
  const double rounding = 64.0 * std::numeric_limits<double>::epsilon() * calc_max(v);
  const bool is_good = result.residual <= std::max({tolerance * free_speed_, rounding, least_});
  result.status = is_good ? LcpStatus::solved : LcpStatus::not_converged;
}

/// Where the proximal steps begin: which rows act, and the impulses. A guess that nearly solves the problem is gone on
/// from: a wall at rest needs a correction of rounding's size now and then, and no new sharing of its loads. From
/// farther away impulses begin at zero: where they are not unique, the proximal steps then lead near the smallest ones,
/// which share loads evenly, and not to what history left.
void SystemSolver::begin(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
                         std::vector<double>& v, SystemResult& result) {
  constexpr double kNear = 1e-3;  // of the free speed
  const bool is_near = result.residual <= kNear * free_speed_;
  if (last_sides_.size() == x.size()) {
    sides_ = last_sides_;
  } else {
    predict_sides(system, x);
  }
  if (is_near || options.begins_at_guess) return;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::min(std::max(0.0, system.lower[i]), system.upper[i]);
  assess(system, options.tolerance, x, v, result);
}

/// An interior point method goes near the solution in a number of steps that hardly depends on how many rows are on the
/// wrong side; false where x is better.
bool SystemSolver::approach(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
                            std::vector<double>& v, SystemResult& result) {
  const std::vector<double> before = x;
  const double residual = result.residual;
  result.iterations += approach_by_interior_point(system, diagonal_, options.max_newton, cholesky_, x);
  is_factored_ = false;
  assess(system, options.tolerance, x, v, result);
  const bool is_better = result.residual < residual;
  if (!is_better) {
    x = before;
    assess(system, options.tolerance, x, v, result);
  }
  predict_sides(system, x);
  return is_better;
}

/// Proximal steps. Where the Newton steps of the first do not end soon, many rows are on the wrong side: then an
/// interior point method looks for a better start. Heavier weights make rows depend less on each other, so that Newton
/// steps end sooner, and change the solution less: from a start that is not good enough for the light weight the way
/// leads over heavy ones, by smaller parts where that fails again. The best impulses found are kept.
void SystemSolver::iterate(const ConstraintSystem& system, const SystemSolverOptions& options, std::vector<double>& x,
                           std::vector<double>& v, SystemResult& result) {
  constexpr double kHeaviest = 1.0, kHeavy = 0.03, kMedium = 1e-3, kLightest = 1e-10, kSlow = 0.5;
  constexpr int kSomeSteps = 15, kManySteps = 40;
  double best = std::numeric_limits<double>::infinity(), weight = options.proximal, factor = 30.0;
  int stalled = 0;
  bool is_centered = false, was_heavy = false;
  set_proximal(system, weight);
  if (result.is_solved()) return;
  begin(system, options, x, v, result);
  while (!result.is_solved() && result.outer_iterations < options.max_proximal && stalled < 6) {
    ++result.outer_iterations;
    for (std::size_t i = 0; i < x.size(); ++i) {
      low_[i] = system.lower[i] - x[i];
      high_[i] = system.upper[i] - x[i];
    }
    const int limit = !is_centered ? options.few_newton : weight < kHeavy ? kSomeSteps : kManySteps;
    const bool is_found = minimize(system, std::min(options.max_newton, result.iterations + limit), result);
    if (is_found) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = std::min(std::max(x[i] + dx_[i], system.lower[i]), system.upper[i]);
      }
    }
    if (!is_found && (result.iterations >= options.max_newton || weight >= kHeaviest)) break;
    if (!is_found && !is_centered) {
      is_centered = true;
      if (!approach(system, options, x, v, result)) weight = kMedium;
    } else if (is_found) {
      weight = weight > options.proximal ? std::max(options.proximal, weight / factor) : weight;
    } else if (weight < options.proximal) {
      weight = options.proximal;
      stalled += 3;
    } else {
      weight = was_heavy ? std::min(kHeaviest, weight * factor) : weight < kMedium ? kMedium : std::max(kHeavy, weight);
      if (was_heavy) factor = std::max(2.0, std::sqrt(factor));
      was_heavy = was_heavy || weight >= kHeavy;
    }
    assess(system, options.tolerance, x, v, result);
    if (result.is_solved()) last_sides_ = sides_;
    if (is_found && weight <= options.proximal && result.residual > kSlow * best) {
      // Nearly straight chains of bodies between walls: impulses far larger than those that arrive, along directions in
      // which S is smaller than the weight. A lighter one gets there; the steps are increments, so that the digits that
      // the factorisation loses are those of the increments.
      stalled = weight > kLightest ? stalled : stalled + 1;
      weight = std::max(kLightest, weight / factor);
    }
    set_proximal(system, weight);
    if (result.residual < best) {
      best = result.residual;
      best_x_ = x;
    }
  }
  if (result.is_solved() || !(best < result.residual)) return;
  x = best_x_;
  assess(system, options.tolerance, x, v, result);
}

SystemResult SystemSolver::solve(const ConstraintSystem& system, const SystemSolverOptions& options,
                                 std::vector<double>& x, std::vector<double>& v) {
  SystemResult result;
  const std::size_t rows = system.num_rows();
  v.resize(system.num_velocities());
  x.resize(rows, 0.0);
  if (rows == 0) {
    system.calc_velocities(x.data(), v.data());
    result.status = LcpStatus::solved;
    return result;
  }
  analyze_velocity_matrix(system, cholesky_);
  prepare(system);
  least_ = options.least;
  std::vector<double> none(rows, 0.0);
  system.calc_velocities(none.data(), v.data());
  system.calc_row_velocities(v.data(), w_.data());
  free_speed_ = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (!std::isfinite(x[i])) x[i] = 0.0;
    x[i] = std::min(std::max(x[i], system.lower[i]), system.upper[i]);
    w_[i] += system.offset[i];
  }
  free_speed_ = calc_max(w_);
  // Where the free speed is small, as under a low gravity or a short step, the least residual must not make all rows
  // narrower than rounding: over the proximal weight, what is worth mentioning stays a hundredth of the free speed.
  worth_ =
      std::min(0.01 * std::max(options.tolerance * free_speed_, options.least), 0.01 * options.proximal * free_speed_);
  if (!std::isfinite(free_speed_) || !std::isfinite(calc_max(v))) {
    result.message = "the data are not finite";
    x = none;
    return result;
  }
  assess(system, options.tolerance, x, v, result);
  iterate(system, options, x, v, result);
  if (!std::isfinite(calc_max(x)) || !std::isfinite(result.residual)) {
    result.status = LcpStatus::singular;
    x = none;
    system.calc_velocities(x.data(), v.data());
  }
  if (!result.is_solved()) {
    result.message = fmt::format(
        "residual {:.2e} m/s ({:.1e} of the free speed) after {} factorisations and {} "
        "proximal steps",
        result.residual, result.relative_residual, result.iterations, result.outer_iterations);
  }
  return result;
}

}  // namespace abut
