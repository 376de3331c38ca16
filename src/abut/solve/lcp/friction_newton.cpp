#include "abut/solve/lcp/friction_newton.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SparseLU>

#include "abut/base/error.hpp"
#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/friction_projection.hpp"

namespace abut {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplet = Eigen::Triplet<double>;

class FrictionNewton {
 public:
  FrictionNewton(const ConstraintSystem& system, std::span<const FrictionContact> contacts)
      : system_(system), law_(system.groups().size(), nullptr), num_v_(system.num_velocities()) {
    std::size_t g = 0;
    for (const FrictionContact& contact : contacts) {
      while (g < law_.size() && system.groups()[g].row < contact.row) ++g;
      ABUT_REQUIRE(g < law_.size() && system.groups()[g].row == contact.row && system.groups()[g].num_rows == 3,
                   "row {} does not begin a group of three rows (contacts must be in order of rows)", contact.row);
      law_[g] = &contact;
    }
    const std::size_t rows = system.num_rows();
    diagonal_.resize(rows);
    system.calc_diagonal(diagonal_.data());
    for (std::vector<double>* list : {&inverse_, &w_, &u_, &x_}) list->resize(rows);
    slopes_.resize(law_.size());
  }

  /// Row speeds of x_k and v_k, with what the law sees beside them.
  void begin(const std::vector<double>& x, const std::vector<double>& v, double weight) {
    center_ = &x;
    system_.calc_row_velocities(v.data(), w_.data());
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += system_.compliance[i] * x[i] + system_.offset[i];
    for (std::size_t g = 0; g < law_.size(); ++g) {
      const RowGroup& group = system_.groups()[g];
      double mean = 0.0;
      for (int r = 0; r < group.num_rows; ++r) mean += diagonal_[group.row + r] - system_.compliance[group.row + r];
      mean = std::max(mean / group.num_rows, 1e-300);
      for (int r = 0; r < group.num_rows; ++r) {
        inverse_[group.row + r] = 1.0 / (weight * mean + system_.compliance[group.row + r]);
      }
    }
  }

  /// Impulses at the velocities v_k + d, and the imbalance of momenta J' (x - x_k) - M d.
  VecX calc_imbalance(const VecX& d) {
    system_.calc_row_velocities(d.data(), u_.data());
    const std::vector<double>& center = *center_;
    for (std::size_t i = 0; i < u_.size(); ++i) x_[i] = center[i] - (w_[i] + u_[i]) * inverse_[i];
    for (std::size_t g = 0; g < law_.size(); ++g) project(g);
    std::vector<double> change(x_.size());
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = x_[i] - center[i];
    VecX force = VecX::Zero(num_v_), momentum(num_v_);
    system_.add_row_forces(change.data(), force.data());
    system_.calc_momentum_of(d.data(), momentum.data());
    return force - momentum;
  }

  /// Size of an imbalance as an energy: r' M^-1 r.
  double calc_size(const VecX& r) const {
    double sum = 0.0;
    for (int p = 0; p < system_.num_parts(); ++p) {
      const int n = system_.part_size(p), start = system_.part_start(p);
      const Eigen::Map<const MatX> inverse(system_.inverse_mass(p), n, n);
      sum += r.segment(start, n).dot(inverse * r.segment(start, n));
    }
    return sum;
  }

  /// Solves (M + J' G J) step = imbalance for the slopes found last.
  bool solve(const VecX& imbalance, VecX& step) {
    assemble();
    Sparse matrix(num_v_, num_v_);
    matrix.setFromTriplets(triplets_.begin(), triplets_.end());
    if (!is_analyzed_) lu_.analyzePattern(matrix);
    is_analyzed_ = true;
    lu_.factorize(matrix);
    if (lu_.info() != Eigen::Success) return false;
    step = lu_.solve(imbalance);
    step += lu_.solve(imbalance - matrix * step);
    return step.allFinite();
  }

  const std::vector<double>& impulses() const { return x_; }

 private:
  void project(std::size_t g) {
    const RowGroup& group = system_.groups()[g];
    if (law_[g] != nullptr) {
      const FrictionProjection projected = project_on_friction(*law_[g], Eigen::Map<const Vec3>(x_.data() + group.row));
      Eigen::Map<Vec3>{x_.data() + group.row} = projected.x;
      slopes_[g] = projected.slope;
      return;
    }
    slopes_[g] = MatX::Zero(group.num_rows, group.num_rows);
    for (int r = 0; r < group.num_rows; ++r) {
      double& value = x_[group.row + r];
      const double low = system_.lower[group.row + r], high = system_.upper[group.row + r];
      if (value > low && value < high) slopes_[g](r, r) = 1.0;
      value = std::min(std::max(value, low), high);
    }
  }

