#include "abut/sim/error_scales.hpp"

#include <algorithm>
#include <cmath>

#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// Scales of bodies that touch nothing: [m] or [rad], and per second.
constexpr double kFreeLength = 0.1;
constexpr double kFreeSpeed = 1.0;
/// Errors add up over the dozens of steps of an impact; this keeps their sum near the tolerance asked for. Near rest
/// errors are damped out instead, and nothing is gained by it.
constexpr double kImpactSafety = 0.1;
/// Depths and speeds below these are lost in the rounding of coordinates of the order of a metre.
constexpr double kLeastDepth = 1e-12;
constexpr double kLeastSpeed = 1e-9;

struct Scale {
  double length = kImpactSafety * kFreeLength;  ///< [m]
  double speed = kImpactSafety * kFreeSpeed;    ///< [m/s]

  void take(const Scale& other) {
    length = std::min(length, other.length);
    speed = std::min(speed, other.speed);
  }
};

Scale calc_patch_scale(const Patch& patch, double gravity) {
  const double static_depth =
      std::pow(patch.effective_mass * gravity / patch.by_depth.stiffness, 1.0 / patch.by_depth.exponent);
  const double depth = std::max({calc_impact_depth(patch), static_depth, kLeastDepth});
  // Small oscillations about the static depth have a speed of about sqrt(g x).
  const double speed = std::max({patch.touch_speed, std::sqrt(gravity * static_depth), kLeastSpeed});
  const double safety = std::clamp(std::sqrt(gravity * static_depth) / speed, kImpactSafety, 1.0);
  return {safety * std::min(depth, kFreeLength), safety * std::min(speed, kFreeSpeed)};
}

/// Scale of every link: that of its own patches, and of all patches further out on its branch.
std::vector<Scale> calc_link_scales(const Dynamics& dynamics, const State& state) {
  const Model& model = dynamics.model();
  std::vector<Scale> scales(model.tree.num_links());
  const double gravity = model.scene.gravity.norm();
  for (const int place : state.pool.active) {
    const Patch& patch = state.pool.patches[place];
    const Scale scale = calc_patch_scale(patch, gravity);
    scales[model.colliders[patch.key.collider_a].link].take(scale);
    scales[model.colliders[patch.key.collider_b].link].take(scale);
  }
  for (int link = model.tree.num_links() - 1; link >= 0; --link) {
    if (model.tree.link(link).parent != kWorld) scales[model.tree.link(link).parent].take(scales[link]);
  }
  return scales;
}

void set_friction_tolerances(const Dynamics& dynamics, const State& state, double tolerance, VecX& absolute) {
  const int first = dynamics.friction_start();
  for (const int place : state.pool.active) {
    const FrictionParameters& friction = dynamics.model().rules[state.pool.patches[place].rule].friction;
    double breakaway = 1e-4;
    if (const auto* bristle = std::get_if<BristleParameters>(&friction))
      breakaway = std::max(bristle->mu_s, 1e-6) / bristle->sigma_0;
    for (int k = 0; k < dynamics.stride(); ++k)
      absolute[first + dynamics.stride() * place + k] = tolerance * (k < 3 ? breakaway : 1.0);
  }
}

/// Energies that works are compared with [J]; a millijoule where nothing moves yet.
double calc_energy_scale(const Dynamics& dynamics, const State& state) {
  constexpr double kLeastEnergy = 1e-3;
  double scale = dynamics.num_work_states() > 0 ? std::abs(state.y[dynamics.num_q() + dynamics.num_v()]) : 0.0;
  scale += calc_kinetic_energy(dynamics.model().tree, dynamics.kinematics());
  for (const int place : state.pool.active) {
    const Patch& patch = state.pool.patches[place];
    scale += calc_elastic_energy(patch.by_depth, std::max(calc_impact_depth(patch), patch.peak_depth));
  }
  return std::max(scale, kLeastEnergy);
}

