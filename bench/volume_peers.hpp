#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Peers that volumes of interference are compared with.

/// Time and results of CGAL's corefinement over pairs of polyhedra.
struct CorefinementResult {
  /// For all pairs, each the best of three: intersection and its volume, without making the input meshes [s].
  double seconds = 0.0;
  std::vector<double> volumes;  ///< [m^3]
};

/// Whether this build has CGAL (GPL; benchmarks only).
bool has_corefinement();
CorefinementResult run_corefinement(const ConvexPolyhedron& a, const std::vector<Pose>& X_WA, const ConvexPolyhedron& b,
                                    const std::vector<Pose>& X_WB);

/// Volume by recursive splitting of a box into eight, down to voxels of edge at most `voxel` [m]. [Gonthier 2007,
/// A.3.2] `gap` is a lower bound of the distance of a point from the region, minus one of the distance from its border
/// where inside, and changes by no more than the point moves; the voxel on the border counts whole or not at all by the
/// sign of its centre's gap, or, with `fill`, by the share that a flat border at that gap would leave.
struct Voxels {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< [m]
  double voxel = 1e-3;                              ///< [m]
  bool fill = false;
};

template <class Gap>
double calc_voxel_volume(const Voxels& grid, const Gap& gap) {
  const Vec3 size = grid.upper - grid.lower, center = 0.5 * (grid.lower + grid.upper);
  const double g = gap(center), reach = 0.5 * size.norm();
  if (g >= reach) return 0.0;
  if (g <= -reach) return size.prod();
  if (size.maxCoeff() <= grid.voxel) {
    const double edge = std::cbrt(size.prod());
    const double share = grid.fill ? std::clamp(0.5 - g / edge, 0.0, 1.0) : (g <= 0.0 ? 1.0 : 0.0);
    return share * size.prod();
  }
  double volume = 0.0;
  for (int k = 0; k < 8; ++k) {
    Voxels part = grid;
    for (int i = 0; i < 3; ++i) ((k >> i & 1) != 0 ? part.lower : part.upper)[i] = center[i];
    volume += calc_voxel_volume(part, gap);
  }
  return volume;
}

}  // namespace abut
