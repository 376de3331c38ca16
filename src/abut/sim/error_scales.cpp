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
/// errors are damped out instead, and nothing is gained by it. Estimates see little of a bend inside a step: of 6,400
/// random elastic drops of volumes at a tolerance of 1e-6, with 0.08, 0.04 and 0.02 of it 26, 8 and 3 make more than
/// 1e-6 of their turnover, 7.2e-6, 2.8e-6 and 1.5e-6 at most; each halving costs about 6 % more steps.
constexpr double kImpactSafety = 0.08, kBentImpactSafety = 0.03;
/// Part of the largest speed in an island (LoadScale::speed) that its other contacts may be struck with.
constexpr double kPassedOn = 0.1;
/// Depths and speeds below these are lost in the rounding of coordinates of the order of a metre.
constexpr double kLeastDepth = 1e-12;
constexpr double kLeastSpeed = 1e-9;

struct Scale {
  double length = kImpactSafety * kFreeLength;  ///< [m]
  double speed = kImpactSafety * kFreeSpeed;    ///< [m/s]
  bool is_touching = false;                     ///< of a patch of the link itself

  void take(const Scale& other) {
    length = std::min(length, other.length);
    speed = std::min(speed, other.speed);
  }
};

/// Depth under this force [m].
double calc_depth(const Patch& patch, double force) {
  return std::pow(force / patch.by_depth.stiffness, 1.0 / patch.by_depth.exponent);
}

/// Depth under the loads on the patch [m].
double calc_static_depth(const Patch& patch, const LoadScale& load) {
  return calc_depth(patch, patch.effective_mass * load.acceleration);
}

Scale calc_patch_scale(const Patch& patch, const LoadScale& load) {
  const double static_depth = calc_static_depth(patch, load);
  const double passed_on = kPassedOn * load.speed;
  const double depth = std::max({calc_impact_depth(patch, std::max(patch.touch_speed, passed_on)), static_depth,
                                 calc_depth(patch, load.force), kLeastDepth});
  // Small oscillations about the static depth have a speed of about sqrt(a x).
  const double wobble = std::sqrt(load.acceleration * static_depth);
  const double speed = std::max({patch.touch_speed, passed_on, wobble, kLeastSpeed});
  const double least = patch.traits().has_kinks ? kBentImpactSafety : kImpactSafety;
  const double safety = std::clamp(wobble / speed, least, 1.0);
  return {std::min(safety * depth, least * kFreeLength), std::min(safety * speed, least * kFreeSpeed)};
}

/// Scale of every link: that of its own patches, and of all patches further out on its branch.
std::vector<Scale> calc_link_scales(const Dynamics& dynamics, const State& state, const std::vector<LoadScale>& loads) {
  const Model& model = dynamics.model();
  std::vector<Scale> scales(model.tree.num_links());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Patch& patch = state.pool.patches[state.pool.active[i]];
    const Scale scale = calc_patch_scale(patch, loads[i]);
    for (const int collider : {patch.key.collider_a, patch.key.collider_b}) {
      scales[model.colliders[collider].link].take(scale);
      scales[model.colliders[collider].link].is_touching = true;
    }
  }
  for (int link = model.tree.num_links() - 1; link >= 0; --link) {
    if (model.tree.link(link).parent != kWorld) scales[model.tree.link(link).parent].take(scales[link]);
  }
  // What a loop holds together moves all of it.
  for (const LoopIsland& island : model.loops.islands()) {
    Scale finest;
    for (const int link : island.links) finest.take(scales[link]);
    for (const int link : island.links) scales[link].take(finest);
  }
  return scales;
}

/// An error of an angle moves all of a patch at once, and its torque works on it too: angles are held to a third of
/// what the farthest place alone would allow. Found by trying: without it three of 39 random drops make 1.1e-6
/// to 1.5e-6 of their turnover at a tolerance of 1e-6.
constexpr double kAngleSafety = 3.0;

