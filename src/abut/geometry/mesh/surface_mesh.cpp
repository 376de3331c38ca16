#include "abut/geometry/mesh/surface_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/mesh/mesh_repair.hpp"

namespace abut {

void SurfaceMesh::orient() {
  if (mesh_.edge_faults().num_misoriented > 0) {
    MeshData data = mesh_.data();
    report_.num_turned = orient_triangles(data);
    mesh_ = TriangleMesh(std::move(data));
  }
  // An open surface has no inside to be told from its outside.
  if (mesh_.edge_faults().has_any() || !(calc_moments(mesh_.data()).volume < 0.0)) return;
  mesh_ = TriangleMesh(make_flipped(mesh_.data()));
  report_.is_flipped = true;
}

SurfaceMesh make_surface_mesh(MeshData data, const std::string& name, double weld_tolerance) {
  require_sound_mesh(data, name);
  SurfaceMesh surface;
  surface.report_.cleaning = clean_mesh(data, weld_tolerance);
  surface.report_.num_flattened = flatten_needles(data);
  surface.report_.num_dropped = drop_needles(data);
  if (data.triangles.empty()) throw InputError(fmt::format("{}: all triangles are degenerate", name));
  surface.mesh_ = TriangleMesh(std::move(data));
  surface.orient();
  surface.report_.edges = surface.mesh_.edge_faults();
  surface.tree_ = BoundingTree(surface.mesh_.data());
  const std::vector<Vec3>& v = surface.vertices();
  surface.normals_.reserve(surface.triangles().size());
  double area = 0.0;
  for (const std::array<int, 3>& t : surface.triangles()) {
    const Vec3 n = (v[t[1]] - v[t[0]]).cross(v[t[2]] - v[t[0]]);
    const double length = n.norm();
    area += length;
    surface.normals_.emplace_back(n / length);
  }
  surface.mean_size_ = std::sqrt(area / surface.num_triangles());
  surface.bounds_ = calc_bounds(surface.mesh_.data());
  surface.center_ = 0.5 * (surface.bounds_.lower + surface.bounds_.upper);
  for (const Vec3& p : v) surface.radius_ = std::max(surface.radius_, (p - surface.center_).norm());
  return surface;
}

std::string describe_surface(const SurfaceMeshReport& report, const std::string& name) {
  std::string text;
  const auto add = [&](int count, const char* what, const char* meaning) {
    if (count > 0)
      text += fmt::format("{} {} {}{}{}", text.empty() ? "" : ";", count, what, count == 1 ? "" : "s", meaning);
  };
  add(report.cleaning.num_welded, "vertex number", " joined with an equal one");
  add(report.cleaning.num_degenerate + report.num_flattened + report.num_dropped, "triangle", " without area removed");
  add(report.num_turned, "triangle", " turned over to agree with the neighbours");
  add(int{report.is_flipped}, "closed surface", " turned inside out");
  add(report.edges.num_open, "open edge", "");
  add(report.edges.num_non_manifold, "edge", " of more than two triangles");
  add(report.edges.num_misoriented, "edge", " whose two triangles turn opposite ways");
  return text.empty() ? text : name + ":" + text;
}

}  // namespace abut
