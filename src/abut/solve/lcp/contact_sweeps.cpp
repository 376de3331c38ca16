#include "abut/solve/lcp/contact_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"

namespace abut {

namespace {

/// Local matrices and laws of all groups.
struct Sweeper {
  const ConstraintSystem& system;
  std::vector<const FrictionContact*> law;  ///< of each group, or null
  std::vector<MatX> local;                  ///< diagonal blocks of S

  Sweeper(const ConstraintSystem& s, std::span<const FrictionContact> contacts) : system(s) {
    const std::span<const RowGroup> groups = system.groups();
    law.assign(groups.size(), nullptr);
    std::size_t g = 0;
    for (const FrictionContact& contact : contacts) {
      while (g < groups.size() && groups[g].row < contact.row) ++g;
      ABUT_REQUIRE(g < groups.size() && groups[g].row == contact.row && groups[g].num_rows == 3,
                   "row {} does not begin a group of three rows (contacts must be in order of rows)", contact.row);
      law[g] = &contact;
    }
    VecX v = VecX::Zero(system.num_velocities());
    for (const RowGroup& group : groups) local.push_back(system.calc_group_matrix(group, v));
  }

  /// w of one group at the present x and v.
  VecX calc_slack(const RowGroup& group, const std::vector<double>& x, const std::vector<double>& v) const {
    VecX w(group.num_rows);
    system.calc_group_velocity(group, v.data(), w.data());
    for (int r = 0; r < group.num_rows; ++r) {
      w[r] += system.compliance[group.row + r] * x[group.row + r] + system.offset[group.row + r];
    }
    return w;
  }

  void solve_group(std::size_t g, std::vector<double>& x, std::vector<double>& v) const {
    const RowGroup& group = system.groups()[g];
    const MatX& W = local[g];
    VecX w = calc_slack(group, x, v);
    const VecX old = Eigen::Map<const VecX>(x.data() + group.row, group.num_rows);
    VecX now = old;
    if (law[g] != nullptr) {
      if (W(0, 0) <= 0.0) return;
      const Vec3 b = w - W * old;
      now = solve_single_contact(*law[g], W, b);
    } else {
      for (int r = 0; r < group.num_rows; ++r) {
        if (W(r, r) <= 0.0) continue;
        const double value = now[r] - w[r] / W(r, r);
        const double change = std::clamp(value, system.lower[group.row + r], system.upper[group.row + r]) - now[r];
        now[r] += change;
        w += W.col(r) * change;
      }
    }
    if (!now.allFinite()) return;
    const VecX change = now - old;
    system.add_group_response(group, change.data(), v.data());
    std::copy(now.data(), now.data() + group.num_rows, x.begin() + group.row);
  }

  double calc_residual(const std::vector<double>& x, const std::vector<double>& v) const {
    double worst = 0.0;
    for (std::size_t g = 0; g < law.size(); ++g) {
      const RowGroup& group = system.groups()[g];
      const VecX w = calc_slack(group, x, v);
      if (law[g] != nullptr) {
        const Vec3 impulse = Eigen::Map<const Vec3>(x.data() + group.row);
        const double r = calc_contact_residual(*law[g], impulse, w, std::max(1e-300, local[g].trace() / 3.0));
        if (!(r <= worst)) worst = r;
        continue;
      }
      for (int r = 0; r < group.num_rows; ++r) {
        const double scale = std::max(1e-300, local[g](r, r)), value = x[group.row + r];
        const double above = scale * (value - system.lower[group.row + r]);
        const double below = scale * (value - system.upper[group.row + r]);
        worst = std::max(worst, std::abs(std::min(std::max(w[r], below), above)));
      }
    }
    return worst;
  }
};

}  // namespace

double calc_friction_residual(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                              const std::vector<double>& x) {
  const Sweeper sweeper(system, contacts);
  std::vector<double> v(system.num_velocities());
  system.calc_velocities(x.data(), v.data());
  return sweeper.calc_residual(x, v);
}

SystemResult solve_contact_sweeps(const ConstraintSystem& system, std::span<const FrictionContact> contacts,
                                  const SweepOptions& options, std::vector<double>& x, std::vector<double>& v) {
  SystemResult result;
  const std::size_t rows = system.num_rows();
  x.resize(rows, 0.0);
  v.resize(system.num_velocities());
  const Sweeper sweeper(system, contacts);
  const double free_speed = system.calc_free_speed();
  system.calc_velocities(x.data(), v.data());

  constexpr int kSweepsBetweenChecks = 5;
  const double goal = std::max({options.tolerance * free_speed, 1e-15 * free_speed, options.least});
  result.residual = sweeper.calc_residual(x, v);
  while (result.residual > goal && result.iterations < options.max_sweeps) {
    for (int k = 0; k < kSweepsBetweenChecks && result.iterations < options.max_sweeps; ++k, ++result.iterations) {
      for (std::size_t g = 0; g < sweeper.law.size(); ++g) sweeper.solve_group(g, x, v);
    }
    system.calc_velocities(x.data(), v.data());
    result.residual = sweeper.calc_residual(x, v);
  }
  result.conclude(result.residual, goal, free_speed, result.iterations, "sweeps");
  return result;
}

}  // namespace abut
