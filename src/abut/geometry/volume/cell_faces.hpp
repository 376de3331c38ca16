#pragma once

#include <optional>
#include <vector>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/geometry/volume/depth_field.hpp"

namespace abut {

/// One face of a cell: a plane, or a round surface with its depth.
struct CellFace {
  bool is_flat = false;
  Plane plane;          ///< flat: the cell lies inside it
  FieldLaw law;         ///< round: the depth below it, slope one on the surface
  double radius = 0.0;  ///< round: below zero where the cell lies outside it [m]
  bool is_cylinder = false;

  /// How far below it x lies [m].
  double calc_distance(const Vec3& x) const;
};

/// The surface of a cell: inside all of `outer`, and for each hole outside of at least one of its faces.
struct CellFaces {
  std::vector<CellFace> outer;
  std::vector<std::vector<CellFace>> holes;  ///< of several faces each; those of one are outer faces

  /// Distance below the nearest face, that of a hole taken from its remotest one; below zero outside the cell [m].
  double calc_distance(const Vec3& x) const;
};

/// Nothing for cells with cones, capsules, ellipsoids or meshes, whose depth is no polynomial of slope one.
std::optional<CellFaces> find_faces(const CutShape& cell);

}  // namespace abut
