#include "abut/sim/enclosed.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/geometry/broad_phase.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/volume/solid_probe.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/compile_parts.hpp"

namespace abut {

namespace {

constexpr double kSuspiciousSize = 5.0;  ///< of a mesh [m]; files in millimetres are a thousand times too large

/// Whether some point sticks out of the box about a shape, for certain: then it is not in the shape either, which costs
/// a hundred times as much to ask.
bool sticks_out(const std::vector<Vec3>& points, const Pose& X, const Collider& outer, const Pose& X_outer) {
  const Aabb box = calc_aabb(outer.shape, X_outer);
  const double slack = 1e-9 * (box.upper - box.lower).cwiseAbs().maxCoeff();  // far above rounding of either
  return std::any_of(points.begin(), points.end(), [&](const Vec3& point) {
    const Vec3 p = X * point;
    return ((p - box.upper).array() > slack).any() || ((box.lower - p).array() > slack).any();
  });
}

/// Whether the inner one's surface lies in the outer one, by a few of its corners: bodies laid flush on each other have
/// some of them in common.
bool is_around(const Collider& outer, const Pose& X_outer, const Collider& inner, const Pose& X_inner) {
  if (!has_inside(outer) || inner.surface == nullptr || inner.surface->vertices().empty()) return false;
  constexpr std::size_t kFew = 64;
  const auto& vertices = inner.surface->vertices();
  const std::size_t stride = 1 + vertices.size() / kFew;
  const auto smooth = find_implicit_surface(outer.shape);
  if (!smooth && sticks_out({vertices[0]}, X_inner, outer, X_outer)) return false;
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

namespace {

/// Whether all of a bounded shape lies in another one, by corners and points of its surface.
bool is_wholly_inside(const Collider& inner, const Pose& X_inner, const Collider& outer, const Pose& X_outer) {
  if (!std::isfinite(inner.bounding_radius)) return false;
  if (const auto* half_space = std::get_if<HalfSpace>(&outer.shape)) {
    const Vec3 normal = X_outer.R * half_space->normal;
    // Its lowest point is that of the shape turned upside down.
    const Mat3 level = Quat::FromTwoVectors(normal, Vec3::UnitZ()).toRotationMatrix();
    const double top = calc_aabb(inner.shape, {level * X_inner.R, Vec3::Zero()}).upper.z();
    return normal.dot(X_inner.p - X_outer.p) - half_space->offset + top < 0.0;
  }
  if (!has_inside(outer) || !std::isfinite(outer.bounding_radius)) return false;
  // Most of the pairs that touch: the frame of these is in their middle.
  const bool is_about_origin = std::holds_alternative<Sphere>(inner.shape) ||
                               std::holds_alternative<Box>(inner.shape) ||
                               std::holds_alternative<Cylinder>(inner.shape);
  if ((X_inner.p - X_outer.p).norm() > outer.bounding_radius + (is_about_origin ? 0.0 : inner.bounding_radius))
    return false;
  ShapeMeshOptions coarse;
  coarse.num_segments = 12;
  try {
    const std::vector<Vec3> points = std::holds_alternative<Mesh>(inner.shape) && inner.surface != nullptr
                                         ? inner.surface->vertices()
                                         : make_shape_mesh(inner.shape, coarse).vertices;
    if (points.empty() || sticks_out(points, X_inner, outer, X_outer)) return false;
    SolidProbe probe(outer.shape, X_outer);
    return std::all_of(points.begin(), points.end(), [&](const Vec3& p) { return probe.holds(X_inner * p, 0.0); });
  } catch (const InputError&) {
    return false;  // shapes made by cutting others, whose surface is not at hand
  }
}

/// Colliders and where they start.
class StartPoses {
 public:
  explicit StartPoses(const Model& model) : model_(model) {
    start_.resize(model.tree);
    calc_kinematics(model.tree, model.q0, model.v0, start_);
  }
  Pose operator()(const Collider& collider) const { return calc_collider_pose(collider, start_.X_WB[collider.link]); }

  /// Pairs whose boxes overlap, and all with half-spaces.
  BroadPhase::Pairs list_near() const {
    std::vector<Aabb> boxes;
    std::vector<unsigned char> is_static;
    for (const Collider& collider : model_.colliders) {
      boxes.push_back(collider.surface != nullptr ? make_box(collider) : calc_aabb(collider.shape, (*this)(collider)));
      is_static.push_back(collider.is_static ? 1 : 0);
    }
    BroadPhase::Pairs pairs;
    BroadPhase().find_pairs(boxes, is_static, pairs);
    return pairs;
  }

 private:
  Aabb make_box(const Collider& collider) const {
    const Vec3 radius = Vec3::Constant(collider.bounding_radius), p = (*this)(collider).p;
    return {p - radius, p + radius};
  }

  const Model& model_;
  Kinematics start_;
};

/// Whether each shape of a link is wholly inside some shape of another.
bool is_link_inside(const Model& model, const StartPoses& poses, int inner, int outer) {
  const auto is_of = [](int link) { return [link](const Collider& collider) { return collider.link == link; }; };
  const auto is_in = [&](const Collider& one) {
    return std::any_of(model.colliders.begin(), model.colliders.end(), [&](const Collider& other) {
      return is_of(outer)(other) && is_wholly_inside(one, poses(one), other, poses(other));
    });
  };
  return std::all_of(model.colliders.begin(), model.colliders.end(),
                     [&](const Collider& one) { return !is_of(inner)(one) || is_in(one); });
}

std::optional<std::string> describe_buried(const Model& model, const StartPoses& poses, const Collider& a,
                                           const Collider& b) {
  for (const auto& [inner, outer] : {std::pair(&a, &b), {&b, &a}}) {
    if (!is_wholly_inside(*inner, poses(*inner), *outer, poses(*outer)) ||
        !is_link_inside(model, poses, inner->link, outer->link))
      continue;
    return fmt::format("{} starts wholly inside {}: contact cannot tell on which side it belongs.{}",
                       describe_size(model, *inner), describe_size(model, *outer), suggest_scale(model, a, b));
  }
  return std::nullopt;
}

}  // namespace

void check_enclosed(const SceneSpec& scene, const Model& model) {
  const StartPoses poses(model);
  for (const auto& [i, j] : poses.list_near()) {
    const Collider &a = model.colliders[i], &b = model.colliders[j];
    if (a.link == b.link || (a.is_static && b.is_static)) continue;
    const RuleMatch match = model.find_rule(a.link, b.link);
    if (match.rule < 0) continue;
    std::optional<std::string> text;
    if (!region_traits(match.region).sees_surfaces_only) {
      text = describe_buried(model, poses, a, b);
    } else if (a.surface != nullptr && b.surface != nullptr && !are_apart(a, poses(a), b, poses(b)) &&
               MeshCrossing().calc(*a.surface, *b.surface, poses(a).inverse() * poses(b)).empty()) {
      text = describe_enclosed(model, a, poses(a), b, poses(b), "starts");
    }
    if (!text) continue;
    const auto found = find_contact(scene, model.body_name(a.link), model.body_name(b.link));
    fail_at(found->settings->where,
            fmt::format("{}\nBegin with them apart or touching, or exclude the pair with an entry that has enabled = "
                        "false.\nNothing was run.",
                        *text));
  }
}

}  // namespace abut
