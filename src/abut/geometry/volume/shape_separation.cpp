#include "abut/geometry/volume/shape_separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {
namespace {

constexpr double kUnknown = -std::numeric_limits<double>::infinity();
/// Endless shapes are cut off this many radii of the other one away from it.
constexpr double kReach = 8.0;

struct Ball {
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 0.0;         ///< [m]
};

/// About a bounded shape, world frame.
Ball calc_ball(const Shape& shape, const Pose& X_WS) {
  const Aabb box = calc_aabb(shape, X_WS);
  return {0.5 * (box.lower + box.upper), 0.5 * (box.upper - box.lower).norm()};
}

bool is_bounded_convex(const Shape& shape) {
  const bool is_hollow = std::holds_alternative<Mesh>(shape) || std::holds_alternative<CutShape>(shape) ||
                         std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape);
  return is_finite(shape) && !is_hollow;
}

SupportSolid make_support(const Shape& shape) {
  const auto* polyhedron = std::get_if<Polyhedron>(&shape);
  return polyhedron != nullptr ? SupportSolid(*polyhedron->solid) : SupportSolid(shape);
}

/// Farthest extent of a solid along a unit direction, from the world origin [m].
double calc_extent(const SupportSolid& solid, const Pose& X_WS, const Vec3& direction) {
  const Vec3 own = X_WS.R.transpose() * direction;
  return direction.dot(X_WS * solid.calc_support(own)) + solid.margin();
}

double calc_plane_distance(const SupportSolid& a, const Pose& X_WA, const Vec3& n, double offset) {
  return -calc_extent(a, X_WA, Vec3(-n)) - offset;
}

/// The part of an endless bar or cone that lies near `ball`: a bounded shape and its pose.
struct NearPart {
  Shape shape;
  Pose X_WS;
};
std::optional<NearPart> make_near_part(const Shape& shape, const Pose& X_WS, const Ball& ball) {
  const Vec3 axis = X_WS.R.col(2);
  const double along = axis.dot(ball.center - X_WS.p);
  const double reach = kReach * ball.radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape); cylinder != nullptr && !is_finite(shape)) {
    return NearPart{Cylinder{cylinder->radius, reach}, Pose(X_WS.R, X_WS.p + along * axis)};
  }
  if (const auto* cone = std::get_if<Cone>(&shape); cone != nullptr && !is_finite(shape)) {
    return NearPart{Cone{cone->half_angle, std::max(0.0, -along) + reach}, X_WS};
  }
  return std::nullopt;
}

/// Distance of a convex solid from a wedge. Beside the faces that of the nearer plane; over the edge, that of a piece
/// of the wedge about as large as the solid.
double calc_wedge_distance(const SupportSolid& a, const Pose& X_WA, const Ball& ball, const Wedge& wedge,
                           const Pose& X_WB, SeparationMemory& memory) {
  const Vec3 n1 = X_WB.R * wedge.normal_1, n2 = X_WB.R * wedge.normal_2;
  const double h1 = calc_plane_distance(a, X_WA, n1, n1.dot(X_WB.p));
  const double h2 = calc_plane_distance(a, X_WA, n2, n2.dot(X_WB.p));
  const Vec3 cross = n1.cross(n2);
  const double largest = std::max(h1, h2);
  if (cross.norm() < 1e-9) return largest;
  const Vec3 edge = cross.normalized();
  const Vec3 foot = X_WB.p + edge * edge.dot(ball.center - X_WB.p);
  const double from_edge = (ball.center - foot).norm();
  if (from_edge > 40.0 * ball.radius) return largest;
  const double reach = from_edge + kReach * ball.radius;
  Vec3 t1 = n1.cross(edge), t2 = n2.cross(edge);
  if (t1.dot(n2) > 0.0) t1 = -t1;
  if (t2.dot(n1) > 0.0) t2 = -t2;
  std::vector<Vec3> corners;
  for (const double s : {-reach, reach}) {
    for (const Vec3& p : {Vec3(Vec3::Zero()), Vec3(reach * t1), Vec3(reach * t2), Vec3(reach * (t1 + t2))})
      corners.push_back(s * edge + p);
  }
  const ConvexPolyhedron piece = make_convex_hull(corners);
  return calc_separation(a, X_WA, SupportSolid(piece), Pose(Mat3::Identity(), foot), memory).distance;
}