/// How far from its centre of mass each link can be touched, times that [m], one metre at most: a turn by an angle
/// moves the surface by no more than this times the angle, which is what the depth of a contact and its speed feel.
std::vector<double> calc_levers(const Model& model) {
  std::vector<double> levers(model.tree.num_links(), 0.0);
  for (const Collider& collider : model.colliders) {
    if (collider.link < 0) continue;
    const double reach =
        (collider.X_LS.p - model.tree.link(collider.link).mass.center_of_mass).norm() + collider.bounding_radius;
    levers[collider.link] = std::max(levers[collider.link], reach);
  }
  for (double& lever : levers) lever = lever > 0.0 ? std::min(kAngleSafety * lever, 1.0) : 1.0;
  return levers;
}

void set_friction_tolerances(const Dynamics& dynamics, const State& state, double tolerance, VecX& absolute) {
  const int first = dynamics.friction_start();
  for (const int place : state.pool.active) {
    const FrictionParameters& friction = dynamics.model().rules[state.pool.patches[place].rule].friction;
    const double breakaway = calc_break_away(friction);
    for (int k = 0; k < dynamics.stride(); ++k)
      absolute[first + dynamics.stride() * place + k] = tolerance * (k == 3 ? 1.0 : breakaway);
  }
}

/// Largest force that is to be expected of a patch [N]: that of its impact where it begins, else what loads it.
double calc_coming_force(const Patch& patch, const LoadScale& load, double time) {
  const double impact = patch.touch_time == time ? calc_impact_depth(patch) : calc_depth(patch, load.force);
  const double depth = std::max(impact, calc_static_depth(patch, load));
  return patch.by_depth.stiffness * std::pow(depth, patch.by_depth.exponent);
}

}  // namespace

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

ErrorWeights make_error_weights(const Dynamics& dynamics, const State& state, const std::vector<LoadScale>& loads,
                                double tolerance) {
  const Tree& tree = dynamics.model().tree;
  const std::vector<Scale> scales = calc_link_scales(dynamics, state, loads);
  const std::vector<double> levers = calc_levers(dynamics.model());
  ErrorWeights weights;
  weights.relative = 0.0;
  weights.absolute = VecX::Constant(dynamics.size(), tolerance);
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    for (int k = 0; k < link.num_q; ++k) weights.absolute[link.q_start + k] = tolerance * scales[i].length;
    for (int k = 0; k < link.num_v; ++k) {
      weights.absolute[dynamics.num_q() + link.v_start + k] = tolerance * scales[i].speed;
    }
    if (link.joint != JointType::free || !scales[i].is_touching) continue;
    // Quaternions behind the position turn by half the angle; angular velocities stand behind the linear ones.
    for (int k = 3; k < link.num_q; ++k) weights.absolute[link.q_start + k] *= 0.5 / levers[i];
    for (int k = 3; k < link.num_v; ++k) weights.absolute[dynamics.num_q() + link.v_start + k] /= levers[i];
  }
  if (dynamics.num_work_states() > 0) {
    weights.absolute[dynamics.num_q() + dynamics.num_v()] = tolerance * calc_energy_scale(dynamics, state);
  }
  for (int i = 0; i < dynamics.num_joint_bristles(); ++i)
    weights.absolute[dynamics.joint_bristle_start() + i] = tolerance * dynamics.joint_bristle_scale(i);
  set_friction_tolerances(dynamics, state, tolerance, weights.absolute);
  weights.magnitude = weights.absolute / tolerance;
  return weights;
}

RestartHint make_restart_hint(const Dynamics& dynamics, const State& state, const std::vector<LoadScale>& loads) {
  RestartHint hint;
  const Model& model = dynamics.model();
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Patch& patch = state.pool.patches[state.pool.active[i]];
    if (patch.touch_time == state.time) shortest = std::min(shortest, calc_time_constant(patch, kLeastDepth));
    if (const double damping = calc_damping_per_load(model.rules[patch.rule].friction); damping > 0.0) {
      hint.stiffness_rate = std::max(hint.stiffness_rate,
                                     calc_coming_force(patch, loads[i], state.time) * damping / patch.effective_mass);
    }
  }
  if (std::isfinite(shortest)) hint.first_step = 0.1 * shortest;
  hint.quadrature_scale = calc_energy_scale(dynamics, state);
  if (model.scene.run.max_step) hint.max_step = *model.scene.run.max_step;
  return hint;
}

}  // namespace abut
