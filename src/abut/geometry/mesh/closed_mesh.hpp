#pragma once

#include <string>

#include "abut/geometry/mesh/bounding_tree.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"
#include "abut/math/mass_properties.hpp"

namespace abut {

/// What was done to a mesh to make a solid of it.
struct ClosedMeshReport {
  MeshCleaning cleaning;
  bool is_flipped = false;  ///< the file had it inside out
  int num_flattened = 0;    ///< triangles with three corners on a line, removed by turning an edge
};

/// A solid given by its surface: closed, oriented outwards, without self-intersections; ready for queries. Immutable.
class ClosedMesh {
 public:
  const TriangleMesh& mesh() const { return mesh_; }
  const BoundingTree& tree() const { return tree_; }
  const std::vector<Vec3>& vertices() const { return mesh_.vertices(); }
  const std::vector<std::array<int, 3>>& triangles() const { return mesh_.triangles(); }
  const Aabb& bounds() const { return bounds_; }             ///< in the frame of the mesh [m]
  const VolumeMoments& moments() const { return moments_; }  ///< about the origin of the mesh's frame
  const ClosedMeshReport& report() const { return report_; }

 private:
  friend ClosedMesh make_closed_mesh(MeshData data, const std::string& name, double weld_tolerance);
  TriangleMesh mesh_;
  BoundingTree tree_;
  Aabb bounds_;
  VolumeMoments moments_;
  ClosedMeshReport report_;
};

/// Welds, turns the mesh if it is inside out, and checks it. InputError naming `name`, every fault with its number and
/// what to use instead when it is open, non-manifold, inconsistently oriented, passes through itself or encloses
/// nothing.
ClosedMesh make_closed_mesh(MeshData data, const std::string& name = "mesh", double weld_tolerance = 0.0);

/// Mass properties at a uniform density [kg/m^3].
MassProperties calc_mass_properties(const ClosedMesh& mesh, double density);

}  // namespace abut