/// Largest distance of a convex solid's points from an axis through p along unit `axis`; from p itself where `axis` is
/// zero. Climbs from many directions, since a convex solid may have several farthest points [m].
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

/// Distance of a convex solid inside a shape from what lies outside of it; kUnknown where there is no formula.
double calc_inside_distance(const SupportSolid& a, const Pose& X_WA, const Shape& hole, const Pose& X_WB) {
  const Vec3 axis = X_WB.R.col(2);
  const auto from_plane = [&](const Vec3& n, double offset) { return offset - calc_extent(a, X_WA, n); };
  if (const auto* sphere = std::get_if<Sphere>(&hole))
    return sphere->radius - calc_farthest(a, X_WA, X_WB.p, Vec3::Zero());
  if (const auto* cylinder = std::get_if<Cylinder>(&hole)) {
    double distance = cylinder->radius - calc_farthest(a, X_WA, X_WB.p, axis);
    if (std::isfinite(cylinder->half_length)) {
      distance = std::min({distance, from_plane(axis, axis.dot(X_WB.p) + cylinder->half_length),
                           from_plane(-axis, -axis.dot(X_WB.p) + cylinder->half_length)});
    }
    return distance;
  }
  if (const auto* cone = std::get_if<Cone>(&hole)) {
    const double wall = calc_cone_distance(a, X_WA, std::tan(cone->half_angle), X_WB);
    if (!std::isfinite(cone->height)) return wall;
    return std::min(wall, from_plane(-axis, -axis.dot(X_WB.p) + cone->height));
  }
  std::vector<Plane> planes;
  if (const auto* box = std::get_if<Box>(&hole)) planes = make_box_polyhedron(box->half_size).planes();
  if (const auto* polyhedron = std::get_if<Polyhedron>(&hole)) planes = polyhedron->solid->planes();
  if (const auto* plane = std::get_if<HalfSpace>(&hole)) planes = {{plane->normal, plane->offset}};
  if (const auto* wedge = std::get_if<Wedge>(&hole)) planes = {{wedge->normal_1, 0.0}, {wedge->normal_2, 0.0}};
  if (planes.empty()) return kUnknown;
  double least = std::numeric_limits<double>::infinity();
  for (const Plane& plane : planes) {
    const Vec3 n = X_WB.R * plane.normal;
    least = std::min(least, from_plane(n, n.dot(X_WB.p) + plane.offset));
  }
  return least;
}

/// Whether some part that the cell is made of ends below the plane direction . x = offset (frame of the cell).
bool ends_below(const std::vector<CellPart>& parts, const Vec3& direction, double offset) {
  return std::any_of(parts.begin(), parts.end(), [&](const CellPart& part) {
    if (part.is_complement || !is_bounded_convex(part.shape)) return false;
    return calc_extent(make_support(part.shape), part.X_SP, direction) <= offset;
  });
}

/// A hole that leads out of the cell has no end there: what sticks out of its mouth is not beyond anything. The hole is
/// made longer on that side, by more than anything could stick out.
void open_hole(const std::vector<CellPart>& parts, CellPart& hole) {
  constexpr double kFar = 1e3;  // of its own length
  auto* cylinder = std::get_if<Cylinder>(&hole.shape);
  if (cylinder == nullptr || !std::isfinite(cylinder->half_length)) return;
  const Vec3 axis = hole.X_SP.R.col(2);
  const double half = cylinder->half_length, longer = kFar * (half + cylinder->radius);
  const double up = ends_below(parts, axis, axis.dot(hole.X_SP.p) + half) ? longer : 0.0;
  const double down = ends_below(parts, -axis, -axis.dot(hole.X_SP.p) + half) ? longer : 0.0;
  cylinder->half_length = half + 0.5 * (up + down);
  hole.X_SP.p += 0.5 * (up - down) * axis;
}

/// What is empty of a shape that is all around it; nothing for others.
std::optional<Shape> find_hole(const Shape& shape) {
  if (const auto* bore = std::get_if<Bore>(&shape)) return Cylinder{bore->radius};
  if (const auto* cavity = std::get_if<Cavity>(&shape)) return Sphere{cavity->radius};
  return std::nullopt;
}

