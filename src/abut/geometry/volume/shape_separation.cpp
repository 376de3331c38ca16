#include "abut/geometry/volume/shape_separation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/hole_distance.hpp"

namespace abut {
namespace {

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

/// What is empty of a shape that is all around it; nothing for others.
std::optional<Shape> find_hole(const Shape& shape) {
  if (const auto* bore = std::get_if<Bore>(&shape)) return Cylinder{bore->radius};
  if (const auto* cavity = std::get_if<Cavity>(&shape)) return Sphere{cavity->radius};
  return std::nullopt;
}

/// What is left between the corners of a mesh and the wall of a round hole about it: nothing else of it can touch
/// there.
double calc_inside_distance(const MeshData& mesh, const Pose& X_WA, const Shape& hole, const Pose& X_WB) {
  const Pose X_BA = X_WB.inverse() * X_WA;
  const auto* cylinder = std::get_if<Cylinder>(&hole);
  double farthest = 0.0;
  for (const Vec3& vertex : mesh.vertices) {
    const Vec3 p = X_BA * vertex;
    farthest = std::max(farthest, cylinder != nullptr ? p.head<2>().squaredNorm() : p.squaredNorm());
  }
  return (cylinder != nullptr ? cylinder->radius : std::get<Sphere>(hole).radius) - std::sqrt(farthest);
}

SeparatorPart make_part(const CellPart& part) {
  return {part.shape, part.X_SP, part.is_complement, find_extreme_features(part.shape)};
}

std::vector<SeparatorPart> list_parts(const Shape& shape) {
  const auto* cell = std::get_if<CutShape>(&shape);
  if (cell == nullptr) return {make_part({shape, Pose(), false})};
  std::vector<SeparatorPart> parts;
  for (CellPart part : cell->parts->list) {
    if (part.is_complement) open_hole(cell->parts->list, part);
    parts.push_back(make_part(part));
  }
  return parts;
}

}  // namespace

Separator::Separator(const Shape& a, const Shape& b)
    : a_(a),
      b_(b),
      parts_a_(list_parts(a)),
      parts_b_(list_parts(b)),
      holes_a_(list_lead_ins(a)),
      holes_b_(list_lead_ins(b)) {}

/// What lies in a hole with a lead-in is in neither the cylinder nor the cone alone.
double Separator::calc_lead_ins(const std::vector<SeparatorPart>& parts, const Pose& X_WP,
                                const std::vector<LeadInHole>& holes, const Pose& X_WH) {
  double best = kUnknownDistance;
  for (const LeadInHole& hole : holes) {
    for (const SeparatorPart& part : parts) {
      if (part.is_outside || !part.features) continue;
      const std::optional<double> clearance = calc_clearance(*part.features, X_WH.inverse() * X_WP * part.X_SP, hole);
      if (clearance) best = std::max(best, *clearance);
    }
  }
  return best;
}

SeparationBound Separator::calc_pair(const SeparatorPart& part_a, const Pose& X_WA, const SeparatorPart& part_b,
                                     const Pose& X_WB) {
  const Shape &a = part_a.shape, &b = part_b.shape;
  if (part_a.is_outside && part_b.is_outside) return {kUnknownDistance, false};
  if (part_a.is_outside || !is_bounded_convex(a)) {
    if (part_b.is_outside || !is_bounded_convex(b)) return {kUnknownDistance, false};
    return calc_pair(part_b, X_WB, part_a, X_WA);
  }
  const SupportSolid solid = make_support(a);
  const std::optional<Shape> around = find_hole(b);
  if (part_b.is_outside != around.has_value()) {
    const ExtremeFeatures* features = part_a.features ? &*part_a.features : nullptr;
    return {calc_inside_distance(solid, features, X_WA, around ? *around : b, X_WB), true};
  }
  if (around) return calc_pair(part_a, X_WA, {*around, Pose(), false, std::nullopt}, X_WB);
  if (const auto* plane = std::get_if<HalfSpace>(&b)) return {calc_separation(solid, X_WA, *plane, X_WB), true};
  const Ball ball = calc_ball(a, X_WA);
  if (const auto* wedge = std::get_if<Wedge>(&b))
    return {calc_wedge_distance(solid, X_WA, ball, *wedge, X_WB, memory_), true};
  if (const auto part = make_near_part(b, X_WB, ball))
    return {calc_separation(solid, X_WA, make_support(part->shape), part->X_WS, memory_).distance, true};
  if (!is_bounded_convex(b)) return {kUnknownDistance, false};
  return {calc_separation(solid, X_WA, make_support(b), X_WB, memory_).distance, true};
}

/// A mesh and a convex shape that is not one: exact for a ball and in round holes; for others, the planes of the boxes
/// about the mesh tell only when they are well apart.
SeparationBound Separator::calc_meshes(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  const auto* mesh = std::get_if<Mesh>(&a);
  if (mesh == nullptr) return calc_meshes(b, X_WB, a, X_WA);
  if (const auto* sphere = std::get_if<Sphere>(&b)) {
    const Vec3 center = X_WA.inverse() * X_WB.p;
    const double distance =
        find_closest_point(mesh->solid->mesh().data(), mesh->solid->tree(), center, scratch_).pair.distance;
    return {is_inside(*mesh->solid, center, scratch_) ? 0.0 : distance - sphere->radius, true};
  }
  if (const std::optional<Shape> hole = find_hole(b))
    return {calc_inside_distance(mesh->solid->mesh().data(), X_WA, *hole, X_WB), true};
  const Aabb& bounds = mesh->solid->bounds();
  const Pose X_WBox(X_WA.R, X_WA * Vec3(0.5 * (bounds.lower + bounds.upper)));
  const SeparatorPart box = make_part({Box{0.5 * (bounds.upper - bounds.lower)}, Pose(), false});
  const SeparationBound bound = calc_pair(box, X_WBox, {b, Pose(), false, std::nullopt}, X_WB);
  return {bound.distance, false};
}

SeparationBound Separator::calc(const Pose& X_WA, const Pose& X_WB) {
  if (std::holds_alternative<Mesh>(a_) || std::holds_alternative<Mesh>(b_)) return calc_meshes(a_, X_WA, b_, X_WB);
  SeparationBound best{kUnknownDistance, false};
  for (const SeparatorPart& a : parts_a_) {
    for (const SeparatorPart& b : parts_b_) {
      const SeparationBound bound = calc_pair(a, X_WA * a.X_SP, b, X_WB * b.X_SP);
      best.distance = std::max(best.distance, bound.distance);
      best.is_exact = bound.is_exact && parts_a_.size() == 1 && parts_b_.size() == 1;
    }
  }
  best.distance = std::max(
      {best.distance, calc_lead_ins(parts_a_, X_WA, holes_b_, X_WB), calc_lead_ins(parts_b_, X_WB, holes_a_, X_WA)});
  if (best.distance == kUnknownDistance) best.is_exact = false;
  return best;
}

}  // namespace abut
