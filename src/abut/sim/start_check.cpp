#include "abut/sim/start_check.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/geometry/aabb.hpp"
#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mass_properties.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/solid_probe.hpp"

namespace abut {

namespace {

constexpr std::size_t kMost = 5;         ///< sentences of one kind
constexpr double kSuspiciousSize = 5.0;  ///< of a mesh [m]; files in millimetres are a thousand times too large

bool has_inside(const Collider& collider) {
  const auto* mesh = std::get_if<Mesh>(&collider.shape);
  return mesh == nullptr || mesh->solid != nullptr;
}

/// Whether the inner one's surface lies in the outer one, by a few of its corners: bodies laid flush on each other have
/// some of them in common.
bool is_around(const Collider& outer, const Pose& X_outer, const Collider& inner, const Pose& X_inner) {
  if (!has_inside(outer) || inner.surface == nullptr || inner.surface->vertices().empty()) return false;
  constexpr std::size_t kFew = 64;
  const auto& vertices = inner.surface->vertices();
  const std::size_t stride = 1 + vertices.size() / kFew;
  const auto smooth = find_implicit_surface(outer.shape);
  std::optional<SolidProbe> probe;
  if (!smooth) probe.emplace(outer.shape, X_outer);
  for (std::size_t i = 0; i < vertices.size(); i += stride) {
    const Vec3 point = X_inner * vertices[i];
    if (smooth ? smooth->value(X_outer.inverse() * point) > 0.0 : !probe->holds(point, 0.0)) return false;
  }
  return true;
}

std::string describe_size(const Model& model, const Collider& collider) {
  std::string text = fmt::format("'{}'", model.body_name(collider.link));
  if (std::isfinite(collider.bounding_radius)) text += fmt::format(" (size {:.3g} m)", 2.0 * collider.bounding_radius);
  return text;
}

std::string suggest_scale(const Model& model, const Collider& a, const Collider& b) {
  for (const Collider* collider : {&a, &b}) {
    if (std::holds_alternative<Mesh>(collider->shape) && collider->bounding_radius > kSuspiciousSize)
      return fmt::format(" Is the mesh of '{}' in millimetres? scale = 0.001 makes metres of them.",
                         model.body_name(collider->link));
  }
  return "";
}

/// Bounded shapes of one body that overlap each other, as a part of their volume.
double calc_common_volume(const std::vector<const Collider*>& shapes) {
  double common = 0.0;
  std::vector<VolumeMetrics> pieces;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Aabb box = calc_aabb(shapes[i]->shape, shapes[i]->X_LS);
    for (std::size_t j = 0; j < i; ++j) {
      const Aabb other = calc_aabb(shapes[j]->shape, shapes[j]->X_LS);
      if ((box.lower.array() >= other.upper.array()).any() || (other.lower.array() >= box.upper.array()).any())
        continue;
      try {
        Interference::make(shapes[i]->shape, shapes[j]->shape).calc(shapes[i]->X_LS, shapes[j]->X_LS, pieces);
      } catch (const InputError&) {
        continue;  // no kernel knows this pair: nothing can be said of it
      }
      for (const VolumeMetrics& piece : pieces) common += piece.volume;
    }
  }
  return common;
}

}  // namespace

std::vector<std::string> find_enclosed_bodies(Dynamics& dynamics, const char* verb) {
  std::vector<std::string> notes;
  const Model& model = dynamics.model();
  const ContactSet& contacts = dynamics.contacts();
  const BodyMotion motion = dynamics.motion();
  for (int c = 0; c < contacts.candidates().size() && notes.size() < kMost; ++c) {
    const Candidate& candidate = contacts.candidates()[c];
    if (candidate.perimeter < 0 || contacts.point_geometry(candidate.first_point).gap <= 0.0) continue;
    const Collider& a = model.colliders[candidate.collider_a];
    const Collider& b = model.colliders[candidate.collider_b];
    const Pose X_a = calc_collider_pose(a, motion.X_WB[a.link]), X_b = calc_collider_pose(b, motion.X_WB[b.link]);
    const bool is_a_around = is_around(a, X_a, b, X_b);
    if (!is_a_around && !is_around(b, X_b, a, X_a)) continue;
    notes.push_back(fmt::format(
        "{} {} inside {}: their surfaces do not cross, so that perimeter contact sees nothing and they pass "
        "through each other.{}",
        describe_size(model, is_a_around ? b : a), verb, describe_size(model, is_a_around ? a : b),
        suggest_scale(model, a, b)));
  }
  return notes;
}

std::vector<std::string> find_joints_beyond_limits(const Model& model) {
  constexpr double kMark = 1e-6;  // of the limit's size: nobody means less
  std::vector<std::string> notes;
  for (const JointLoadEntry& entry : model.joint_loads) {
    if (entry.q_index < 0 || entry.load.limit_stiffness == 0.0 || notes.size() == kMost) continue;
    const double q = model.q0[entry.q_index], above = q - entry.load.upper, below = entry.load.lower - q;
    const double beyond = std::max(above, below), limit = above > below ? entry.load.upper : entry.load.lower;
    if (!(beyond > kMark * std::max(1.0, std::abs(limit)))) continue;
    std::string name;
    for (const NamedJoint& joint : model.joints) {
      const Link& link = model.tree.link(joint.link);
      if (entry.v_index >= link.v_start && entry.v_index < link.v_start + link.num_v) name = joint.name;
    }
    notes.push_back(fmt::format(
        "joint '{}' starts {:.3g} beyond its {} limit, with {:.3g} J stored there: it will be "
        "thrown back",
        name, beyond, above > below ? "upper" : "lower", 0.5 * entry.load.limit_stiffness * beyond * beyond));
  }
  return notes;
}

std::vector<std::string> find_overlapping_shapes(const Model& model) {
  constexpr std::size_t kManyShapes = 100;  // pairs grow with the square
  constexpr int kManyBodies = 200;          // of a pile the first ones tell
  constexpr double kTrace = 1e-6;           // shapes that touch share the rounding of their places
  std::vector<std::string> notes;
  int num_bodies = 0;
  for (std::size_t body = 0; body < model.scene.body.size() && notes.size() < kMost; ++body) {
    const BodySpec& spec = model.scene.body[body];
    const int link = model.link_of_body[body];
    if (spec.fixed || spec.shape.size() < 2 || spec.shape.size() > kManyShapes || (spec.mass && spec.inertia)) continue;
    if (++num_bodies > kManyBodies) break;
    std::vector<const Collider*> shapes;
    double volume = 0.0;
    for (const Collider& collider : model.colliders) {
      if (collider.link != link || !has_inside(collider) || !is_finite(collider.shape)) continue;
      shapes.push_back(&collider);
      volume += calc_volume(collider.shape);
    }
    const double common = calc_common_volume(shapes);
    if (common <= kTrace * volume) continue;
    notes.push_back(
        fmt::format("'{}': its shapes overlap by {:.3g} of their volume, which counts twice in its {}: "
                    "give mass and inertia, or shapes that only touch",
                    spec.name, common / volume, spec.mass ? "centre of mass and inertia" : "mass and inertia"));
  }
  return notes;
}

}  // namespace abut
