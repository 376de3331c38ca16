#pragma once

#include <optional>

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Principal curvatures of a surface at a point [1/m], > 0 where the solid is convex, < 0 where it is concave (a bore).
struct SurfaceCurvature {
  double kappa_1 = 0.0;  ///< the larger
  double kappa_2 = 0.0;
  Vec3 direction_1 = Vec3::UnitX();  ///< unit tangent of kappa_1, world frame; any tangent where both are equal
};

/// Curvature of the shape's surface at the point nearest to point_W, whose outward unit normal is normal_W. Nothing
/// at edges, corners, rims and apices: where the normal is not that of a smooth face (to 1e-6 rad), or the point is
/// at its border (to 1e-9 of the shape's size). The ends of a capsule's straight part count as its balls.
std::optional<SurfaceCurvature> calc_surface_curvature(const Shape& shape, const Pose& X_WS, const Vec3& point_W,
                                                       const Vec3& normal_W);

/// The same with the normal taken from the signed distance at point_W. A contact point slightly inside an edge looks
/// like a point of a face: give the normal where it is known.
std::optional<SurfaceCurvature> calc_surface_curvature(const Shape& shape, const Pose& X_WS, const Vec3& point_W);

/// Principal values of the summed curvature of two touching surfaces [1/m], a >= b: the gap between the undeformed
/// surfaces is (a x^2 + b y^2) / 2 in suitable tangential axes, and the relative radii are 1/a <= 1/b.
/// b <= 0 means surfaces that conform or would touch elsewhere first: no Hertz contact.
struct RelativeCurvature {
  double a = 0.0;
  double b = 0.0;
};

/// With the angle phi between the first directions [Hertz 1882; Johnson 1985, 4.1]:
///   a + b = sum of all four,   a - b = |(k1 - k2)_A + (k1 - k2)_B e^{2 i phi}|.
RelativeCurvature calc_relative_curvature(const SurfaceCurvature& a, const SurfaceCurvature& b);

/// For a contact of the ordered pair (A, B); nothing if either surface has an edge there.
std::optional<RelativeCurvature> calc_relative_curvature(const Shape& a, const Pose& X_WA, const Shape& b,
                                                         const Pose& X_WB, const PointContact& contact);

}  // namespace abut
