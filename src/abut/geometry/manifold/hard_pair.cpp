#include "abut/geometry/manifold/hard_pair.hpp"

#include <fmt/format.h>

#include "abut/geometry/manifold/contact_manifold.hpp"

namespace abut {

std::optional<PointPair> find_hard_pair(const Shape& a, const ContactSolid* solid_a, const Shape& b,
                                        const ContactSolid* solid_b) {
  if (const auto pair = find_point_pair(a, b)) return pair;
  if (solid_a == nullptr || solid_b == nullptr) return std::nullopt;
  if (solid_a->is_half_space() && solid_b->is_half_space()) return std::nullopt;
  // A plane meets the hull of whatever lies on it.
  const bool has_plane = solid_a->is_half_space() || solid_b->is_half_space();
  if (has_plane || (solid_a->is_exact() && solid_b->is_exact()))
    return PointPair{PointPairKind::kManifold, solid_a->is_half_space(), kManifoldPoints};
  if (!solid_a->is_exact() && !solid_b->is_exact()) return std::nullopt;
  return PointPair{PointPairKind::kMeshManifold, !solid_a->is_exact(), kMeshManifoldPoints};
}

std::optional<PointPair> find_hard_pair(const Shape& a, const Shape& b) {
  const auto solid_a = ContactSolid::make(a), solid_b = ContactSolid::make(b);
  return find_hard_pair(a, solid_a ? &*solid_a : nullptr, b, solid_b ? &*solid_b : nullptr);
}

std::string find_hard_obstacle(const Shape& a, const Shape& b) {
  if (find_hard_pair(a, b)) return {};
  for (const Shape* shape : {&a, &b}) {
    if (!is_finite(*shape))
      return fmt::format("a {} without end meets only spheres when nothing yields", shape_name(*shape));
    if (std::holds_alternative<CutShape>(*shape)) return "the corners of a cell with cuts are not known";
    if (std::holds_alternative<Torus>(*shape) || std::holds_alternative<Bowl>(*shape))
      return fmt::format("a {} is hollow, and meets only spheres and half-spaces when nothing yields",
                         shape_name(*shape));
  }
  return "of two meshes one must be convex";
}

}  // namespace abut
