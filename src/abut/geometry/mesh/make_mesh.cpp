#include "abut/geometry/mesh/make_mesh.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/math/triangulate_polygon.hpp"

namespace abut {

MeshData make_box_mesh(const Vec3& half) {
  MeshData mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                               i & 4 ? half.z() : -half.z());
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

MeshData make_sphere_mesh(double radius, int level) {
  MeshData mesh;
  mesh.vertices = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int i = 0; i < level; ++i) {
    mesh = make_divided(std::move(mesh), 1);
    for (Vec3& v : mesh.vertices) v.normalize();
  }
  for (Vec3& v : mesh.vertices) v *= radius;
  return mesh;
}

MeshData make_uv_sphere_mesh(double radius, int num_segments, int num_rings) {
  std::vector<Vec2> outline = {{0.0, -radius}};
  for (int i = 1; i < num_rings; ++i) {
    const double angle = std::numbers::pi * i / num_rings;
    outline.emplace_back(radius * std::sin(angle), -radius * std::cos(angle));
  }
  outline.emplace_back(0.0, radius);
  return make_revolved_mesh(outline, num_segments);
}

MeshData make_revolved_mesh(const std::vector<Vec2>& outline, int num_segments) {
  MeshData mesh;
  std::vector<int> first;  // vertex of each point of the outline: one on the axis, else num_segments
  for (const Vec2& p : outline) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    for (int i = 0; i < (p.x() > 0.0 ? num_segments : 1); ++i) {
      const double angle = 2.0 * std::numbers::pi * i / num_segments;
      mesh.vertices.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
    }
  }
  for (std::size_t k = 0; k + 1 < outline.size(); ++k) {
    const bool is_point = !(outline[k].x() > 0.0), is_next_point = !(outline[k + 1].x() > 0.0);
    for (int i = 0; i < num_segments; ++i) {
      const int j = (i + 1) % num_segments;
      const int a = first[k] + (is_point ? 0 : i), b = first[k] + (is_point ? 0 : j);
      const int c = first[k + 1] + (is_next_point ? 0 : i), d = first[k + 1] + (is_next_point ? 0 : j);
      if (!is_point) mesh.triangles.push_back({a, b, d});
      if (!is_next_point) mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

MeshData make_torus_mesh(double major_radius, double minor_radius, int num_major, int num_minor) {
  MeshData mesh;
  const auto index = [&](int i, int j) { return (i % num_major) * num_minor + j % num_minor; };
  for (int i = 0; i < num_major; ++i) {
    const double u = 2.0 * std::numbers::pi * i / num_major;
    for (int j = 0; j < num_minor; ++j) {
      const double v = 2.0 * std::numbers::pi * j / num_minor;
      const double r = major_radius + minor_radius * std::cos(v);
      mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), minor_radius * std::sin(v));
      mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  }
  return mesh;
}

MeshData make_prism_mesh(const std::vector<Vec2>& outline, double z_low, double z_high) {
  const int n = static_cast<int>(outline.size());
  MeshData mesh;
  std::vector<Vec3> corners;
  std::vector<int> names;
  for (int i = 0; i < n; ++i) {
    corners.emplace_back(outline[i].x(), outline[i].y(), z_high);
    names.push_back(i);
  }
  mesh.vertices = corners;
  for (const Vec2& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z_low);
  triangulate_polygon(mesh.vertices, names, mesh.triangles);
  const std::size_t num_top = mesh.triangles.size();
  for (std::size_t t = 0; t < num_top; ++t) {
    const std::array<int, 3> top = mesh.triangles[t];
    mesh.triangles.push_back({top[0] + n, top[2] + n, top[1] + n});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, i + n, j + n});
    mesh.triangles.push_back({i, j + n, j});
  }
  return mesh;
}

MeshData make_moved(MeshData mesh, const Pose& X) {
  for (Vec3& v : mesh.vertices) v = X * v;
  return mesh;
}

MeshData make_union(MeshData first, const MeshData& second) {
  const int offset = static_cast<int>(first.vertices.size());
  first.vertices.insert(first.vertices.end(), second.vertices.begin(), second.vertices.end());
  for (const std::array<int, 3>& t : second.triangles) {
    first.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  return first;
}

MeshData make_divided(MeshData mesh, int level) {
  for (int i = 0; i < level; ++i) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (is_new) {
        const Vec3 m = 0.5 * (mesh.vertices[a] + mesh.vertices[b]);
        mesh.vertices.push_back(m);
      }
      return place->second;
    };
    std::vector<std::array<int, 3>> divided;
    divided.reserve(4 * mesh.triangles.size());
    for (const std::array<int, 3>& t : mesh.triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      divided.insert(divided.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
    }
    mesh.triangles = std::move(divided);
  }
  return mesh;
}

}  // namespace abut
