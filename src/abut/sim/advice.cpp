#include "abut/sim/advice.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/contact/law/impact.hpp"
#include "abut/sim/dynamics.hpp"

namespace abut {

namespace {

/// Stability limits on the imaginary axis (undamped spring) and the negative real one (friction damping), times
/// |lambda|.
constexpr double kRk4Imaginary = 2.828, kRk4Real = 2.785;
constexpr double kSymplecticLimit = 2.0, kEulerReal = 2.0;

/// Speed at which a gap closes under the difference of the bodies' free-fall accelerations along the normal [m/s].
double calc_impact_speed(const Model& model, int link_a, int link_b, const Vec3& normal, double gap, double gap_rate) {
  Vec3 fall = Vec3::Zero();
  if (!model.tree.is_immovable(link_a)) fall += model.scene.gravity;
  if (!model.tree.is_immovable(link_b)) fall -= model.scene.gravity;
  const double acceleration = -fall.dot(normal);
  const double square = gap_rate * gap_rate + 2.0 * acceleration * std::max(0.0, gap);
  if (square <= 0.0 || (gap_rate > 0.0 && acceleration <= 0.0)) return 0.0;
  return std::sqrt(square);
}

/// Largest rate of the friction law while it sticks, under the load fn [1/s].   [spec 0, 3.4]
double calc_friction_rate(const ContactRule& rule, double fn, double inverse_tangential_mass) {
  if (const auto* bristle = std::get_if<BristleParameters>(&rule.friction)) {
    return std::max(fn * bristle->sigma_1 * inverse_tangential_mass, bristle->sigma_0 / bristle->sigma_1);
  }
  if (const auto* lugre = std::get_if<LugreParameters>(&rule.friction)) return lugre->sigma_1 * inverse_tangential_mass;
  if (const auto* coulomb = std::get_if<CoulombParameters>(&rule.friction)) {
    return 1.5 * coulomb->mu_s * fn / coulomb->v_eps * inverse_tangential_mass;
  }
  return 0.0;
}

/// The law at the impact speed expected, over depth; that of a volume by how its volume grows with depth.
NormalCoefficients make_law_by_depth(const ContactRule& rule, const Patch& patch, double impact_speed) {
  NormalCoefficients law =
      make_normal_coefficients(rule.normal, patch.normal.stiffness, impact_speed, patch.effective_mass);
  if (!patch.is_volume && !patch.is_perimeter) return law;
  const double growth = patch.by_depth.stiffness / patch.normal.stiffness;
  return {growth * law.stiffness, patch.by_depth.exponent, growth * law.damping, patch.by_depth.exponent};
}

ContactSample describe_overlap(const PointContact& geometry, const VolumeContact& volume) {
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

/// The volumetric model takes the contact for flat and shallow.   [spec 0, 2.4, H2 and H5]
void add_volume_warnings(const VolumeContact& volume, double size, ContactAdvice& advice) {
  if (volume.volume > 0.0 && volume.definition < 0.1) {
    advice.warnings.push_back(fmt::format(
        "the principal axis is ill-defined here ({:.2g} of 0.1): the normal follows the surfaces", volume.definition));
  }
  const double depth = std::max({advice.depth, advice.static_depth, -advice.initial_gap});
  if (depth > 0.1 * size) {
    advice.warnings.push_back(fmt::format("depth {:.3g} mm in a body of size {:.3g} mm: the model assumes it shallow",
                                          1e3 * depth, 1e3 * size));
  }
}

void add_patch_warning(const ContactRule& rule, ContactAdvice& advice) {
  if (!(advice.patch_radius > 0.0) || rule.normal.exponent != 1.5) return;
  const double ratio = advice.patch_radius / advice.body_radius;
  if (ratio <= kPatchRatioWarning) return;
  const double error = ratio < 1.0 ? std::abs(calc_hertz_shape_error(ratio)) : 1.0;
  advice.warnings.push_back(
      fmt::format("patch radius {:.3g} mm on a body of radius {:.3g} mm: Hertz assumes it small; expect {:.3g} % error "
                  "in the force from the shape alone",
                  1e3 * advice.patch_radius, 1e3 * advice.body_radius, 100.0 * error));
}

void add_step_advice(const ContactRule& rule, double friction_rate, const NormalCoefficients& normal,
                     ContactAdvice& advice) {
  const double depth = std::max(advice.depth, advice.static_depth);
  const NormalForceGradient slope = calc_normal_force_gradient(normal, depth, 0.0);
  const double omega = std::sqrt(slope.by_depth / advice.effective_mass);
  const double damping_rate = slope.by_rate / advice.effective_mass;
  const double real_rate = std::max(friction_rate, damping_rate);
  const auto limit = [](double imaginary, double imaginary_limit, double real, double real_limit) {
    return std::min(imaginary > 0.0 ? imaginary_limit / imaginary : HUGE_VAL,
                    real > 0.0 ? real_limit / real : HUGE_VAL);
  };
  advice.step_rk4 = limit(omega, kRk4Imaginary, real_rate, kRk4Real);
  advice.step_semi_implicit = limit(omega, kSymplecticLimit, real_rate, kEulerReal);
  // Explicit Euler amplifies every undamped oscillation by (omega h)^2 / 2 a step: one per cent is the most one would
  // accept.
  advice.step_euler = limit(omega, 0.14, real_rate, kEulerReal);
  if (rule.normal.law == NormalLaw::kelvin_voigt) {
    advice.warnings.emplace_back(
        "kelvin-voigt starts every contact with a jump of force; hunt-crossley or gonthier do not");
  }
}

ContactAdvice make_advice(Dynamics& dynamics, int point) {
  const Model& model = dynamics.model();
  ContactSet& contacts = dynamics.contacts();
  const Candidate& candidate = contacts.candidate_of_point(point);
  const Collider& a = model.colliders[candidate.collider_a];
  const Collider& b = model.colliders[candidate.collider_b];
  const ContactRule& rule = model.rules[candidate.rule];
  const PointContact& geometry = contacts.point_geometry(point);

  ContactAdvice advice;
  advice.contact = fmt::format("{}-{}", model.body_name(a.link), model.body_name(b.link));
  advice.rule = candidate.rule;
  advice.initial_gap = geometry.gap;
  advice.impact_speed = calc_impact_speed(model, a.link, b.link, geometry.normal, geometry.gap,
                                          contacts.calc_gap_rate(point, dynamics.motion()));
  advice.effective_mass = dynamics.calc_effective_mass(a.link, b.link, geometry.point, geometry.normal);
  const auto mass = [&](int, int, const Vec3&, const Vec3&) { return advice.effective_mass; };
  const Patch patch = contacts.make_patch(point, dynamics.motion(), 0.0, true, mass);
  advice.stiffness = patch.normal.stiffness;
  advice.is_volume = patch.is_volume;
  advice.is_perimeter = patch.is_perimeter;
  const NormalCoefficients normal = make_law_by_depth(rule, patch, advice.impact_speed);
  if (advice.impact_speed > 0.0) {
    const ImpactOutcome impact = calc_impact(normal, advice.impact_speed, advice.effective_mass);
    advice.depth = impact.max_depth;
    advice.force = impact.peak_force;
    advice.duration = impact.duration;
    advice.restitution = impact.restitution;
  }
  const double weight = advice.effective_mass * model.scene.gravity.norm();
  advice.static_depth = std::pow(weight / normal.stiffness, 1.0 / normal.exponent);
  advice.body_radius = std::min(calc_curvature_radius(a.shape), calc_curvature_radius(b.shape));
  if (std::isfinite(advice.body_radius))
    advice.patch_radius = std::sqrt(advice.body_radius * std::max(advice.depth, advice.static_depth));

  const Vec3 tangent = any_perpendicular(geometry.normal);
  const double tangential_mass = dynamics.calc_effective_mass(a.link, b.link, geometry.point, tangent);
  add_patch_warning(rule, advice);
  if (patch.is_perimeter) {
    // Held forces move as Verlet's rule does; friction and damping are weakened to what the step can follow.
    NormalCoefficients spring = normal;
    spring.damping = 0.0;
    add_step_advice(rule, 0.0, spring, advice);
    advice.step_rk4 = advice.step_euler = advice.step_semi_implicit;
  } else {
    add_step_advice(rule, calc_friction_rate(rule, std::max(advice.force, weight), 1.0 / tangential_mass), normal,
                    advice);
  }
  if (const VolumeContact* volume = contacts.volume_geometry(point)) {
    if (volume->volume > 0.0) advice.overlap = describe_overlap(geometry, *volume);
    add_volume_warnings(*volume, std::min(a.bounding_radius, b.bounding_radius), advice);
  }
  for (const std::string& note : rule.notes) advice.warnings.push_back(note);
  return advice;
}

}  // namespace

double calc_curvature_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return ellipsoid->semi_axes.minCoeff();
  return std::numeric_limits<double>::infinity();
}

std::vector<ContactAdvice> make_contact_advice(const Model& model, std::size_t limit) {
  ThreadPool threads(1);
  Dynamics dynamics(model, threads);
  State state = dynamics.make_initial_state();
  dynamics.bind(state);
  dynamics.calc_motion(0.0, state.y.data());
  dynamics.contacts().refresh_candidates(dynamics.motion(), state.pool);
  dynamics.contacts().calc_geometry(dynamics.motion(), state.pool);

  // Of each pair of colliders the nearest point speaks for all.
  std::vector<std::pair<double, int>> nearest;
  const ContactSet& contacts = dynamics.contacts();
  for (int point = 0; point < contacts.num_points();) {
    const Candidate& candidate = contacts.candidate_of_point(point);
    std::pair<double, int> best(contacts.point_geometry(point).gap, point);
    for (int k = 1; k < candidate.pair.num_points; ++k)
      best = std::min(best, {contacts.point_geometry(point + k).gap, point + k});
    nearest.push_back(best);
    point += candidate.pair.num_points;
  }
  std::sort(nearest.begin(), nearest.end());
  if (nearest.size() > limit) nearest.resize(limit);

  std::vector<ContactAdvice> advice;
  for (const auto& [gap, point] : nearest) advice.push_back(make_advice(dynamics, point));
  return advice;
}

}  // namespace abut