std::vector<CellPart> list_parts(const Shape& shape) {
  const auto* cell = std::get_if<CutShape>(&shape);
  if (cell == nullptr) return {{shape, Pose(), false}};
  std::vector<CellPart> parts = cell->parts->list;
  for (CellPart& part : parts) {
    if (part.is_complement) open_hole(cell->parts->list, part);
  }
  return parts;
}

}  // namespace

Separator::Separator(const Shape& a, const Shape& b) : a_(a), b_(b), parts_a_(list_parts(a)), parts_b_(list_parts(b)) {}

SeparationBound Separator::calc_pair(const Shape& a, const Pose& X_WA, bool is_outside_a, const Shape& b,
                                     const Pose& X_WB, bool is_outside_b) {
  if (is_outside_a && is_outside_b) return {kUnknown, false};
  if (is_outside_a || !is_bounded_convex(a)) {
    if (is_outside_b || !is_bounded_convex(b)) return {kUnknown, false};
    return calc_pair(b, X_WB, false, a, X_WA, is_outside_a);
  }
  const SupportSolid solid = make_support(a);
  const std::optional<Shape> around = find_hole(b);
  if (is_outside_b != around.has_value()) return {calc_inside_distance(solid, X_WA, around ? *around : b, X_WB), true};
  if (around) return calc_pair(a, X_WA, false, *around, X_WB, false);
  if (const auto* plane = std::get_if<HalfSpace>(&b)) return {calc_separation(solid, X_WA, *plane, X_WB), true};
  const Ball ball = calc_ball(a, X_WA);
  if (const auto* wedge = std::get_if<Wedge>(&b))
    return {calc_wedge_distance(solid, X_WA, ball, *wedge, X_WB, memory_), true};
  if (const auto part = make_near_part(b, X_WB, ball))
    return {calc_separation(solid, X_WA, make_support(part->shape), part->X_WS, memory_).distance, true};
  if (!is_bounded_convex(b)) return {kUnknown, false};
  return {calc_separation(solid, X_WA, make_support(b), X_WB, memory_).distance, true};
}

/// A mesh and a convex shape that is not one: exact for a ball; for others, the planes of the boxes about the mesh tell
/// only when they are well apart.
SeparationBound Separator::calc_meshes(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const auto* mesh = std::get_if<Mesh>(&a);
  if (mesh == nullptr) return calc_meshes(b, X_WB, a, X_WA);
  if (const auto* sphere = std::get_if<Sphere>(&b)) {
    const Vec3 center = X_WA.inverse() * X_WB.p;
    const double distance =
        find_closest_point(mesh->solid->mesh().data(), mesh->solid->tree(), center, scratch_).pair.distance;
    return {is_inside(*mesh->solid, center, scratch_) ? 0.0 : distance - sphere->radius, true};
  }
  const Aabb& bounds = mesh->solid->bounds();
  const Pose X_WBox(X_WA.R, X_WA * Vec3(0.5 * (bounds.lower + bounds.upper)));
  const SeparationBound bound = calc_pair(Box{0.5 * (bounds.upper - bounds.lower)}, X_WBox, false, b, X_WB, false);
  return {bound.distance, false};
}

SeparationBound Separator::calc(const Pose& X_WA, const Pose& X_WB) {
  if (std::holds_alternative<Mesh>(a_) || std::holds_alternative<Mesh>(b_)) return calc_meshes(a_, X_WA, b_, X_WB);
  SeparationBound best{kUnknown, false};
  for (const CellPart& a : parts_a_) {
    for (const CellPart& b : parts_b_) {
      const SeparationBound bound =
          calc_pair(a.shape, X_WA * a.X_SP, a.is_complement, b.shape, X_WB * b.X_SP, b.is_complement);
      best.distance = std::max(best.distance, bound.distance);
      best.is_exact = bound.is_exact && parts_a_.size() == 1 && parts_b_.size() == 1;
    }
  }
  if (best.distance == kUnknown) best.is_exact = false;
  return best;
}

}  // namespace abut
