#include "abut/sim/adviser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "abut/contact/law/impact.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/manifold/contact_manifold.hpp"
#include "abut/multibody/effective_mass.hpp"
#include "abut/sim/assumptions.hpp"
#include "abut/sim/distant_pair.hpp"

namespace abut {

namespace {

using Forecast = ContactAdvice::Forecast;

constexpr double kSlow = 1e-9;  ///< [m/s]; speeds below are rounding
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Speed at which a gap closes under the difference of the bodies' free-fall accelerations along the normal [m/s].
double calc_fall_speed(const Model& model, int link_a, int link_b, const Vec3& normal, double gap, double gap_rate) {
  Vec3 fall = Vec3::Zero();
  if (!model.tree.is_immovable(link_a)) fall += model.scene.gravity;
  if (!model.tree.is_immovable(link_b)) fall -= model.scene.gravity;
  const double acceleration = -fall.dot(normal);
  const double square = gap_rate * gap_rate + 2.0 * acceleration * std::max(0.0, gap);
  if (square <= 0.0 || (gap_rate > 0.0 && acceleration <= 0.0)) return 0.0;
  return std::sqrt(square);
}

/// The law at the impact speed expected, over depth; that of a volume by how its volume grows with depth.
NormalCoefficients make_law_by_depth(const ContactRule& rule, const Patch& patch, double impact_speed) {
  NormalCoefficients law =
      make_normal_coefficients(rule.normal, patch.normal.stiffness, impact_speed, patch.effective_mass);
  if (patch.traits().is_law_of_depth) return law;
  const double growth = patch.by_depth.stiffness / patch.normal.stiffness;
  return {growth * law.stiffness, patch.by_depth.exponent, growth * law.damping, patch.by_depth.exponent};
}

ContactSample describe_overlap(const PointContact& geometry, const PatchOverlap& volume) {
  ContactSample out;
  out.depth = -geometry.gap;
  out.point = geometry.point;
  out.normal = geometry.normal;
  out.volume = volume.volume;
  out.area = volume.area;
  out.gyration_radius = volume.gyration_radius;
  const Mat3& J = volume.inertia;
  out.inertia = {J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2)};
  return out;
}

void add(const std::optional<std::string>& warning, ContactAdvice& advice) {
  if (warning) advice.warnings.push_back(*warning);
}

/// Pairs of a pile differ in nothing but their names.
bool is_alike(const RehearsedContact& x, const RehearsedContact& y) {
  constexpr double kSame = 1e-6;
  return x.rule == y.rule && x.inverse_mass.isApprox(y.inverse_mass, kSame) && x.normal.isApprox(y.normal, kSame) &&
         (x.velocity - y.velocity).norm() <= kSame * x.velocity.norm() &&
         (x.acceleration - y.acceleration).norm() <= kSame * x.acceleration.norm() &&
         std::abs(x.patch.by_depth.stiffness - y.patch.by_depth.stiffness) <= kSame * x.patch.by_depth.stiffness;
}

}  // namespace

