#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// The point of an ellipsoid's surface nearest to a given point.
struct EllipsoidProjection {
  Vec3 point = Vec3::Zero();    ///< on the surface [m]
  Vec3 normal = Vec3::UnitZ();  ///< outward, unit
  double distance = 0.0;        ///< signed, < 0 inside [m]
};

/// Nearest point of sum (x_i / a_i)^2 = 1 to y (both in the axes of the ellipsoid), to machine precision.
///
/// With y = x + t grad, x_i = a_i^2 y_i / (t + a_i^2) and t is the largest root of the secular equation sum (a_i y_i
/// / (t + a_i^2))^2 = 1, the only one above -a_min^2; it belongs to the global minimum, inside as outside. Solved by
/// Newton's method on 1 / |.|, which is almost straight (as in trust-region methods [More 1978]), kept in a
/// bracket. Where y lies in the plane across the shortest axis and deep inside, two points are equally near; the one
/// on the positive side is returned.
EllipsoidProjection project_onto_ellipsoid(const Vec3& semi_axes, const Vec3& y);

}  // namespace abut