  /// All entries that may ever be there, zeros too, so that the pattern stays.
  void assemble() {
    triplets_.clear();
    for (int p = 0; p < system_.num_parts(); ++p) {
      const int n = system_.part_size(p);
      add_block(p, p, Eigen::Map<const MatX>(system_.mass(p), n, n));
    }
    for (std::size_t g = 0; g < law_.size(); ++g) {
      const RowGroup& group = system_.groups()[g];
      MatX weighted = slopes_[g];
      for (int r = 0; r < group.num_rows; ++r) weighted.col(r) *= inverse_[group.row + r];
      const std::pair<int, int> ends[2] = {{group.part_a, group.data_a}, {group.part_b, group.data_b}};
      for (const auto& [part_i, data_i] : ends) {
        for (const auto& [part_j, data_j] : ends) {
          if (part_i < 0 || part_j < 0) continue;
          add_block(part_i, part_j,
                    get_jacobian(group, part_i, data_i).transpose() * weighted * get_jacobian(group, part_j, data_j));
        }
      }
    }
  }

  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const RowMajor> get_jacobian(const RowGroup& group, int part, int data) const {
    return {system_.jacobian(data), group.num_rows, system_.part_size(part)};
  }

  void add_block(int part_i, int part_j, const MatX& block) {
    const int first_i = system_.part_start(part_i), first_j = system_.part_start(part_j);
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
      for (Eigen::Index i = 0; i < block.rows(); ++i) {
        triplets_.emplace_back(first_i + static_cast<int>(i), first_j + static_cast<int>(j), block(i, j));
      }
    }
  }

  const ConstraintSystem& system_;
  std::vector<const FrictionContact*> law_;  ///< by group; null where the rows keep their bounds
  int num_v_;
  const std::vector<double>* center_ = nullptr;
  std::vector<double> diagonal_, inverse_;  ///< of S [1/kg]; 1 / (C + e) [kg]
  std::vector<double> w_, u_, x_;
  std::vector<MatX> slopes_;
  std::vector<Triplet> triplets_;
  Eigen::SparseLU<Sparse> lu_;
  bool is_analyzed_ = false;
};

/// Newton's method for one proximal step; false where it stalled or the factorisations ran out. The impulses are those
/// of the last velocities either way.
bool minimize(FrictionNewton& newton, int num_v, double enough, int max_newton, int& iterations) {
  VecX d = VecX::Zero(num_v), step;
  VecX imbalance = newton.calc_imbalance(d);
  double size = newton.calc_size(imbalance);
  int stalled = 0;
  while (size > enough * enough) {
    if (iterations >= max_newton || stalled > 5) return false;
    ++iterations;
    if (!newton.solve(imbalance, step)) return false;
    // The first of ever shorter steps that lessens the imbalance; the last of them where none does.
    double t = 1.0, least = 0.0;
    VecX at, r;
    for (int k = 0; k < 6; ++k, t *= 0.4) {
      const VecX trial = d + t * step;
      const VecX left = newton.calc_imbalance(trial);
      const double trial_size = newton.calc_size(left);
      at = trial;
      r = left;
      least = trial_size;
      if (trial_size < (1.0 - 0.1 * t) * size) break;
    }
    stalled = least < 0.9 * size ? 0 : stalled + 1;
    d = at;
    imbalance = r;
    size = least;
    if (!std::isfinite(size)) return false;
  }
  return true;
}

}  // namespace

SystemResult solve_friction_newton(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                                   const FrictionNewtonOptions& options, std::vector<double>& x,
                                   std::vector<double>& v) {
  constexpr double kLightest = 1e-7, kWarm = 1e-4, kCold = 1.0, kHeaviest = 100.0, kFactor = 4.0;
  constexpr int kFewSteps = 15;
  SystemResult result;
  x.resize(system.num_rows(), 0.0);
  v.resize(system.num_velocities());
  const double free_speed = system.calc_free_speed();
  const double goal = std::max(options.tolerance * free_speed, options.least);
  FrictionNewton newton(system, contacts);
  std::vector<double> center = x, center_v = v;
  system.calc_velocities(center.data(), center_v.data());
  double best = calc_friction_residual(system, contacts, x), weight = kWarm;
  double center_residual = best, mass = 0.0;
  for (int p = 0; p < system.num_parts(); ++p) mass = std::max(mass, system.mass(p)[0]);
  while (best > goal && result.outer_iterations < options.max_proximal && result.iterations < options.max_newton) {
    ++result.outer_iterations;
    newton.begin(center, center_v, weight);
    const double enough = 0.01 * goal * std::sqrt(mass);
    const int limit = std::min(options.max_newton, result.iterations + kFewSteps);
    const bool is_found = minimize(newton, system.num_velocities(), enough, limit, result.iterations);
    std::vector<double> trial = newton.impulses();
    const double residual = calc_friction_residual(system, contacts, trial);
    if (residual < best) {
      best = residual;
      x = trial;
    }
    if (!is_found && weight >= kHeaviest) break;
    // A centre that is nearer, if not a solution of its step, is a better one.
    const bool is_nearer = is_found || residual < center_residual;
    if (is_nearer) {
      center_residual = residual;
      center = std::move(trial);
      system.calc_velocities(center.data(), center_v.data());
    }
    // A guess from the step before is often near enough for a light weight; if not, begin with a heavy one.
    const bool was_first = result.outer_iterations == 1;
    weight = is_found    ? std::max(kLightest, weight / kFactor)
             : was_first ? kCold
                         : std::min(kHeaviest, weight * kFactor);
  }
  system.calc_velocities(x.data(), v.data());
  result.conclude(best, goal, free_speed, result.iterations, "factorisations");
  return result;
}

}  // namespace abut