ContactAdvice Adviser::advise(int point, ContactAdvice::Forecast forecast) {
  const Candidate& candidate = dynamics_.contacts().candidate_of_point(point);
  const Collider& a = model_.colliders[candidate.collider_a];
  const Collider& b = model_.colliders[candidate.collider_b];
  const ContactRule& rule = model_.rules[candidate.rule];
  PointContact geometry = dynamics_.contacts().point_geometry(point);
  double gap_rate = dynamics_.contacts().calc_gap_rate(point, dynamics_.motion());
  if (is_vacant(geometry)) {  // flat bodies that are far from each other
    const BodyMotion motion = dynamics_.motion();
    geometry = calc_distant_contact(a, calc_collider_pose(a, motion.X_WB[a.link]), b,
                                    calc_collider_pose(b, motion.X_WB[b.link]));
    gap_rate = geometry.normal.dot(calc_point_velocity(motion, a.link, geometry.point) -
                                   calc_point_velocity(motion, b.link, geometry.point));
  }

  ContactAdvice advice;
  advice.contact = fmt::format("{}-{}", model_.body_name(a.link), model_.body_name(b.link));
  advice.rule = candidate.rule;
  advice.forecast = forecast;
  advice.time = state_.time;
  advice.initial_gap = geometry.gap;
  advice.impact_speed = forecast == Forecast::unknown
                            ? calc_fall_speed(model_, a.link, b.link, geometry.normal, geometry.gap, gap_rate)
                        : forecast == Forecast::apart ? 0.0
                        : -gap_rate > kSlow           ? -gap_rate
                                                      : 0.0;
  advice.effective_mass = dynamics_.calc_effective_mass(a.link, b.link, geometry.point, geometry.normal);
  if (!model_.uses_normal_laws()) return advice;
  const auto mass = [&](int, int, const Vec3&, const Vec3&) { return advice.effective_mass; };
  Patch patch = dynamics_.contacts().make_patch(point, dynamics_.motion(), 0.0, true, mass);
  patch.by_depth = make_law_by_depth(rule, patch, advice.impact_speed);
  describe_law(patch, geometry, a, b, advice);
  describe_patch(rule, a, b, geometry, advice);
  if (advice.duration > 0.0)
    add(judge_waves(model_, dynamics_.motion(), a.link, b.link, geometry.normal, advice.duration), advice);
  if (const NormalLawRow& law = normal_law_row(rule.normal.law); law.damping_exponent == 0.0) {
    advice.warnings.push_back(
        fmt::format("{} starts every contact with a jump of force; hunt-crossley or gonthier do not", law.text.name));
  }
  const auto overlap = dynamics_.contacts().with_region(candidate.region,
                                                        [&](const auto& region) { return region.find_overlap(point); });
  if (overlap) describe_volume(geometry, *overlap, a, b, advice);
  if (forecast == Forecast::touching) judge_start(patch, geometry, a, b, advice);
  for (const std::string& note : rule.notes) advice.warnings.push_back(note);
  if (tries_steps_) advise_steps(rule, patch, geometry, a, b, advice);
  if (stands_on_several(a, b, region_row(patch.region), candidate.pair.num_points)) {
    // A body on several points rocks faster than it swings on one: 2.4 times for a box on four corners.
    constexpr double kRocking = 0.4;
    for (double* step : {&advice.step_rk4, &advice.step_semi_implicit, &advice.step_euler}) *step *= kRocking;
  }
  return advice;
}

/// Corners of one shape, several shapes of a body that moves, or the legs of a mesh.
bool Adviser::stands_on_several(const Collider& a, const Collider& b, const RegionRow& region, int num_points) const {
  if (region.lies_flush) return std::holds_alternative<Mesh>(a.shape) || std::holds_alternative<Mesh>(b.shape);
  if (num_points > 1) return true;
  const auto has_feet = [&](const Collider& one) {
    return !model_.tree.is_immovable(one.link) &&
           std::count_if(model_.colliders.begin(), model_.colliders.end(),
                         [&](const Collider& other) { return other.link == one.link; }) > 1;
  };
  return has_feet(a) || has_feet(b);
}

void Adviser::describe_law(const Patch& patch, const PointContact& geometry, const Collider& a, const Collider& b,
                           ContactAdvice& advice) {
  advice.stiffness = patch.normal.stiffness;
  advice.region = patch.region;
  if (advice.impact_speed > 0.0) {
    const ImpactOutcome impact = calc_impact(patch.by_depth, advice.impact_speed, advice.effective_mass);
    advice.depth = impact.max_depth;
    advice.force = impact.peak_force;
    advice.duration = impact.duration;
    advice.restitution = impact.restitution;
  }
  acceleration_ = calc_acceleration(a.link, b.link, geometry.point);
  // Bodies that fall together do not press on each other, and will once one of them is held.
  const double press =
      std::max(-geometry.normal.dot(acceleration_), std::abs(geometry.normal.dot(model_.scene.gravity)));
  advice.load = advice.effective_mass * press;
  advice.static_depth = std::pow(advice.load / patch.by_depth.stiffness, 1.0 / patch.by_depth.exponent);
}

