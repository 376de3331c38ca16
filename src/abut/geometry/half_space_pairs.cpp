#include "abut/geometry/half_space_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/sphere_kernels.hpp"

namespace abut {
namespace {

/// Tilt [rad] below which a rim is as good as parallel to the plane: over a 1 m rim the depth varies by 0.1 micrometre.
constexpr double kUprightTilt = 1e-7;

PointContact make_vertex_contact(const Vec3& p_W, const WorldPlane& plane, const Vec3& arm = Vec3::Zero()) {
  return {plane.normal.dot(p_W) - plane.offset, plane.normal, p_W, arm};
}

/// The deepest and the highest point of a rim are stationary along it, so that their gaps change with the material's
/// velocity. The two in between are always as high as the centre, and their gaps change with its velocity: a law that
/// took their own instead would create or lose energy.
void calc_rim_contacts(double radius, double z, const Vec3& deepest_S, const Pose& X_WA, const WorldPlane& plane,
                       PointContact* out) {
  const Vec3 center = X_WA.p + z * X_WA.R.col(2);
  const Vec3 u = radius * (X_WA.R * deepest_S);
  const Vec3 v = X_WA.R.col(2).cross(u);
  out[0] = make_vertex_contact(center + u, plane);
  out[1] = make_vertex_contact(center + v, plane, -v);
  out[2] = make_vertex_contact(center - u, plane);
  out[3] = make_vertex_contact(center - v, plane, v);
}

}  // namespace

/// A field of directions that points downhill everywhere must be singular somewhere near upright. The singular tilt
/// is moved off upright itself, by leaning on x there, because upright is where cylinders come to rest.
Vec3 calc_deepest_direction(const Vec3& n_S) {
  const Vec3 downhill(-n_S.x(), -n_S.y(), 0.0);
  const double tilt = downhill.norm();
  const double lean = std::max(0.0, kUprightTilt - 0.25 * tilt);
  const Vec3 direction = downhill + lean * Vec3::UnitX();
  const double length = direction.norm();
  return length > 1e-3 * kUprightTilt ? Vec3(direction / length) : Vec3(Vec3::UnitX());
}

WorldPlane make_world_plane(const HalfSpace& half_space, const Pose& X_WS) {
  const Vec3 n = X_WS.R * half_space.normal;
  return {n, half_space.offset + n.dot(X_WS.p)};
}

void calc_capsule_half_space(const Capsule& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out) {
  const Vec3 arm = a.half_length * X_WA.R.col(2);
  out[0] = sphere_half_space(X_WA.p + arm, a.radius, plane.normal, plane.offset);
  out[1] = sphere_half_space(X_WA.p - arm, a.radius, plane.normal, plane.offset);
}

void calc_box_half_space(const Box& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out) {
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
    out[k] = make_vertex_contact(X_WA * Vec3(a.half_size.cwiseProduct(sign)), plane);
  }
}

void calc_cylinder_half_space(const Cylinder& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out) {
  const Vec3 deepest = calc_deepest_direction(X_WA.R.transpose() * plane.normal);
  calc_rim_contacts(a.radius, a.half_length, deepest, X_WA, plane, out);
  calc_rim_contacts(a.radius, -a.half_length, deepest, X_WA, plane, out + 4);
}

void calc_cone_half_space(const Cone& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out) {
  const Vec3 deepest = calc_deepest_direction(X_WA.R.transpose() * plane.normal);
  out[0] = make_vertex_contact(X_WA.p, plane);
  calc_rim_contacts(calc_base_radius(a), -a.height, deepest, X_WA, plane, out + 1);
}

void calc_torus_half_space(const Torus& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out) {
  const Vec3 deepest = calc_deepest_direction(X_WA.R.transpose() * plane.normal);
  calc_rim_contacts(a.ring_radius, 0.0, deepest, X_WA, plane, out);
  // Each section of the tube is a ball about its middle.
  for (int k = 0; k < 4; ++k) {
    out[k].gap -= a.tube_radius;
    out[k].point -= a.tube_radius * plane.normal;
  }
}

void calc_bowl_half_space(const Bowl& a, const Pose& X_WA, const WorldPlane& plane, PointContact* out) {
  const Vec3 n_S = X_WA.R.transpose() * plane.normal;
  const double lip = a.calc_lip_height();
  calc_rim_contacts(a.calc_lip_radius(), lip, calc_deepest_direction(n_S), X_WA, plane, out);
  if (-a.calc_outer_radius() * n_S.z() <= lip)
    out[0] = sphere_half_space(X_WA.p, a.calc_outer_radius(), plane.normal, plane.offset);
}

PointContact calc_ellipsoid_half_space(const Ellipsoid& a, const Pose& X_WA, const WorldPlane& plane) {
  const Vec3 scaled = a.semi_axes.cwiseProduct(Vec3(X_WA.R.transpose() * plane.normal));
  const double support = scaled.norm();
  const Vec3 lowest = X_WA.p - X_WA.R * Vec3(a.semi_axes.cwiseProduct(scaled) / support);
  return {plane.normal.dot(X_WA.p) - plane.offset - support, plane.normal, lowest};
}

}  // namespace abut
