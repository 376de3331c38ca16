#include "abut/sim/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "abut/multibody/spatial.hpp"

namespace abut {

namespace {

/// Accelerations that count as none, in parts of those at the beginning [1].
constexpr double kAtRest = 1e-9;
/// What may be left where contacts are computed no more exactly, and is said [1].
constexpr double kLeft = 2e-5;
constexpr int kMostSteps = 400;
/// Longest change of a coordinate in a step [m, rad].
constexpr double kLongest = 0.02;
/// Difference of coordinates for da/dq [m, rad]: contacts of a micrometre of depth must still tell.
constexpr double kDifference = 1e-8;

/// Accelerations at rest, as a function of coordinates.
class RestProblem {
 public:
  RestProblem(Dynamics& dynamics, State& state) : dynamics_(dynamics), state_(state) {
    const Tree& tree = dynamics.model().tree;
    for (int i = 0; i < tree.num_links(); ++i) {
      const Link& link = tree.link(i);
      for (int c = 0; c < link.num_v && !link.prescribed; ++c) free_.push_back(link.v_start + c);
    }
    std::fill_n(state.y.begin() + dynamics.num_q(), dynamics.num_v(), 0.0);
  }

  const std::vector<int>& free() const { return free_; }

  VecX calc(const std::vector<double>& q) {
    std::copy(q.begin(), q.end(), state_.y.begin());
    dynamics_.calc_motion(0.0, state_.y.data());
    ContactSet& contacts = dynamics_.contacts();
    const BodyMotion motion = dynamics_.motion();
    if (contacts.needs_refresh(motion)) contacts.refresh_candidates(motion, state_.pool);
    contacts.calc_geometry(motion, state_.pool);
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
      return dynamics_.calc_effective_mass(a, b, p, n);
    };
    contacts.update_patches(motion, 0.0, true, mass, state_.pool, changes_);
    state_.y.resize(dynamics_.size(), 0.0);
    state_.works.resize(dynamics_.num_quadratures(), 0.0);
    rates_.resize(dynamics_.size());
    dynamics_.calc_rates(0.0, state_.y.data(), rates_.data(), nullptr);
    VecX a(static_cast<Eigen::Index>(free_.size()));
    for (std::size_t i = 0; i < free_.size(); ++i)
      a[static_cast<Eigen::Index>(i)] = rates_[dynamics_.num_q() + free_[i]];
    return a;
  }

  std::vector<double> move(const std::vector<double>& q, const VecX& change) {
    std::vector<double> v(dynamics_.num_v(), 0.0), y(q);
    for (std::size_t i = 0; i < free_.size(); ++i) v[free_[i]] = change[static_cast<Eigen::Index>(i)];
    y.resize(q.size() + v.size(), 0.0);
    move_coordinates(dynamics_.model().tree, v, 1.0, std::span(y).first(q.size()));
    if (dynamics_.loops() != nullptr) dynamics_.close_loops(0.0, y.data(), false);
    normalize_quaternions(dynamics_.model().tree, std::span(y).first(q.size()));
    y.resize(q.size());
    return y;
  }

  MatX calc_slope(const std::vector<double>& q) {
    const auto n = static_cast<Eigen::Index>(free_.size());
    MatX slope(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const VecX step = kDifference * VecX::Unit(n, i);
      const VecX ahead = calc(move(q, step)), behind = calc(move(q, -step));
      slope.col(i) = (ahead - behind) / (2.0 * kDifference);
    }
    return slope;
  }

