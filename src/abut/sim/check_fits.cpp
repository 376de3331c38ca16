#include <fmt/format.h>

#include "abut/geometry/point_pair.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {

namespace {

/// Radius of the hole of what is endless around one [m]; 0 for other shapes.
double calc_hole_radius(const Shape& shape) {
  if (const auto* bore = std::get_if<Bore>(&shape)) return bore->radius;
  if (const auto* cavity = std::get_if<Cavity>(&shape)) return cavity->radius;
  return 0.0;
}

/// Radius of the smallest ball about the shape, of those that meet holes at points [m]; 0 for others.
double calc_ball_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius + capsule->half_length;
  if (const auto* box = std::get_if<Box>(&shape)) return box->half_size.norm();
  return 0.0;
}

/// A ball as wide as the hole it is in touches it all around: the one point nearest to the wall, which contact at
/// points takes, changes sides as the ball crosses the middle, and its force with it.
void check_hole(const SceneSpec& scene, const Model& model, const Collider& body, const Collider& hole) {
  const double inner = calc_hole_radius(hole.shape), outer = calc_ball_radius(body.shape);
  if (outer < inner) return;
  const auto found = find_contact(scene, model.body_name(body.link), model.body_name(hole.link));
  fail_at(
      found->settings->where,
      fmt::format("'{}' ({}, radius {:.6g} m) does not fit into '{}' ({}, radius {:.6g} m): contact at points needs "
                  "a body that is thinner than the hole.\nMake one of them fit, or exclude the pair with an entry "
                  "that has enabled = false.\nNothing was run.",
                  model.body_name(body.link), shape_name(body.shape), outer, model.body_name(hole.link),
                  shape_name(hole.shape), inner));
}

/// The same with a ball that rests on a ring or in the mouth of a bowl. Hard contact keeps several points of it.
void check_ring(const SceneSpec& scene, const Model& model, const Collider& ball, const Collider& ring) {
  const auto* torus = std::get_if<Torus>(&ring.shape);
  const double inner = torus != nullptr ? torus->calc_hole_radius() : std::get<Bowl>(ring.shape).calc_opening_radius();
  const auto found = find_contact(scene, model.body_name(ball.link), model.body_name(ring.link));
  fail_at(found->settings->where,
          fmt::format(
              "'{}' (sphere, radius {:.6g} m) is wider than the {} of '{}' ({}, radius {:.6g} m), and may touch "
              "it all around: contact at points that yield has one point there, which would change sides with "
              "the slightest shift.\nUse method = \"lcp\" with lcp.normal = \"hard\", or region = \"perimeter\" with "
              "method = \"explicit\", or region = \"volume\" (exact, and slow where it touches all around), or "
              "exclude the pair with an entry that has enabled = false.\nNothing was run.",
              model.body_name(ball.link), std::get<Sphere>(ball.shape).radius, torus != nullptr ? "hole" : "mouth",
              model.body_name(ring.link), shape_name(ring.shape), inner));
}

}  // namespace

void check_fits(const SceneSpec& scene, const Model& model) {
  for (const Collider& hole : model.colliders) {
    const bool is_hole = calc_hole_radius(hole.shape) > 0.0;
    if (!is_hole && !std::holds_alternative<Torus>(hole.shape) && !std::holds_alternative<Bowl>(hole.shape)) continue;
    for (const Collider& body : model.colliders) {
      if (body.link == hole.link || (body.is_static && hole.is_static)) continue;
      const RuleMatch match = model.find_rule(body.link, hole.link);
      if (match.rule < 0 || !region_traits(match.region).takes_nearest_points) continue;
      if (is_hole && calc_ball_radius(body.shape) > 0.0) check_hole(scene, model, body, hole);
      const bool is_ball = std::holds_alternative<Sphere>(body.shape);
      if (is_ball && !match.is_hard && touches_all_around(body.shape, hole.shape)) check_ring(scene, model, body, hole);
    }
  }
}

}  // namespace abut
