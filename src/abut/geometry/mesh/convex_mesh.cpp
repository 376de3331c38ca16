#include "abut/geometry/mesh/convex_mesh.hpp"

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Larger meshes are not looked at for convexity.
constexpr std::size_t kMaxHullVertices = 2000;

/// A convex polyhedron as faces of vertex names, cut by one plane after the other. Each vertex is put on one side once
/// and each cut edge gets one new vertex, so that the surface stays closed whatever the rounding.
struct CutPolyhedron {
  std::vector<Vec3> vertices;
  std::vector<std::vector<int>> faces;

  void cut(const HalfSpace& plane) {
    std::vector<double> height;
    for (const Vec3& v : vertices) height.push_back(plane.normal.dot(v) - plane.offset);
    std::map<std::pair<int, int>, int> new_vertices;
    const auto cross = [&](int a, int b) {
      const auto [place, is_new] = new_vertices.try_emplace(std::minmax(a, b), static_cast<int>(vertices.size()));
      if (is_new) {
        const auto [low, high] = place->first;
        const double t = height[low] / (height[low] - height[high]);
        const Vec3 point = vertices[low] + t * (vertices[high] - vertices[low]);
        vertices.push_back(point);
      }
      return place->second;
    };
    std::map<int, int> next;  // the new face, against the directions of the old ones
    std::vector<std::vector<int>> kept;
    for (const std::vector<int>& face : faces) {
      std::vector<int> rest;
      int leaving = -1, entering = -1;
      for (std::size_t i = 0; i < face.size(); ++i) {
        const int a = face[i], b = face[(i + 1) % face.size()];
        const bool is_a_in = height[a] <= 0.0, is_b_in = height[b] <= 0.0;
        if (is_a_in) rest.push_back(a);
        if (is_a_in == is_b_in) continue;
        rest.push_back(cross(a, b));
        (is_a_in ? leaving : entering) = rest.back();
      }
      if (leaving >= 0 && entering >= 0) next[entering] = leaving;
      if (rest.size() >= 3) kept.push_back(std::move(rest));
    }
    faces = std::move(kept);
    if (next.empty()) return;
    std::vector<int> cap;
    for (int v = next.begin()->first; cap.size() < next.size();) {
      cap.push_back(v);
      const auto place = next.find(v);
      if (place == next.end()) break;
      v = place->second;
    }
    if (cap.size() >= 3) faces.push_back(std::move(cap));
  }

  MeshData triangulate() const {
    MeshData mesh{vertices, {}};
    for (const std::vector<int>& face : faces) {
      for (std::size_t i = 1; i + 1 < face.size(); ++i) mesh.triangles.push_back({face[0], face[i], face[i + 1]});
    }
    return mesh;
  }
};

CutPolyhedron make_cube(double half) {
  CutPolyhedron cube;
  for (int i = 0; i < 8; ++i)
    cube.vertices.emplace_back(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
  cube.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return cube;
}

}  // namespace

ClosedMesh make_convex_mesh(std::span<const HalfSpace> planes, double reach, const std::string& name) {
  if (!(reach > 0.0)) throw InputError(fmt::format("{}: a reach of {} m; it has to be positive", name, reach));
  CutPolyhedron polyhedron = make_cube(reach);
  for (const HalfSpace& plane : planes) {
    const double length = plane.normal.norm();
    if (!(std::abs(length - 1.0) < 1e-9)) {
      throw InputError(fmt::format("{}: the normal ({}, {}, {}) has length {}; it has to be a unit vector", name,
                                   plane.normal.x(), plane.normal.y(), plane.normal.z(), length));
    }
    polyhedron.cut(plane);
    if (polyhedron.faces.size() < 4) throw InputError(fmt::format("{}: the planes leave no volume", name));
  }
  return make_closed_mesh(polyhedron.triangulate(), name);
}

ClosedMesh make_convex_mesh(const ConvexPolyhedron& polyhedron) {
  MeshData data;
  data.vertices = polyhedron.vertices();
  for (int f = 0; f < polyhedron.num_faces(); ++f) {
    const std::span<const int> loop = polyhedron.face(f);
    for (std::size_t k = 2; k < loop.size(); ++k) data.triangles.push_back({loop[0], loop[k - 1], loop[k]});
  }
  return make_closed_mesh(std::move(data), "polyhedron");
}

std::shared_ptr<const ConvexPolyhedron> find_convex_polyhedron(const ClosedMesh& mesh) {
  if (mesh.vertices().size() > kMaxHullVertices) return nullptr;
  auto hull = std::make_shared<const ConvexPolyhedron>(make_convex_hull(mesh.vertices()));
  const double volume = mesh.moments().volume;
  // A dent of a thousandth of the size shows in the volume by far more than rounding does.
  return std::abs(calc_volume(*hull) - volume) <= 1e-12 * volume ? hull : nullptr;
}

}  // namespace abut
