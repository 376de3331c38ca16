#pragma once

#include <string>

#include "abut/geometry/mesh/bounding_tree.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"

namespace abut {

/// What stands between a mesh and the boundary of a solid.
struct MeshFaults {
  EdgeFaults edges;
  /// Pairs of triangles that pass through each other, or lie in one plane, face the same way and cover a common area;
  /// mere touching does not count.
  int num_self_intersections = 0;
  int num_nested_shells = 0;  ///< closed pieces inside another that face the same way: counted twice, no cavity
  double volume = 0.0;        ///< enclosed volume [m^3]; not positive: no solid

  bool is_solid() const {
    return !edges.has_any() && num_self_intersections == 0 && num_nested_shells == 0 && volume > 0.0;
  }
};

MeshFaults find_mesh_faults(const TriangleMesh& mesh, const BoundingTree& tree);

/// Number of pairs of triangles of one mesh that pass through each other or cover a common area, decided exactly.
int count_self_intersections(const TriangleMesh& mesh, const BoundingTree& tree);

/// Number of pieces of a closed surface that lie inside others where they should not: what is solid there already must
/// be bounded by a cavity, what is empty by a solid.
int count_nested_shells(const TriangleMesh& mesh);

/// One sentence with every fault and its number, then what to use instead; `name` is the file or the mesh.
std::string describe_mesh_faults(const MeshFaults& faults, const std::string& name);

}  // namespace abut
