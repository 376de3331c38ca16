#include "abut/contact/region/endless_shift.hpp"

#include <cmath>
#include <variant>

namespace abut {

namespace {

Vec3 calc_shift_along(const Vec3& axis, const Vec3& place) {
  return (kEndlessField * std::round(axis.dot(place) / kEndlessField)) * axis;
}

}  // namespace

Vec3 calc_endless_shift(const Shape& shape, const Vec3& place) {
  if (is_finite(shape)) return Vec3::Zero();
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    const Vec3 u = any_perpendicular(plane->normal), v = plane->normal.cross(u);
    return calc_shift_along(u, place) + calc_shift_along(v, place);
  }
  if (const auto* wedge = std::get_if<Wedge>(&shape)) {
    const Vec3 edge = wedge->normal_1.cross(wedge->normal_2);
    return edge.norm() > 0.0 ? calc_shift_along(edge.normalized(), place) : Vec3(Vec3::Zero());
  }
  if (std::holds_alternative<Bore>(shape) || std::holds_alternative<Cylinder>(shape))
    return calc_shift_along(Vec3::UnitZ(), place);
  return Vec3::Zero();
}

}  // namespace abut
