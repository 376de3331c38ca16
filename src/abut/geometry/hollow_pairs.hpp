#pragma once

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Contacts of shape A, posed by X_WA, with what has a hollow or a hole. Every point is a fixed feature of A or of B,
/// or the nearest one.

/// Two: the balls at +z and -z. No other point of a capsule is farther from the middle of the hole.
void calc_capsule_cavity(const Capsule& a, const Pose& X_WA, const Cavity& b, const Pose& X_WB, PointContact* out);

/// Eight corners, numbered as for the half-space.
void calc_box_cavity(const Box& a, const Pose& X_WA, const Cavity& b, const Pose& X_WB, PointContact* out);

/// Points at fixed places of a ring that a wide ball may touch all around: seven, at equal angles from the x axis of B.
constexpr int kRingPoints = 7;

/// The ball against sections of the tube, each a ball of its own.
void calc_sphere_ring(const Sphere& a, const Pose& X_WA, const Torus& b, const Pose& X_WB, PointContact* out);

/// The ball against points of the inner edge of the lip.
void calc_sphere_mouth(const Sphere& a, const Pose& X_WA, const Bowl& b, const Pose& X_WB, PointContact* out);

}  // namespace abut
