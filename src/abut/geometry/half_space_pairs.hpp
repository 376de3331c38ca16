#pragma once

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// A half-space in world coordinates: solid where normal . p <= offset.
struct WorldPlane {
  Vec3 normal = Vec3::UnitZ();  ///< unit
  double offset = 0.0;          ///< [m]
};

WorldPlane make_world_plane(const HalfSpace& half_space, const Pose& X_WS);

/// Radial unit vector, in the shape frame, of the deepest point of a rim about z below a plane with normal n_S; a fixed
/// one where the rim is parallel to the plane.
Vec3 calc_deepest_direction(const Vec3& n_S);

/// Contacts of shape A, posed by X_WA, with a half-space B. Every point is a fixed feature of A (or, on a rim, the
/// one at a fixed angle from the deepest), so that a body at rest keeps its points and its support does not cycle.

/// Two: the lowest points of the balls at +z and -z.
void calc_capsule_half_space(const Capsule& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out);

/// Eight corners; corner k is at + along axis i where bit i of k is set.
void calc_box_half_space(const Box& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out);

/// Eight: on the rim at +z, then at -z, the deepest point and those 90, 180 and 270 degrees about +z from it.
/// Within about 1e-7 rad of upright, where all points are equally deep, the first point turns to the body's x axis.
void calc_cylinder_half_space(const Cylinder& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out);

/// Five: the apex, then four points of the base rim as for the cylinder. Finite height only.
void calc_cone_half_space(const Cone& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out);

/// One: the lowest point.
PointContact calc_ellipsoid_half_space(const Ellipsoid& a, const Pose& X_WA, const WorldPlane& plane);

/// Four: the lowest point of the tube and those 90, 180 and 270 degrees about +z from it, each the lowest of its
/// section; near flat as for the cylinder.
void calc_torus_half_space(const Torus& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out);

/// Four: the lowest point of all, on the round wall or on the outer edge of the lip, and the points of that edge 90,
/// 180 and 270 degrees about +z from its lowest.
void calc_bowl_half_space(const Bowl& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out);

}  // namespace abut
