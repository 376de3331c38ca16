#include "abut/geometry/volume/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/volume/trig_quadratic.hpp"

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Largest n . x over the cell, or a bound of it.
double calc_cell_support(const Cell& cell, const Vec3& n) {
  double support = cell.hull.calc_support(n);
  for (const Quadric& quadric : cell.region.quadrics) support = std::min(support, calc_support(quadric, n));
  for (const RegionPlane& plane : cell.region.planes) {
    if (plane.normal.dot(n) > 1.0 - 1e-15) support = std::min(support, plane.offset);
  }
  return support;
}

/// Largest squared length of c + a cos x + b sin x.
double calc_largest_squared(const Vec3& c, const Vec3& a, const Vec3& b) {
  const double aa = a.squaredNorm(), bb = b.squaredNorm();
  const TrigQuadratic h{c.squaredNorm() + 0.5 * (aa + bb), 2.0 * c.dot(a), 2.0 * c.dot(b), 0.5 * (aa - bb), a.dot(b)};
  const CirclePoints extrema = find_extrema(h, 0.0);
  double largest = extrema.count == 0 ? h.a0 : 0.0;
  for (int k = 0; k < extrema.count; ++k) largest = std::max(largest, h.value(extrema.at[k]));
  return largest;
}

/// Largest distance of the hull from the axis of a cylinder (flatten = 0) or the centre of a ball (flatten = 1): of the
/// point with its component along the axis multiplied by `flatten`.
double calc_largest_distance(const CellHull& hull, const Pose& X_hole, double flatten) {
  const Pose X = X_hole.inverse() * hull.X;
  const Vec3 scale(1.0, 1.0, flatten);
  double largest = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0, (corner & 4) != 0 ? 1.0 : -1.0);
    const Vec3 center = scale.cwiseProduct(X * Vec3(sign.cwiseProduct(hull.half_size)));
    const double radius = sign.z() < 0.0 ? hull.lower_disc : hull.upper_disc;
    const Vec3 a = radius * scale.cwiseProduct(X.R.col(0)), b = radius * scale.cwiseProduct(X.R.col(1));
    largest = std::max(largest, calc_largest_squared(center, a, b));
  }
  return std::sqrt(largest) + hull.ball_radius;
}

/// Room that the cell has inside a hole, negative when it may reach the wall.
double calc_room(const Cell& cell, const Quadric& hole) {
  if (!cell.hull.is_bounded()) return -kInfinity;
  if (hole.kind == QuadricKind::cylinder) return hole.size.x() - calc_largest_distance(cell.hull, hole.X, 0.0);
  if (hole.is_sphere()) return hole.size.x() - calc_largest_distance(cell.hull, hole.X, 1.0);
  return -kInfinity;
}

/// Gaps that faces of `a` leave to `b`.
double calc_one_sided(const Cell& a, const Cell& b) {
  double gap = -kInfinity;
  for (const RegionPlane& plane : a.region.planes) {
    gap = std::max(gap, -calc_cell_support(b, -plane.normal) - plane.offset);
  }
  for (const Quadric& quadric : a.region.quadrics) {
    if (quadric.is_complement) gap = std::max(gap, calc_room(b, quadric));
  }
  return gap;
}

}  // namespace

double calc_cell_separation(const Cell& a, const Cell& b) {
  double gap = std::max(calc_one_sided(a, b), calc_one_sided(b, a));
  const Vec3 between = a.hull.X.p - b.hull.X.p;
  const double distance = between.norm();
  if (distance > 0.0 && a.hull.is_bounded() && b.hull.is_bounded()) {
    const Vec3 n = between / distance;
    gap = std::max(gap, -calc_cell_support(a, -n) - calc_cell_support(b, n));
  }
  return gap;
}

double calc_ball_separation(const Vec3& center, double radius, const Solid& solid) {
  double distance = -kInfinity;
  for (const SolidPart& part : solid.parts) {
    const Vec3 p = part.X_SP.inverse() * center;
    const double outside = calc_signed_distance(std::get<Shape>(part.primitive), p).distance;
    distance = std::max(distance, part.is_complement ? -outside : outside);
  }
  return distance - radius;
}

bool has_only_shapes(const Solid& solid) {
  return std::all_of(solid.parts.begin(), solid.parts.end(),
                     [](const SolidPart& part) { return std::holds_alternative<Shape>(part.primitive); });
}

}  // namespace abut
