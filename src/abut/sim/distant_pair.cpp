#include "abut/sim/distant_pair.hpp"

#include <algorithm>
#include <optional>

#include "abut/sim/convex_support.hpp"

namespace abut {

PointContact calc_distant_contact(const Collider& a, const Pose& X_a, const Collider& b, const Pose& X_b) {
  PointContact contact;
  const std::optional<SupportSolid> solid_a = find_convex_support(a.shape), solid_b = find_convex_support(b.shape);
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
