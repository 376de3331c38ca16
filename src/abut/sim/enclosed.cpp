#include "abut/sim/enclosed.hpp"

#include <cmath>

#include <fmt/format.h>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/volume/solid_probe.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {

namespace {

constexpr double kSuspiciousSize = 5.0;  ///< of a mesh [m]; files in millimetres are a thousand times too large

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

bool are_apart(const Collider& a, const Pose& X_a, const Collider& b, const Pose& X_b) {
  const double reach = a.bounding_radius + b.bounding_radius;
  return std::isfinite(reach) && (X_a.p - X_b.p).norm() > reach;
}

}  // namespace

bool has_inside(const Collider& collider) {
  const auto* mesh = std::get_if<Mesh>(&collider.shape);
  return mesh == nullptr || mesh->solid != nullptr;
}

std::optional<std::string> describe_enclosed(const Model& model, const Collider& a, const Pose& X_a, const Collider& b,
                                             const Pose& X_b, const char* verb) {
  const bool is_a_around = is_around(a, X_a, b, X_b);
  if (!is_a_around && !is_around(b, X_b, a, X_a)) return std::nullopt;
  return fmt::format(
      "{} {} inside {}: their surfaces do not cross, so that perimeter contact sees nothing and they pass "
      "through each other.{}",
      describe_size(model, is_a_around ? b : a), verb, describe_size(model, is_a_around ? a : b),
      suggest_scale(model, a, b));
}

void check_enclosed(const SceneSpec& scene, const Model& model) {
  Kinematics start;
  start.resize(model.tree);
  calc_kinematics(model.tree, model.q0, model.v0, start);
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Collider &a = model.colliders[i], &b = model.colliders[j];
      if (a.surface == nullptr || b.surface == nullptr || a.link == b.link || (a.is_static && b.is_static)) continue;
      const Pose X_a = calc_collider_pose(a, start.X_WB[a.link]), X_b = calc_collider_pose(b, start.X_WB[b.link]);
      if (are_apart(a, X_a, b, X_b)) continue;
      const RuleMatch match = model.find_rule(a.link, b.link);
      if (match.rule < 0 || !match.is_perimeter) continue;
      MeshCrossing crossing;
      if (!crossing.calc(*a.surface, *b.surface, X_a.inverse() * X_b).empty()) continue;
      const auto text = describe_enclosed(model, a, X_a, b, X_b, "starts");
      if (!text) continue;
      const auto found = find_contact(scene, model.body_name(a.link), model.body_name(b.link));
      fail_at(found->settings->where,
              fmt::format("{}\nBegin with them apart or touching, or exclude the pair with an entry that has enabled = "
                          "false.\nNothing was run.",
                          *text));
    }
  }
}

}  // namespace abut
