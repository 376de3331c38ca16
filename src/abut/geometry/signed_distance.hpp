#pragma once

#include "abut/geometry/shape.hpp"

namespace abut {

/// Signed distance of a point from the surface of a shape [m], < 0 inside the solid, and the outward unit normal there,
/// which is the gradient of the distance. Everything in the shape frame S.
///
/// The distance is exact and continuous everywhere. The normal is continuous everywhere outside a convex solid, over
/// edges, rims and apices too; inside it jumps where two parts of the surface are equally near, as it must. At the
/// few points where no direction is preferred it is a documented one, never NaN:
///   sphere centre: +z;  axis of a bar, bore or capsule: radial direction +x (bore: normal -x);
///   axis inside a cone, nearest to the side: +z (the mean of all nearest normals, [Gonthier 2007 (A.20)]);
///   apex of a cone: +z;  edge of a wedge: the mean of its normals ([Gonthier 2007 (A.5)]);
///   centre of an ellipsoid: its shortest axis (the first of equals);
///   axis of a torus: as of a bar; middle of its tube: away from the axis;
///   centre of a cavity or of a bowl's hollow: +z, as over the bottom; edge of a bowl's lip: the mean of both normals.
struct SurfaceDistance {
  double distance = 0.0;
  Vec3 normal = Vec3::UnitZ();
};

SurfaceDistance calc_signed_distance(const Sphere& sphere, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const HalfSpace& half_space, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Box& box, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Cylinder& cylinder, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Bore& bore, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Cone& cone, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Capsule& capsule, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Ellipsoid& ellipsoid, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Wedge& wedge, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Torus& torus, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Cavity& cavity, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Bowl& bowl, const Vec3& p_S);
SurfaceDistance calc_signed_distance(const Shape& shape, const Vec3& p_S);

}  // namespace abut
