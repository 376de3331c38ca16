#include "abut/sim/distant_pair.hpp"

#include <algorithm>
#include <optional>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/support_distance.hpp"

namespace abut {

namespace {

std::optional<SupportSolid> make_support(const Shape& shape) {
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) return SupportSolid(*polyhedron->solid);
  try {
    return SupportSolid(shape);
  } catch (const InputError&) {
    return std::nullopt;  // not convex
  }
}

}  // namespace

PointContact calc_distant_contact(const Collider& a, const Pose& X_a, const Collider& b, const Pose& X_b) {
  PointContact contact;
  const std::optional<SupportSolid> solid_a = make_support(a.shape), solid_b = make_support(b.shape);
  if (solid_a && solid_b) {
    SeparationMemory memory;
    const Separation apart = calc_separation(*solid_a, X_a, *solid_b, X_b, memory);
    contact.gap = apart.distance;
    contact.normal = apart.normal;
    contact.point = 0.5 * (apart.point_a + apart.point_b);
    return contact;
  }
  const Vec3 way = X_a.p - X_b.p;
  contact.gap = std::max(0.0, way.norm() - a.bounding_radius - b.bounding_radius);
  contact.normal = way.normalized();
  contact.point = 0.5 * (X_a.p + X_b.p);
  return contact;
}

}  // namespace abut
