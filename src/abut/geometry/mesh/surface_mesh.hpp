#pragma once

#include <string>
#include <vector>

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/mesh/bounding_tree.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// What was done to triangles to make a surface of them, and what is left of their faults.
struct SurfaceMeshReport {
  MeshCleaning cleaning;
  int num_flattened = 0;    ///< triangles with three corners on a line, removed by turning an edge
  int num_dropped = 0;      ///< those where there was no edge to turn
  int num_turned = 0;       ///< turned over to agree with their neighbours
  bool is_flipped = false;  ///< the file had a closed surface inside out
  EdgeFaults edges;         ///< of what is left; a surface may have any of them
};

/// Triangles of any kind, ready to be crossed with others: open, non-convex, passing through themselves, of one sheet.
/// Outside is where a triangle's corners turn anticlockwise. Immutable. A soup whose triangles share places but no
/// vertex numbers has its equal vertices joined.
class SurfaceMesh {
 public:
  const TriangleMesh& mesh() const { return mesh_; }
  const BoundingTree& tree() const { return tree_; }
  const std::vector<Vec3>& vertices() const { return mesh_.vertices(); }
  const std::vector<std::array<int, 3>>& triangles() const { return mesh_.triangles(); }
  int num_triangles() const { return mesh_.num_triangles(); }

  /// Unit outward normal of triangle t, in the frame of the mesh.
  const Vec3& normal(int t) const { return normals_[static_cast<std::size_t>(t)]; }
  const std::vector<Vec3>& normals() const { return normals_; }

  /// The triangle over the edge from corner k to corner k + 1 of triangle t; -1 where the edge is open, shared by more
  /// than two triangles, or the other triangle turns the other way.
  int neighbor(int t, int k) const {
    const int h = mesh_.twin(3 * t + k);
    return h < 0 ? -1 : h / 3;
  }

  const Aabb& bounds() const { return bounds_; }   ///< in the frame of the mesh [m]
  const Vec3& center() const { return center_; }   ///< of a ball about the mesh, in its frame [m]
  double radius() const { return radius_; }        ///< of that ball [m]
  double mean_size() const { return mean_size_; }  ///< edge of a square of two triangles of mean area [m]
  const SurfaceMeshReport& report() const { return report_; }

 private:
  void orient();
  friend SurfaceMesh make_surface_mesh(MeshData data, const std::string& name, double weld_tolerance);
  TriangleMesh mesh_;
  BoundingTree tree_;
  std::vector<Vec3> normals_;
  Aabb bounds_;
  Vec3 center_ = Vec3::Zero();
  double radius_ = 0.0, mean_size_ = 0.0;
  SurfaceMeshReport report_;
};

/// Joins vertices within `weld_tolerance` [m], removes triangles without area, turns triangles over where neighbours
/// disagree on their outside (the larger area of a connected piece is right) and all of them where the surface is
/// closed and inside out, and reports. InputError naming `name` only for what is no mesh at all: no triangle with an
/// area, a vertex that is not there, coordinates not finite.
SurfaceMesh make_surface_mesh(MeshData data, const std::string& name = "mesh", double weld_tolerance = 0.0);

/// One sentence with every repair and fault and its number; empty if there are none.
std::string describe_surface(const SurfaceMeshReport& report, const std::string& name);

}  // namespace abut