/// Of a relative to b at a point, while nothing touches [m/s^2].
Vec3 Adviser::calc_acceleration(int link_a, int link_b, const Vec3& point) {
  const auto velocity = [&] {
    return Vec3(dynamics_.kinematics().calc_point_velocity(link_a, point) -
                dynamics_.kinematics().calc_point_velocity(link_b, point));
  };
  std::vector<double> y(state_.y.begin(), state_.y.begin() + dynamics_.size()), rates(y.size());
  dynamics_.calc_rates(state_.time, y.data(), rates.data(), nullptr);
  const Vec3 before = velocity();
  constexpr double kMoment = 1e-4;  // [s]; velocities are linear in the speeds at one pose
  for (int i = 0; i < dynamics_.num_v(); ++i) y[dynamics_.num_q() + i] += kMoment * rates[dynamics_.num_q() + i];
  dynamics_.calc_motion(state_.time, y.data());
  const Vec3 after = velocity();
  dynamics_.calc_motion(state_.time, state_.y.data());
  return (after - before) / kMoment;
}

void Adviser::describe_patch(const ContactRule& rule, const Collider& a, const Collider& b,
                             const PointContact& geometry, ContactAdvice& advice) const {
  if (!is_hertzian(rule)) return;
  const HertzSite site = make_hertz_site(a, b, dynamics_.motion(), geometry);
  const double depth = std::max({advice.depth, advice.static_depth, -advice.initial_gap});
  const bool is_start = depth > std::max(advice.depth, advice.static_depth);
  const double force = is_start ? advice.stiffness * std::pow(depth, 1.5) : std::max(advice.force, advice.load);
  advice.patch = calc_patch_size(site, depth, force);
  const double ratio = calc_patch_ratio(site, advice.patch);
  add(judge_patch(advice.patch.short_axis, advice.patch.long_axis, ratio, do_conform(site)), advice);
  add(judge_pressure(rule, advice.patch.peak_pressure, true), advice);
}

/// The volumetric model takes the contact for flat and shallow.   [Gonthier 2007, 4.1.1]
void Adviser::describe_volume(const PointContact& geometry, const PatchOverlap& volume, const Collider& a,
                              const Collider& b, ContactAdvice& advice) const {
  if (volume.volume > 0.0) {
    advice.overlap = describe_overlap(geometry, volume);
    add(judge_flatness(calc_flatness(volume.volume, volume.area, volume.inertia, geometry.normal)), advice);
    if (volume.definition < 0.1) {
      advice.warnings.push_back(
          fmt::format("the principal axis is ill-defined here ({:.2g} of 0.1): the normal follows the surfaces",
                      volume.definition));
    }
  }
  add(judge_depth(std::max({advice.depth, advice.static_depth, -geometry.gap}), calc_pair_size(model_, a.link, b.link)),
      advice);
  if (volume.lacks_field) {
    advice.warnings.push_back(
        fmt::format("no depth field is known for {} or {}: the force follows the surfaces and is kept from giving back "
                    "more energy than it took; it may lose some",
                    shape_name(a.shape), shape_name(b.shape)));
  }
}

void Adviser::judge_start(const Patch& patch, const PointContact& geometry, const Collider& a, const Collider& b,
                          ContactAdvice& advice) const {
  add(judge_overlap({-geometry.gap, calc_pair_size(model_, a.link, b.link),
                     calc_elastic_energy(patch.by_depth, -geometry.gap), advice.effective_mass},
                    model_.scene.gravity.norm(), model_.scene.run.duration),
      advice);
}

