#include "abut/geometry/volume/hole_distance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {
namespace {

/// Largest distance of a convex solid's points from an axis through p along unit `axis`; from p itself where `axis` is
/// zero. Climbs from many directions, since a convex solid may have several farthest points; for solids without
/// features, since near the axis of a hole the climb takes hundreds of steps [m].
double calc_farthest(const SupportSolid& a, const Pose& X_WA, const Vec3& p, const Vec3& axis) {
  const auto across = [&](const Vec3& v) { return Vec3(v - axis * axis.dot(v)); };
  double farthest = 0.0;
  for (int k = 0; k < 26; ++k) {
    const int code = k < 13 ? k : k + 1;  // all of {-1, 0, 1}^3 but the origin
    Vec3 direction = across(Vec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1));
    if (direction.norm() < 1e-6) continue;
    double distance = -1.0;
    for (int iteration = 0; iteration < 200; ++iteration) {
      direction.normalize();
      const Vec3 arm = across(Vec3(X_WA * a.calc_support(Vec3(X_WA.R.transpose() * direction)) - p));
      const double next = arm.norm();
      if (next <= distance * (1.0 + 1e-14)) break;
      distance = next;
      if (next > 0.0) direction = arm;
    }
    farthest = std::max(farthest, distance);
  }
  return farthest + a.margin();
}

/// Distance of a convex solid inside a cone (apex at p, opening downwards) from what lies outside of it. The farthest
/// point has the largest r + k z; climbed to from several sides, as calc_farthest() does [m].
double calc_cone_distance(const SupportSolid& a, const Pose& X_WA, double k, const Pose& X_WB) {
  constexpr int kNumSides = 16;
  const Vec3 axis = X_WB.R.col(2);
  double largest = -std::numeric_limits<double>::infinity();
  for (int side = 0; side < kNumSides; ++side) {
    const double angle = 2.0 * std::numbers::pi * side / kNumSides;
    Vec3 across = std::cos(angle) * X_WB.R.col(0) + std::sin(angle) * X_WB.R.col(1);
    double reached = -std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 200; ++iteration) {
      const Vec3 direction = (across + k * axis).normalized();
      const Vec3 arm = X_WA * a.calc_support(Vec3(X_WA.R.transpose() * direction)) - X_WB.p;
      const Vec3 radial = arm - axis * axis.dot(arm);
      const double next = radial.norm() + k * axis.dot(arm);
      if (next <= reached + 1e-14 * std::abs(reached)) break;
      reached = next;
      if (radial.norm() > 0.0) across = radial.normalized();
    }
    largest = std::max(largest, reached);
  }
  return -largest / std::sqrt(1.0 + k * k) - a.margin();
}

/// Whether some part that the cell is made of ends below the plane direction . x = offset (frame of the cell).
bool ends_below(const std::vector<CellPart>& parts, const Vec3& direction, double offset) {
  return std::any_of(parts.begin(), parts.end(), [&](const CellPart& part) {
    if (part.is_complement || !is_bounded_convex(part.shape)) return false;
    return calc_extent(make_support(part.shape), part.X_SP, direction) <= offset;
  });
}

}  // namespace

bool is_bounded_convex(const Shape& shape) {
  const bool is_hollow = std::holds_alternative<Mesh>(shape) || std::holds_alternative<CutShape>(shape) ||
                         std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape);
  return is_finite(shape) && !is_hollow;
}

SupportSolid make_support(const Shape& shape) {
  const auto* polyhedron = std::get_if<Polyhedron>(&shape);
  return polyhedron != nullptr ? SupportSolid(*polyhedron->solid) : SupportSolid(shape);
}

double calc_extent(const SupportSolid& solid, const Pose& X_WS, const Vec3& direction) {
  const Vec3 own = X_WS.R.transpose() * direction;
  return direction.dot(X_WS * solid.calc_support(own)) + solid.margin();
}

