#pragma once

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Contact of two ellipsoids, and how well it was found.
struct EllipsoidContact {
  PointContact contact;         ///< the point of action is the middle of the two surface points
  Vec3 point_a = Vec3::Zero();  ///< nearest (or, overlapping, deepest) point of A [m]
  Vec3 point_b = Vec3::Zero();  ///< the same of B [m]
  int iterations = 0;           ///< of Newton's method
};

/// Contact of ellipsoids A and B to machine precision.
///
/// Over unit vectors n, the width of the slab between the two supporting planes,
///     g(n) = n . (c_A - c_B) - h_A(n) - h_B(n),   h(n) = sqrt(n' Q n),   Q = R diag(a^2) R',
/// has its maximum at the common normal: the signed distance when apart, minus the shortest translation along a
/// locally best direction when overlapping. Newton's method on the sphere, with the curvature made definite and the
/// step cut until g grows.
///
/// The start decides which maximum is found. Ellipsoids scaled about their centres until they touch [Perram and
/// Wertheim 1985] give a unit vector that depends continuously on the pose, with g > 0 whenever they are apart;
/// the cone g > 0 holds one maximum only, the true one. `last_normal` (null: none) is tried first and kept only if it
/// ends with g > 0, so that the answer never depends on it beyond rounding.
///
/// Concentric ellipsoids: the best of their axes. Overlaps deeper than the radii of curvature at the contact have
/// several local answers, and the normal may then change suddenly.
EllipsoidContact calc_ellipsoid_ellipsoid(const Ellipsoid& a, const Pose& X_WA, const Ellipsoid& b, const Pose& X_WB,
                                          const Vec3* last_normal = nullptr);

}  // namespace abut