Mat3 Adviser::calc_inverse_mass(int link_a, int link_b, const Vec3& point) const {
  const auto inverse = [&](const Vec3& direction) {
    return calc_inverse_effective_mass(model_.tree, dynamics_.kinematics(), link_a, link_b, point, direction);
  };
  Mat3 out;
  for (int i = 0; i < 3; ++i) out(i, i) = inverse(Vec3::Unit(i));
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    const Vec3 between = (Vec3::Unit(i) + Vec3::Unit(k)) / std::sqrt(2.0);
    out(i, k) = out(k, i) = inverse(between) - 0.5 * (out(i, i) + out(k, k));
  }
  return out;
}

void Adviser::advise_steps(const ContactRule& rule, const Patch& patch, const PointContact& geometry, const Collider& a,
                           const Collider& b, ContactAdvice& advice) {
  if (patch.traits().is_held_over_steps) {
    // Held forces move as Verlet's rule does, which is stable up to 2 / omega; friction and damping are weakened to
    // what the step can follow.
    const double depth = std::max(advice.depth, advice.static_depth);
    NormalCoefficients spring = patch.by_depth;
    spring.damping = 0.0;
    const double slope = calc_normal_force_gradient(spring, depth, 0.0).by_depth;
    const double step = slope > 0.0 ? 2.0 * std::sqrt(advice.effective_mass / slope) : kInfinity;
    advice.step_rk4 = advice.step_semi_implicit = advice.step_euler = step;
    return;
  }
  RehearsedContact contact;
  contact.rule = &rule;
  contact.patch = patch;
  contact.normal = geometry.normal;
  contact.inverse_mass = calc_inverse_mass(a.link, b.link, geometry.point);
  contact.velocity = dynamics_.kinematics().calc_point_velocity(a.link, geometry.point) -
                     dynamics_.kinematics().calc_point_velocity(b.link, geometry.point);
  contact.velocity -= (advice.impact_speed + geometry.normal.dot(contact.velocity)) * geometry.normal;
  contact.impact_duration = advice.duration;
  // As if other contacts held the body from turning: the load at this point alone would tip it over.
  contact.acceleration =
      tangential(acceleration_, geometry.normal) - advice.load * (contact.inverse_mass * geometry.normal);
  for (const auto& [known, steps] : rehearsed_) {
    if (!is_alike(known, contact)) continue;
    std::tie(advice.step_rk4, advice.step_semi_implicit, advice.step_euler) = std::tie(steps[0], steps[1], steps[2]);
    return;
  }
  advice.step_rk4 = find_largest_step(contact, FixedMethod::rk4);
  advice.step_semi_implicit = find_largest_step(contact, FixedMethod::semi_implicit_euler);
  advice.step_euler = find_largest_step(contact, FixedMethod::euler);
  if (region_row(patch.region).lies_flush) limit_to_flush(a, b, patch, advice);
  rehearsed_.push_back({contact, {advice.step_rk4, advice.step_semi_implicit, advice.step_euler}});
}

/// A volume that meets with a corner will lie on a face, and press there with the stiffness of the face.
void Adviser::limit_to_flush(const Collider& a, const Collider& b, const Patch& patch, ContactAdvice& advice) const {
  double area = kInfinity, mass = kInfinity;
  for (const Collider* collider : {&a, &b}) {
    if (std::isfinite(collider->bounding_radius)) {
      const Aabb box = calc_aabb(collider->shape, Pose());
      const Vec3 size = box.upper - box.lower;
      area = std::min(area, size.prod() / size.minCoeff());
    }
    const double own = model_.tree.link(collider->link).mass.mass;
    if (!model_.tree.is_immovable(collider->link) && own > 0.0) mass = std::min(mass, own);
  }
  const double rate = std::sqrt(patch.normal.stiffness * area / mass);
  if (!std::isfinite(rate) || !(rate > 0.0)) return;
  // A blow on it lasts pi / rate; a sixth of that, and for rules of the first order what misses a fiftieth.
  advice.step_rk4 = std::min(advice.step_rk4, 0.5 / rate);
  advice.step_semi_implicit = std::min(advice.step_semi_implicit, 0.04 / rate);
  advice.step_euler = std::min(advice.step_euler, 0.01 / rate);
}

}  // namespace abut
