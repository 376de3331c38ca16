#pragma once

#include <string>

#include "abut/geometry/mesh/bounding_tree.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"

namespace abut {

/// What stands between a mesh and the boundary of a solid.
struct MeshFaults {
  EdgeFaults edges;
  int num_self_intersections = 0;  ///< pairs of triangles that pass through each other; mere touching does not count
  double volume = 0.0;             ///< enclosed volume [m^3]; not positive: no solid

  bool is_solid() const { return !edges.has_any() && num_self_intersections == 0 && volume > 0.0; }
};

MeshFaults find_mesh_faults(const TriangleMesh& mesh, const BoundingTree& tree);

/// Number of pairs of triangles of one mesh that pass through each other, decided exactly.
int count_self_intersections(const TriangleMesh& mesh, const BoundingTree& tree);

/// One sentence with every fault and its number, then what to use instead; `name` is the file or the mesh.
std::string describe_mesh_faults(const MeshFaults& faults, const std::string& name);

}  // namespace abut