double calc_peak_force(const Patch& patch, double gravity) {
  const double depth = calc_impact_depth(patch);
  return std::max(patch.by_depth.stiffness * std::pow(depth, patch.by_depth.exponent), patch.effective_mass * gravity);
}

}  // namespace

ErrorWeights make_error_weights(const Dynamics& dynamics, const State& state, double tolerance) {
  const Tree& tree = dynamics.model().tree;
  const std::vector<Scale> scales = calc_link_scales(dynamics, state);
  ErrorWeights weights;
  weights.relative = 0.0;
  weights.absolute = VecX::Constant(dynamics.size(), tolerance);
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    for (int k = 0; k < link.num_q; ++k) weights.absolute[link.q_start + k] = tolerance * scales[i].length;
    for (int k = 0; k < link.num_v; ++k) {
      weights.absolute[dynamics.num_q() + link.v_start + k] = tolerance * scales[i].speed;
    }
  }
  if (dynamics.num_work_states() > 0) {
    weights.absolute[dynamics.num_q() + dynamics.num_v()] = tolerance * calc_energy_scale(dynamics, state);
  }
  for (int i = 0; i < dynamics.num_joint_bristles(); ++i)
    weights.absolute[dynamics.joint_bristle_start() + i] = tolerance * kJointBristleTravel;
  set_friction_tolerances(dynamics, state, tolerance, weights.absolute);
  weights.magnitude = weights.absolute / tolerance;
  return weights;
}

RestartHint make_restart_hint(const Dynamics& dynamics, const State& state) {
  RestartHint hint;
  const Model& model = dynamics.model();
  const double gravity = model.scene.gravity.norm();
  double shortest = std::numeric_limits<double>::infinity();
  for (const int place : state.pool.active) {
    const Patch& patch = state.pool.patches[place];
    if (patch.touch_time == state.time) shortest = std::min(shortest, calc_time_constant(patch, kLeastDepth));
    if (const auto* bristle = std::get_if<BristleParameters>(&model.rules[patch.rule].friction)) {
      hint.stiffness_rate =
          std::max(hint.stiffness_rate, calc_peak_force(patch, gravity) * bristle->sigma_1 / patch.effective_mass);
    }
  }
  if (std::isfinite(shortest)) hint.first_step = 0.1 * shortest;
  hint.quadrature_scale = calc_energy_scale(dynamics, state);
  if (model.scene.run.max_step) hint.max_step = *model.scene.run.max_step;
  return hint;
}

double calc_safe_interval(Dynamics& dynamics) {
  const Model& model = dynamics.model();
  const ContactSet& contacts = dynamics.contacts();
  const Kinematics& now = dynamics.kinematics();
  const double gravity = model.scene.gravity.norm();
  double least = std::numeric_limits<double>::infinity();
  for (int point = 0; point < contacts.num_points(); ++point) {
    if (contacts.patch_at(point) >= 0) continue;
    const Candidate& candidate = contacts.candidate_of_point(point);
    const Collider& a = model.colliders[candidate.collider_a];
    const Collider& b = model.colliders[candidate.collider_b];
    const auto has_far_side = [](const Collider& c) {
      return !std::holds_alternative<HalfSpace>(c.shape) && !std::holds_alternative<Bore>(c.shape);
    };
    if (!has_far_side(a) || !has_far_side(b)) continue;
    const double size = std::min(a.bounding_radius, b.bounding_radius);
    double speed = (now.v_WCm[a.link] - now.v_WCm[b.link]).norm();
    for (const Collider* c : {&a, &b}) {
      if (std::isfinite(c->bounding_radius)) speed += now.w_WB[c->link].norm() * c->bounding_radius;
    }
    const double reach = std::max(0.0, contacts.point_geometry(point).gap) + size;
    // Bodies approach at most at speed + 2 g t: solve speed t + g t^2 = reach.
    const double time = 2.0 * reach / (speed + std::sqrt(speed * speed + 4.0 * gravity * reach) + 1e-300);
    least = std::min(least, time);
  }
  return least;
}

}  // namespace abut
