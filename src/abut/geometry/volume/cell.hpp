#pragma once

#include <optional>
#include <vector>

#include "abut/geometry/volume/region.hpp"
#include "abut/geometry/volume/solid.hpp"

namespace abut {

/// A convex body about a cell whose support function is cheap: a box, with a disc about z added to its lower and upper
/// face, and a ball added to all of it. Exact for every bounded shape but the ellipsoid.
struct CellHull {
  Pose X;                         ///< of the hull in the frame of the cell
  Vec3 half_size = Vec3::Zero();  ///< of the box [m]; infinite when the cell is unbounded
  double lower_disc = 0.0;        ///< radius [m]
  double upper_disc = 0.0;        ///< radius [m]
  double ball_radius = 0.0;       ///< [m]

  bool is_bounded() const { return half_size.allFinite(); }
  /// Largest n . x over the hull; n unit, in the frame of the cell.
  double calc_support(const Vec3& n) const;
  double calc_radius() const;  ///< of a ball about X.p that holds it
};

/// Some of a cell's planes that bound a polyhedron, as a closed mesh.
struct CellFlat {
  RegionMesh mesh;
  std::size_t first_plane = 0, num_planes = 0;  ///< the planes it stands for
};

/// One intersection of half-spaces, quadrics and meshes. A solid is the union of its cells, which share no volume.
struct Cell {
  Region region;
  CellHull hull;
  std::optional<CellFlat> flat;
};

/// The cells of a solid, in its frame: one unless it has capsules or complements of shapes with several faces.
/// Throws InputError for a shape with a defect, a solid without parts, or one that falls apart into too many cells.
std::vector<Cell> make_cells(const Solid& solid);

/// Whether the solid is convex for sure: nothing is taken out of it.
bool is_convex(const Solid& solid);

}  // namespace abut
