#pragma once

#include <cmath>

#include "abut/geometry/point_contact.hpp"
#include "abut/geometry/signed_distance.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Contacts of a sphere A (centre c [m], radius r [m]), inline because piles of spheres spend their time here.

/// Two spheres; the point of action is the middle of the overlap. Coincident centres: normal +z.
inline PointContact sphere_sphere(const Vec3& c_a, double r_a, const Vec3& c_b, double r_b) {
  const Vec3 d = c_a - c_b;
  const double distance = std::sqrt(d.squaredNorm());
  const Vec3 n = distance > 0.0 ? Vec3(d / distance) : Vec3(Vec3::UnitZ());
  const double gap = distance - (r_a + r_b);
  return {gap, n, c_b + (r_b + 0.5 * gap) * n};
}

/// Sphere against the half-space n_W . p <= offset_W, n_W unit [Gonthier 2007 (A.1)-(A.3)]; the point of action is the
/// lowest point of the sphere.
inline PointContact sphere_half_space(const Vec3& c, double r, const Vec3& n_W, double offset_W) {
  return {n_W.dot(c) - offset_W - r, n_W, c - r * n_W};
}

/// Sphere against any solid with a signed distance; point of action c - r n [Gonthier 2007 (A.1)].
template <class Solid>
PointContact sphere_solid(const Vec3& c, double r, const Solid& solid, const Pose& X_WS) {
  const SurfaceDistance surface = calc_signed_distance(solid, Vec3(X_WS.R.transpose() * (c - X_WS.p)));
  const Vec3 n = X_WS.R * surface.normal;
  return {surface.distance - r, n, c - r * n};
}

}  // namespace abut
