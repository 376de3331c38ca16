#include "abut/sim/load_scales.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace abut {

namespace {

/// Links that contacts and joints hold together, each known by one of its links.
class Islands {
 public:
  Islands(const Model& model, const PatchPool& pool) : root_(model.tree.num_links()) {
    const Tree& tree = model.tree;
    std::iota(root_.begin(), root_.end(), 0);
    const auto join = [&](int a, int b) {
      if (a != kWorld && b != kWorld && !tree.is_static(a) && !tree.is_static(b)) root_[find(a)] = find(b);
    };
    for (int link = 0; link < tree.num_links(); ++link) join(link, tree.link(link).parent);
    for (const LoopIsland& island : model.loops.islands()) {
      for (const int link : island.links) join(island.links.front(), link);
    }
    for (const int place : pool.active) {
      const PatchKey& key = pool.patches[place].key;
      join(model.colliders[key.collider_a].link, model.colliders[key.collider_b].link);
    }
  }

  int find(int link) {
    while (root_[link] != link) link = root_[link] = root_[root_[link]];
    return link;
  }

 private:
  std::vector<int> root_;
};

/// Velocities that stand for J vdot, with the accelerations that the loads alone would cause.
Kinematics calc_load_accelerations(Dynamics& dynamics, State& state) {
  const Tree& tree = dynamics.model().tree;
  State bare = state;
  bare.pool.active.clear();
  std::vector<double> rates(dynamics.size(), 0.0);
  dynamics.bind(bare);
  dynamics.calc_rates(state.time, bare.y.data(), rates.data(), nullptr);
  dynamics.bind(state);
  dynamics.enforce_prescribed(state.time, bare.y.data());
  Kinematics result;
  result.resize(tree);
  const std::size_t num_q = dynamics.num_q(), num_v = dynamics.num_v();
  calc_kinematics(tree, std::span<const double>(bare.y).first(num_q), std::span(rates).subspan(num_q, num_v), result);
  return result;
}

double get_force(const PatchResponse& response) {
  return std::isfinite(response.normal_force) ? response.normal_force : 0.0;
}

/// Speed that what a patch holds under this force would give its effective mass [m/s].
double calc_release_speed(const Patch& patch, double force) {
  const NormalCoefficients& law = patch.by_depth;
  if (!(force > 0.0) || !(law.stiffness > 0.0) || !(patch.effective_mass > 0.0)) return 0.0;
  const double depth = std::pow(force / law.stiffness, 1.0 / law.exponent);
  return std::sqrt(2.0 * calc_elastic_energy(law, depth) / patch.effective_mass);
}

/// Where the blow that an island passes on has ended where it began, no touch tells how fast it is. Half of what it
/// would let go with: less than the touch of which a patch knows [1].
constexpr double kReleased = 0.5;

}  // namespace

std::vector<LoadScale> calc_load_scales(Dynamics& dynamics, State& state) {
  const Model& model = dynamics.model();
  const std::vector<PatchResponse> responses = dynamics.calc_responses(state.time, state.y.data());
  std::vector<LoadScale> scales(responses.size());
  if (scales.empty()) return scales;
  const Kinematics driven = calc_load_accelerations(dynamics, state);
  Islands islands(model, state.pool);
  std::vector<LoadScale> of_island(model.tree.num_links());
  const auto find_island = [&](const PatchResponse& response) {
    return islands.find(model.tree.is_static(response.link_a) ? response.link_b : response.link_a);
  };
  const double gravity = model.scene.gravity.norm();
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const PatchResponse& r = responses[i];
    LoadScale& island = of_island[find_island(r)];
    const double approach =
        r.normal.dot(driven.calc_point_velocity(r.link_a, r.point) - driven.calc_point_velocity(r.link_b, r.point));
    if (std::isfinite(approach)) island.acceleration = std::max({island.acceleration, gravity, std::abs(approach)});
    const Patch& patch = state.pool.patches[state.pool.active[i]];
    island.speed = std::max({island.speed, patch.touch_speed, kReleased * calc_release_speed(patch, get_force(r))});
  }
  for (std::size_t i = 0; i < responses.size(); ++i) {
    scales[i] = of_island[find_island(responses[i])];
    scales[i].force = get_force(responses[i]);
  }
  dynamics.calc_motion(state.time, state.y.data());
  return scales;
}

}  // namespace abut
