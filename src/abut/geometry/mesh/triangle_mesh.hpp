#pragma once

#include <array>
#include <vector>

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/moments/volume_moments.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// How the edges of a mesh fail to pair up; all zero for a closed surface.
struct EdgeFaults {
  int num_open = 0;          ///< edges of a single triangle
  int num_non_manifold = 0;  ///< edges of three triangles or more
  int num_misoriented = 0;   ///< edges of two triangles that turn opposite ways
  bool has_any() const { return num_open + num_non_manifold + num_misoriented > 0; }
};

/// Triangles with their neighbours, in the frame of the mesh. Immutable.
///
/// Half-edge h = 3 t + k runs from corner k of triangle t to corner k + 1; its twin runs the other way in the
/// neighbouring triangle, -1 where there is none or more than one. Where the mesh is closed, a vertex at which several
/// fans of triangles touch is split into one vertex a fan, so that going round a vertex visits all its triangles.
class TriangleMesh {
 public:
  TriangleMesh() = default;
  explicit TriangleMesh(MeshData data);

  const std::vector<Vec3>& vertices() const { return data_.vertices; }
  const std::vector<std::array<int, 3>>& triangles() const { return data_.triangles; }
  const MeshData& data() const { return data_; }
  int num_vertices() const { return static_cast<int>(data_.vertices.size()); }
  int num_triangles() const { return static_cast<int>(data_.triangles.size()); }
  const EdgeFaults& edge_faults() const { return edge_faults_; }

  static int next(int h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static int previous(int h) { return h % 3 == 0 ? h + 2 : h - 1; }
  int start(int h) const { return data_.triangles[static_cast<std::size_t>(h / 3)][static_cast<std::size_t>(h % 3)]; }
  int end(int h) const { return start(next(h)); }
  int twin(int h) const { return twin_[static_cast<std::size_t>(h)]; }
  /// A half-edge that starts at vertex v; -1 for an unused vertex.
  int outgoing(int v) const { return outgoing_[static_cast<std::size_t>(v)]; }
  /// Connected pieces of the surface, numbered by their first vertex.
  int shell(int v) const { return shell_[static_cast<std::size_t>(v)]; }
  int num_shells() const { return static_cast<int>(shell_vertex_.size()); }
  /// First vertex of a shell.
  int shell_vertex(int s) const { return shell_vertex_[static_cast<std::size_t>(s)]; }

 private:
  void pair_edges();
  void split_fans();
  void number_shells();

  MeshData data_;
  std::vector<int> twin_, outgoing_, shell_, shell_vertex_;
  EdgeFaults edge_faults_;
};

/// Moments of the enclosed volume about the frame's origin, by the divergence theorem; meaningful for a closed mesh.
VolumeMoments calc_moments(const MeshData& mesh);

/// Box about all vertices, in the frame of the mesh [m].
Aabb calc_bounds(const MeshData& mesh);

/// The mesh with every triangle turned over.
MeshData make_flipped(MeshData mesh);

}  // namespace abut
