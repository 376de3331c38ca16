#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/manifold/contact_solid.hpp"
#include "abut/geometry/point_pair.hpp"
#include "abut/scene/contact_match.hpp"
#include "abut/sim/combination.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/method_row.hpp"

namespace abut {

namespace {

/// Colliders of which one answer holds: bodies that all entries treat alike, shapes that all regions treat alike.
struct ColliderKind {
  int body_class;
  std::size_t shape;
  bool is_endless, is_surface, is_static, is_hollow;

  auto tie() const { return std::tie(body_class, shape, is_endless, is_surface, is_static, is_hollow); }
  bool operator<(const ColliderKind& other) const { return tie() < other.tie(); }
};

ColliderKind find_kind(const Model& model, const Collider& collider) {
  const bool is_surface = collider.surface != nullptr;
  return {model.body_class[collider.link],
          collider.shape.index(),
          !is_surface && !is_finite(collider.shape),
          is_surface,
          collider.is_static,
          collider.solid != nullptr && !collider.solid->is_exact()};
}

/// Two colliders, one of each list, that may come to touch: of different bodies that no joint keeps from it. Pairs that
/// may not are at most as many as there are bodies, so the search is short.
std::optional<std::pair<int, int>> find_touching(const Model& model, const std::vector<int>& as,
                                                 const std::vector<int>& bs) {
  for (const int a : as) {
    for (const int b : bs) {
      const int link_a = model.colliders[a].link, link_b = model.colliders[b].link;
      if (link_a != link_b && model.find_rule(link_a, link_b).rule >= 0) return std::pair(a, b);
    }
  }
  return std::nullopt;
}

/// Shapes with curvature wherever a ball or a plane can touch them.
bool is_curved(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape);
}

/// Straight in one direction along their sides.
bool has_straight_side(const Shape& shape) { return std::holds_alternative<Capsule>(shape); }

/// Their curvature vanishes in the middle of faces, and with it Hertz's stiffness.
bool has_flat_spots(const Shape& shape) {
  return std::holds_alternative<Superquadric>(shape) || std::holds_alternative<Intersection>(shape);
}

/// Why Hertz's stiffness does not exist between the two, or nothing.
const char* find_hertz_obstacle(const Shape& a, const Shape& b) {
  if (has_flat_spots(a) || has_flat_spots(b))
    return "the curvature of a superquadric or an intersection vanishes in places";
  if (is_curved(a) || is_curved(b)) return nullptr;
  if (has_straight_side(a) && has_straight_side(b)) return nullptr;  // while they cross
  const bool is_in_cavity = std::holds_alternative<Cavity>(a) || std::holds_alternative<Cavity>(b);
  if (is_in_cavity && (has_straight_side(a) || has_straight_side(b))) return nullptr;  // it touches with its ends
  if (std::holds_alternative<Torus>(a) || std::holds_alternative<Torus>(b))
    return "a torus that lies on a flat face touches it along a ring, where Hertz's point contact has no stiffness";
  if (has_straight_side(a) || has_straight_side(b))
    return "a capsule that lies on a flat face touches it along a line, where Hertz's point contact has no stiffness";
  return "neither is curved like a sphere, an ellipsoid or a capsule where they touch";
}

void check_pair(const SceneSpec& scene, const Model& model, const Collider& a, const Collider& b) {
  const RuleMatch match = model.find_rule(a.link, b.link);
  const ContactRule& rule = model.rules[match.rule];
  const auto found = find_contact(scene, model.body_name(a.link), model.body_name(b.link));
  const SourceLocation& where = found->settings->where;
  const ContactRegion region = found->settings->region;
  const ContactMethod method = scene.run.method;
  const std::string pair_text = fmt::format("'{}' ({}) and '{}' ({})", model.body_name(a.link), shape_name(a.shape),
                                            model.body_name(b.link), shape_name(b.shape));
  const CombinationSide side_a{a.shape, a.surface == nullptr}, side_b{b.shape, b.surface == nullptr};
  if (const std::string obstacle = find_obstacle(side_a, side_b, region, method); !obstacle.empty()) {
    fail_at(where,
            fmt::format("no contact is possible between {} with region = \"{}\" and method = \"{}\": {}.\n{}, or "
                        "exclude the pair with an entry that has enabled = false.\nNothing was run.",
                        pair_text, enum_name(region), enum_name(method), obstacle,
                        suggest_instead(side_a, side_b, region, method)));
  }
  if (const auto find_setting_obstacle = method_row(method).find_setting_obstacle) {
    if (const std::string obstacle = find_setting_obstacle(scene, a.shape, b.shape); !obstacle.empty())
      fail_at(where, fmt::format("no contact is possible between {} {}.\nNothing was run.", pair_text, obstacle));
  }
  if (!rule.traits().is_law_of_depth || !rule.contact_modulus) return;
  if (const char* obstacle = find_hertz_obstacle(a.shape, b.shape)) {
    fail_at(where, fmt::format("the stiffness between {} cannot follow from young and poisson: {}. Give stiffness.\n"
                               "Nothing was run.",
                               pair_text, obstacle));
  }
}

}  // namespace

void check_pairs(const SceneSpec& scene, const Model& model) {
  std::map<ColliderKind, std::vector<int>> kinds;
  for (int i = 0; i < static_cast<int>(model.colliders.size()); ++i)
    kinds[find_kind(model, model.colliders[i])].push_back(i);
  for (auto a = kinds.begin(); a != kinds.end(); ++a) {
    for (auto b = a; b != kinds.end(); ++b) {
      if (a->first.is_static && b->first.is_static) continue;
      if (model.class_rules[a->first.body_class][b->first.body_class].rule < 0) continue;
      if (const auto pair = find_touching(model, a->second, b->second))
        check_pair(scene, model, model.colliders[pair->first], model.colliders[pair->second]);
    }
  }
  check_fits(scene, model);
}

}  // namespace abut
