// Passages of what has no far side, half-spaces, and of what has no inside, open meshes.

#include <algorithm>

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/sim/passage_watch.hpp"

namespace abut {

namespace {

/// Triangles that the way from p to q passes, less those that it passes the other way: on which side it ends.
int count_crossings(const SurfaceMesh& mesh, const Vec3& p, const Vec3& q) {
  const Vec3 way = q - p;
  int count = 0;
  for (const std::array<int, 3>& t : mesh.triangles()) {
    const Vec3& corner = mesh.vertices()[static_cast<std::size_t>(t[0])];
    const Vec3 e = mesh.vertices()[static_cast<std::size_t>(t[1])] - corner;
    const Vec3 f = mesh.vertices()[static_cast<std::size_t>(t[2])] - corner;
    // [T. Moeller and B. Trumbore, J. Graphics Tools 2(1), 1997]
    const Vec3 across = way.cross(f), from = p - corner;
    const double scale = e.dot(across);
    if (scale == 0.0) continue;
    const double u = from.dot(across) / scale, v = way.dot(from.cross(e)) / scale, part = f.dot(from.cross(e)) / scale;
    if (u < 0.0 || v < 0.0 || u + v > 1.0 || part < 0.0 || part > 1.0) continue;
    count += scale > 0.0 ? 1 : -1;
  }
  return count;
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

bool PassageWatch::has_gone_through_sheet(const Solid& other, const Solid& sheet) const {
  const Pose before = calc_pose(sheet, 0.0).inverse() * calc_pose(other, 0.0);
  const Pose after = calc_pose(sheet, 1.0).inverse() * calc_pose(other, 1.0);
  const auto count_for = [&](const Vec3& p) { return count_crossings(*sheet.sheet, before * p, after * p); };
  if (other.support) return count_for(other.middle) != 0;
  // The middle of a cup or of a sheet may be in the open: all of it has to pass, the same way.
  constexpr std::size_t kFew = 16;
  const SurfaceMesh* surface = model_.colliders[other.collider].surface.get();
  if (surface == nullptr || surface->vertices().empty()) return false;
  const auto& vertices = surface->vertices();
  const std::size_t stride = 1 + vertices.size() / kFew;
  const int first = count_for(vertices.front());
  for (std::size_t i = stride; i < vertices.size() && first != 0; i += stride) {
    if (count_for(vertices[i]) * first <= 0) return false;
  }
  return first != 0;
}

}  // namespace abut
