// Passages of what has no far side, half-spaces, and of what has no inside, open meshes.

#include <algorithm>
#include <array>
#include <limits>

#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"
#include "abut/geometry/mesh/triangle_distance.hpp"
#include "abut/sim/passage_watch.hpp"

namespace abut {

namespace {

/// Triangles that a way passes, and those less the ones that it passes the other way: on which side it ends.
struct Crossings {
  int all = 0, net = 0;
};

void add_crossings(const SurfaceMesh& mesh, const Vec3& p, const Vec3& q, std::vector<int>& stack, Crossings* found) {
  const Vec3 way = q - p;
  const double length2 = way.squaredNorm();
  const auto is_near = [&](const BoundingTree::Node& node) {
    const Vec3 from = node.calc_center() - p;
    const double along = length2 > 0.0 ? std::clamp(from.dot(way) / length2, 0.0, 1.0) : 0.0;
    return (from - along * way).norm() <= static_cast<double>(node.radius) * (1.0 + 1e-5);
  };
  visit_triangles(mesh.tree(), stack, is_near, [&](int triangle) {
    const std::array<int, 3>& t = mesh.triangles()[static_cast<std::size_t>(triangle)];
    const Vec3& corner = mesh.vertices()[static_cast<std::size_t>(t[0])];
    const Vec3 e = mesh.vertices()[static_cast<std::size_t>(t[1])] - corner;
    const Vec3 f = mesh.vertices()[static_cast<std::size_t>(t[2])] - corner;
    // [Moeller and Trumbore 1997]
    const Vec3 across = way.cross(f), from = p - corner;
    const double scale = e.dot(across);
    if (scale == 0.0) return;
    const double u = from.dot(across) / scale, v = way.dot(from.cross(e)) / scale, part = f.dot(from.cross(e)) / scale;
    if (u < 0.0 || v < 0.0 || u + v > 1.0 || part < 0.0 || part > 1.0) return;
    ++found->all;
    found->net += scale > 0.0 ? 1 : -1;
  });
}

/// Vertices of a surface and points of its edges, no farther apart than a part of `size` [m]; some of very many.
std::vector<Vec3> list_edge_points(const SurfaceMesh& mesh, double size) {
  constexpr double kSpacing = 1.0 / 16.0;
  constexpr std::size_t kMost = 2000;
  std::vector<Vec3> points = mesh.vertices();
  for (const std::array<int, 3>& t : mesh.triangles()) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& from = mesh.vertices()[static_cast<std::size_t>(t[k])];
      const Vec3 edge = mesh.vertices()[static_cast<std::size_t>(t[(k + 1) % 3])] - from;
      const int pieces = std::min(64, static_cast<int>(edge.norm() / (kSpacing * size)) + 1);
      for (int i = 1; i < pieces; ++i) points.emplace_back(from + edge * i / pieces);
    }
  }
  if (points.size() <= kMost) return points;
  std::vector<Vec3> some;
  const std::size_t stride = 1 + points.size() / kMost;
  for (std::size_t i = 0; i < points.size(); i += stride) some.push_back(points[i]);
  return some;
}

}  // namespace

std::optional<double> PassageWatch::calc_height(const Solid& solid, const Solid& ground, double part) const {
  const Shape& shape = model_.colliders[solid.collider].shape;
  const Pose X_WS = calc_pose(solid, part), X_WG = calc_pose(ground, part);
  if (solid.support) return calc_separation(*solid.support, X_WS, *ground.half_space, X_WG);
  const Vec3 normal = X_WG.R * ground.half_space->normal;
  double lowest = 0.0;  // below the middle
  if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    const Vec3 n = X_WS.R.transpose() * normal;
    const auto& vertices = mesh->solid != nullptr ? mesh->solid->vertices() : solid.sheet->vertices();
    for (const Vec3& vertex : vertices) lowest = std::min(lowest, n.dot(vertex - solid.middle));
  } else if (std::holds_alternative<Torus>(shape) || std::holds_alternative<Bowl>(shape)) {
    const Mat3 upright = Quat::FromTwoVectors(normal, Vec3::UnitZ()).toRotationMatrix() * X_WS.R;
    lowest = calc_aabb(shape, {upright, Vec3::Zero()}).lower.z() - (upright * solid.middle).z();
  } else {
    return std::nullopt;
  }
  return normal.dot(X_WS * solid.middle - X_WG.p) - ground.half_space->offset + (1.0 - kGraze) * lowest;
}

bool PassageWatch::has_dipped(const Solid& solid, const Solid& ground, double travel) const {
  const std::optional<double> last = calc_height(solid, ground, 1.0);
  const std::optional<double> first = calc_height(solid, ground, 0.0);
  if (!last || !(*last > 0.0) || !(*first > 0.0)) return false;  // found inside, contact sees it
  const double least = std::max(0.25 * solid.thickness, travel / kMostPlaces);
  double height = *first;
  for (double part = 0.0; part < 1.0; height = *calc_height(solid, ground, std::min(part, 1.0))) {
    if (!(height > 0.0)) return true;
    if (height + *last > (1.0 - part) * travel) return false;
    part += std::max(height, least) / travel;
  }
  return false;
}