  /// "joint 'hip', 3.2 N m" where force and inertia of what moves with it make most of the power of a.
  std::string describe_largest(const VecX& a) const {
    const Model& model = dynamics_.model();
    Eigen::Index worst = 0;
    a.cwiseAbs().maxCoeff(&worst);
    const int v_index = free_[static_cast<std::size_t>(worst)];
    for (int i = 0; i < model.tree.num_links(); ++i) {
      const Link& link = model.tree.link(i);
      if (v_index < link.v_start || v_index >= link.v_start + link.num_v) continue;
      const Vec6 inertia = spatial::calc_rigid_inertia(link, i, dynamics_.kinematics()).diagonal();
      const spatial::JointColumns S = spatial::calc_joint_columns(link, dynamics_.kinematics());
      const Vec6 column = S.col(v_index - link.v_start);
      const bool turns = column.tail<3>().norm() > 0.5;
      const double own = column.dot(inertia.cwiseProduct(column));
      return fmt::format("{:.3g} {} on '{}' (an acceleration of {:.3g} {})", own * std::abs(a[worst]),
                         turns ? "N m" : "N", model.body_name(i), std::abs(a[worst]), turns ? "rad/s^2" : "m/s^2");
    }
    return {};
  }

 private:
  Dynamics& dynamics_;
  State& state_;
  std::vector<int> free_;
  std::vector<PatchChange> changes_;
  std::vector<double> rates_;
};

std::string describe_way(const Model& model, const std::vector<double>& from, const std::vector<double>& to) {
  int farthest = -1;
  double way = 0.0;
  for (int i = 0; i < model.tree.num_links(); ++i) {
    const Link& link = model.tree.link(i);
    for (int c = link.q_start; c < link.q_start + link.num_q; ++c) {
      if (!(std::abs(to[c] - from[c]) > way)) continue;
      way = std::abs(to[c] - from[c]);
      farthest = i;
    }
  }
  if (farthest < 0) return "the start is at rest already";
  return fmt::format("coordinates of '{}' changed most, by {:.4g} m or rad", model.body_name(farthest), way);
}

}  // namespace

Equilibrium find_equilibrium(Dynamics& dynamics, State& state) {
  RestProblem problem(dynamics, state);
  const auto n = static_cast<Eigen::Index>(problem.free().size());
  const std::vector<double> start(state.y.begin(), state.y.begin() + dynamics.num_q());
  std::vector<double> q = start;
  if (n == 0) return {true, "start = \"equilibrium\": nothing can move"};
  VecX a = problem.calc(q);
  const double scale = std::max(a.lpNorm<Eigen::Infinity>(), 1e-3 * dynamics.model().scene.gravity.norm());
  double least = a.lpNorm<Eigen::Infinity>(), pace = 1e-3;  // T [s^2]
  const double first = std::max(least, 1e-300);
  int idle = 0;
  for (int k = 0; k < kMostSteps && a.allFinite() && least > kAtRest * scale && idle < 100; ++k) {
    MatX matrix = -problem.calc_slope(q);
    matrix.diagonal().array() += 1.0 / pace;
    VecX change = matrix.partialPivLu().solve(a);
    if (!change.allFinite()) break;
    const double length = change.lpNorm<Eigen::Infinity>();
    if (length > kLongest) change *= kLongest / length;
    const std::vector<double> next = problem.move(q, change);
    const VecX then = problem.calc(next);
    const double now = a.lpNorm<Eigen::Infinity>(), size = then.lpNorm<Eigen::Infinity>();
    // Uphill where a contact begins: shorter steps until the slope knows of it.
    if (!(size < 10.0 * now + kAtRest * scale) && pace > 1e-12) {
      pace *= 0.1;
      ++idle;
      continue;
    }
    q = next;
    a = then;
    idle = size < 0.999 * least ? 0 : idle + 1;
    least = std::min(least, size);
    pace = std::clamp(pace * std::clamp(now / std::max(size, 1e-300), 0.2, 10.0) * (length > kLongest ? 1.0 : 2.0),
                      1e-9, 1e9);
  }
  a = problem.calc(q);
  const double left = a.lpNorm<Eigen::Infinity>();
  Equilibrium found;
  found.is_found = left <= kLeft * scale;
  found.text = found.is_found
                   ? fmt::format("begins at equilibrium: {}; accelerations left are {:.2g} of those at the given start",
                                 describe_way(dynamics.model(), start, q), left / first)
                   : fmt::format(
                         "no equilibrium was found near the given start: the largest force left is {}; contacts "
                         "count with their elastic forces, and dry friction holds nothing",
                         problem.describe_largest(a));
  return found;
}

}  // namespace abut
