#pragma once

#include "abut/geometry/implicit_surface.hpp"

namespace abut {

/// Two points whose outward normals are opposite and along the line between them: nearest ones of solids that are
/// apart, deepest ones of solids that overlap.   [Chakraborty et al. 2007 (9)]
struct OpposedPoints {
  Vec3 a1 = Vec3::Zero(), a2 = Vec3::Zero();  ///< on 1 and 2, world [m]
  Vec3 normal = Vec3::UnitZ();                ///< out of 2, into 1
  double gap = 0.0;                           ///< (a1 - a2) . normal: negative where they overlap [m]
  bool is_converged = false;
};

/// Maximises the gap between supporting planes over all directions, from `start` (any non-zero vector out of 2 into 1).
/// The function is smooth and, seen from a start within a right angle of the solution, has no other maximum for solids
/// that are apart; overlapping ones give the nearest local one. Steps are Newton's, with the radii of curvature at both
/// points, where they help, and along the slope elsewhere: a flat spot has no radius.
OpposedPoints find_opposed_points(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g,
                                  const Pose& X_W2, const Vec3& start);

}  // namespace abut