bool PassageWatch::do_points_pass(std::span<const Vec3> points, const Solid& solid, const SurfaceMesh& triangles,
                                  const Solid& carrier, double travel, Passing passing) const {
  // What turns goes along chords of its way.
  constexpr int kMostChords = 64;
  const double size = std::min(radius(solid), radius(carrier));
  const int chords = std::clamp(static_cast<int>(4.0 * travel / size), 1, kMostChords);
  // What has an inside is taken smaller.
  const auto scale_of = [](const Solid& one) { return one.sheet != nullptr ? 1.0 : 1.0 - kGraze; };
  const auto scale = [](const Vec3& p, const Vec3& about, double factor) { return Vec3(about + factor * (p - about)); };
  std::vector<Pose> poses;
  for (int i = 0; i <= chords; ++i) {
    const double part = static_cast<double>(i) / chords;
    poses.push_back(calc_pose(carrier, part).inverse() * calc_pose(solid, part));
  }
  // Of two surfaces nothing is taken smaller: where they only graze, what passes is no longer than that.
  const double graze = solid.sheet != nullptr && carrier.sheet != nullptr ? 2.0 * kGraze * size : 0.0;
  Aabb passed;
  std::vector<int> stack;
  int side = 0;
  for (const Vec3& on_surface : points) {
    const Vec3 point = scale(on_surface, solid.middle, scale_of(solid));
    const auto place_at = [&](int i) { return scale(poses[i] * point, carrier.middle, 1.0 / scale_of(carrier)); };
    Crossings found;
    for (int i = 0; i < chords; ++i) add_crossings(triangles, place_at(i), place_at(i + 1), stack, &found);
    if (passing == Passing::any && found.all > 0) {
      passed = {passed.lower.cwiseMin(on_surface), passed.upper.cwiseMax(on_surface)};
      if ((passed.upper - passed.lower).norm() >= graze) return true;
    }
    if (passing == Passing::all && (found.net == 0 || found.net * side < 0)) return false;
    side = found.net;
  }
  return passing == Passing::all && side != 0;
}

bool PassageWatch::has_gone_through_sheet(const Solid& other, const Solid& sheet, double travel) const {
  if (other.support) {
    const std::array<Vec3, 1> middle{other.middle};
    return has_met_sheet(other, sheet, travel) ||
           do_points_pass(middle, other, *sheet.sheet, sheet, travel, Passing::all);
  }
  const SurfaceMesh* surface = model_.colliders[other.collider].surface.get();
  if (surface == nullptr) return false;
  // The middle of a cup or of a sheet may be in the open: all of it has to pass, the same way.
  return have_surfaces_met(other, sheet, travel) ||
         do_points_pass(surface->vertices(), other, *sheet.sheet, sheet, travel, Passing::all);
}

/// A convex solid and triangles that are apart where the step begins and where it ends, but met in between.
bool PassageWatch::has_met_sheet(const Solid& other, const Solid& sheet, double travel) const {
  const SurfaceMesh& mesh = *sheet.sheet;
  const Vec3 start = calc_pose(sheet, 0.0).inverse() * calc_pose(other, 0.0).p;
  std::vector<int> near, stack;
  const auto is_near = [&](const BoundingTree::Node& node) {
    return (node.calc_center() - start).norm() <= static_cast<double>(node.radius) + radius(other) + travel;
  };
  visit_triangles(mesh.tree(), stack, is_near, [&](int triangle) { near.push_back(triangle); });
  if (near.empty()) return false;
  const auto corner = [&](int triangle, std::size_t k) {
    return mesh.vertices()[static_cast<std::size_t>(mesh.triangles()[static_cast<std::size_t>(triangle)][k])];
  };
  const auto distance_at = [&](double part) {
    const Pose X_WO = calc_pose(other, part), X_WS = calc_pose(sheet, part);
    const Vec3 p = X_WS.inverse() * X_WO.p;
    double least = std::numeric_limits<double>::infinity();
    for (const int triangle : near) {
      const std::array<Vec3, 3> corners{corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)};
      if ((find_closest_point(corners, p) - p).norm() - radius(other) >= least) continue;
      SeparationMemory memory;
      least = std::min(least, calc_separation(*other.support, X_WO, SupportSolid(corners), X_WS, memory).distance);
      if (!(least > 0.0)) return 0.0;
    }
    return least;
  };
  if (!(distance_at(1.0) > 0.0) || !(distance_at(0.0) > 0.0)) return false;  // contact sees it
  return comes_to_zero(distance_at, travel, 0.25 * other.thickness);
}

/// Surfaces that cross neither where the step begins nor where it ends, of which some point went through the other.
bool PassageWatch::have_surfaces_met(const Solid& other, const Solid& sheet, double travel) const {
  const SurfaceMesh &surface = *model_.colliders[other.collider].surface, &mesh = *sheet.sheet;
  MeshCrossing crossing;
  for (const double part : {0.0, 1.0}) {
    const Pose between = calc_pose(sheet, part).inverse() * calc_pose(other, part);
    if (!crossing.calc(mesh, surface, between).empty()) return false;  // contact sees it
  }
  const double size = std::min(radius(other), radius(sheet));
  return do_points_pass(list_edge_points(surface, size), other, mesh, sheet, travel, Passing::any) ||
         do_points_pass(list_edge_points(mesh, size), sheet, surface, other, travel, Passing::any);
}

}  // namespace abut