double calc_inside_distance(const SupportSolid& a, const ExtremeFeatures* features, const Pose& X_WA, const Shape& hole,
                            const Pose& X_WB) {
  const Vec3 axis = X_WB.R.col(2);
  const auto from_plane = [&](const Vec3& n, double offset) { return offset - calc_extent(a, X_WA, n); };
  if (const auto* sphere = std::get_if<Sphere>(&hole)) {
    return sphere->radius - (features != nullptr ? calc_farthest_from_origin(*features, X_WB.inverse() * X_WA)
                                                 : calc_farthest(a, X_WA, X_WB.p, Vec3::Zero()));
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&hole)) {
    double distance =
        cylinder->radius - (features != nullptr ? calc_farthest_from_axis(*features, X_WB.inverse() * X_WA)
                                                : calc_farthest(a, X_WA, X_WB.p, axis));
    if (std::isfinite(cylinder->half_length)) {
      distance = std::min({distance, from_plane(axis, axis.dot(X_WB.p) + cylinder->half_length),
                           from_plane(-axis, -axis.dot(X_WB.p) + cylinder->half_length)});
    }
    return distance;
  }
  if (const auto* cone = std::get_if<Cone>(&hole)) {
    const double slope = std::tan(cone->half_angle);
    const double wall = features != nullptr ? -calc_farthest_from_cone(*features, X_WB.inverse() * X_WA, slope) /
                                                      std::hypot(1.0, slope) -
                                                  features->margin
                                            : calc_cone_distance(a, X_WA, slope, X_WB);
    if (!std::isfinite(cone->height)) return wall;
    return std::min(wall, from_plane(-axis, -axis.dot(X_WB.p) + cone->height));
  }
  std::vector<Plane> planes;
  if (const auto* box = std::get_if<Box>(&hole)) planes = make_box_polyhedron(box->half_size).planes();
  if (const auto* polyhedron = std::get_if<Polyhedron>(&hole)) planes = polyhedron->solid->planes();
  if (const auto* plane = std::get_if<HalfSpace>(&hole)) planes = {{plane->normal, plane->offset}};
  if (const auto* wedge = std::get_if<Wedge>(&hole)) planes = {{wedge->normal_1, 0.0}, {wedge->normal_2, 0.0}};
  if (planes.empty()) return kUnknownDistance;
  double least = std::numeric_limits<double>::infinity();
  for (const Plane& plane : planes) {
    const Vec3 n = X_WB.R * plane.normal;
    least = std::min(least, from_plane(n, n.dot(X_WB.p) + plane.offset));
  }
  return least;
}

void open_hole(const std::vector<CellPart>& parts, CellPart& hole) {
  constexpr double kFar = 1e3;  // of its own length
  const Vec3 axis = hole.X_SP.R.col(2);
  if (auto* cone = std::get_if<Cone>(&hole.shape); cone != nullptr && std::isfinite(cone->height)) {
    if (ends_below(parts, -axis, -axis.dot(hole.X_SP.p) + cone->height)) cone->height *= kFar;
    return;
  }
  auto* cylinder = std::get_if<Cylinder>(&hole.shape);
  if (cylinder == nullptr || !std::isfinite(cylinder->half_length)) return;
  const double half = cylinder->half_length, longer = kFar * (half + cylinder->radius);
  const double up = ends_below(parts, axis, axis.dot(hole.X_SP.p) + half) ? longer : 0.0;
  const double down = ends_below(parts, -axis, -axis.dot(hole.X_SP.p) + half) ? longer : 0.0;
  cylinder->half_length = half + 0.5 * (up + down);
  hole.X_SP.p += 0.5 * (up - down) * axis;
}

std::vector<LeadInHole> list_lead_ins(const Shape& shape) {
  std::vector<LeadInHole> holes;
  const auto* cell = std::get_if<CutShape>(&shape);
  if (cell == nullptr) return holes;
  const std::vector<CellPart>& parts = cell->parts->list;
  for (const CellPart& wide : parts) {
    const auto* cone = std::get_if<Cone>(&wide.shape);
    if (cone == nullptr || !wide.is_complement) continue;
    const Vec3 up = -wide.X_SP.R.col(2);
    if (std::isfinite(cone->height) && !ends_below(parts, up, up.dot(wide.X_SP.p) + cone->height)) continue;
    for (CellPart bore : parts) {
      if (bore.is_complement) open_hole(parts, bore);
      if (const std::optional<LeadInHole> hole = find_lead_in(bore, wide)) holes.push_back(*hole);
    }
  }
  return holes;
}

}  // namespace abut
