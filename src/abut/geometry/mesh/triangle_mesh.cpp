#include "abut/geometry/mesh/triangle_mesh.hpp"

#include <cstdint>
#include <utility>

#include "abut/geometry/mesh/mesh_edges.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

TriangleMesh::TriangleMesh(MeshData data) : data_(std::move(data)) {
  pair_edges();
  if (!edge_faults_.has_any()) split_fans();
  outgoing_.assign(data_.vertices.size(), -1);
  for (int h = 3 * num_triangles() - 1; h >= 0; --h) outgoing_[start(h)] = h;
  number_shells();
}

void TriangleMesh::pair_edges() {
  twin_.assign(3 * data_.triangles.size(), -1);
  visit_edges(data_, [&](std::span<const EdgeKey> edge) {
    if (edge.size() == 1) {
      ++edge_faults_.num_open;
    } else if (edge.size() > 2) {
      ++edge_faults_.num_non_manifold;
    } else if (start(edge[0].h) == start(edge[1].h)) {
      ++edge_faults_.num_misoriented;
    } else {
      twin_[edge[0].h] = edge[1].h;
      twin_[edge[1].h] = edge[0].h;
    }
  });
}

void TriangleMesh::split_fans() {
  std::vector<char> is_seen(twin_.size(), 0), is_taken(data_.vertices.size(), 0);
  for (int h = 0; h < static_cast<int>(twin_.size()); ++h) {
    if (is_seen[h]) continue;
    const int old = start(h);
    int name = old;
    if (is_taken[old]) {
      name = num_vertices();
      const Vec3 position = data_.vertices[old];
      data_.vertices.push_back(position);
    } else {
      is_taken[old] = 1;
    }
    for (int g = h; !is_seen[g]; g = twin_[previous(g)]) {
      is_seen[g] = 1;
      data_.triangles[g / 3][g % 3] = name;
    }
  }
}

void TriangleMesh::number_shells() {
  UnionFind sets(num_vertices());
  for (int h = 0; h < 3 * num_triangles(); ++h) sets.join(start(h), end(h));
  shell_.assign(data_.vertices.size(), -1);
  for (int v = 0; v < num_vertices(); ++v) {
    const int r = sets.find(v);
    if (outgoing_[r] < 0) continue;
    if (r == v) {
      shell_[v] = num_shells();
      shell_vertex_.push_back(v);
    } else {
      shell_[v] = shell_[r];
    }
  }
}

VolumeMoments calc_moments(const MeshData& mesh) {
  if (mesh.vertices.empty()) return {};
  // About a point of the mesh first: far from the origin the sum would cancel.
  const Aabb box = calc_bounds(mesh);
  const Vec3 center = 0.5 * (box.lower + box.upper);
  VolumeMoments moments;
  for (const std::array<int, 3>& t : mesh.triangles) {
    moments.add_tetrahedron(mesh.vertices[t[0]] - center, mesh.vertices[t[1]] - center, mesh.vertices[t[2]] - center);
  }
  return shift_moments(moments, center);
}

Aabb calc_bounds(const MeshData& mesh) {
  Aabb box;
  for (const Vec3& v : mesh.vertices) {
    box.lower = box.lower.cwiseMin(v);
    box.upper = box.upper.cwiseMax(v);
  }
  return box;
}

MeshData make_flipped(MeshData mesh) {
  for (std::array<int, 3>& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace abut
