#pragma once

#include <array>
#include <vector>

#include "abut/math/types.hpp"

namespace abut {

/// A triangle mesh as a file holds it: corners [m] and, for each triangle, three of their indices, anticlockwise seen
/// from outside. Nothing is promised: it may be open, a soup, or wrong.
struct MeshData {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// What `clean_mesh` changed.
struct MeshCleaning {
  int num_welded = 0;      ///< vertices that were equal to an earlier one
  int num_unused = 0;      ///< vertices that no triangle used
  int num_degenerate = 0;  ///< triangles with two equal corners, dropped
};

/// Joins vertices that lie within `tolerance` of each other on each axis [m] (0: exactly equal, with -0 equal to 0),
/// then drops triangles with two equal corners and unused vertices. The order of what remains does not change. Joining
/// is transitive, so a chain of close vertices becomes one; each group takes the place of its first vertex. All indices
/// have to be in range and all coordinates finite.
MeshCleaning clean_mesh(MeshData& mesh, double tolerance = 0.0);

}  // namespace abut
