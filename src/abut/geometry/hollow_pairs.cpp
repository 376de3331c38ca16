#include "abut/geometry/hollow_pairs.hpp"

#include <cmath>
#include <numbers>

#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/sphere_kernels.hpp"

namespace abut {
namespace {

Vec3 calc_ring_direction(int k, const Pose& X_WS) {
  const double angle = 2.0 * std::numbers::pi * k / kRingPoints;
  return std::cos(angle) * X_WS.R.col(0) + std::sin(angle) * X_WS.R.col(1);
}

/// A ball against another about `center`, which may be a point; the point of action as of sphere_solid().
PointContact calc_ball_contact(const Vec3& c, double r, const Vec3& center, double radius, const Vec3& fallback) {
  const Vec3 apart = c - center;
  const double distance = apart.norm();
  const Vec3 n = distance > 0.0 ? Vec3(apart / distance) : fallback;
  return {distance - radius - r, n, c - r * n};
}

}  // namespace

void calc_capsule_cavity(const Capsule& a, const Pose& X_WA, const Cavity& b, const Pose& X_WB, PointContact* out) {
  const Vec3 arm = a.half_length * X_WA.R.col(2);
  out[0] = sphere_solid(X_WA.p + arm, a.radius, b, X_WB);
  out[1] = sphere_solid(X_WA.p - arm, a.radius, b, X_WB);
}

void calc_box_cavity(const Box& a, const Pose& X_WA, const Cavity& b, const Pose& X_WB, PointContact* out) {
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
    out[k] = sphere_solid(X_WA * Vec3(a.half_size.cwiseProduct(sign)), 0.0, b, X_WB);
  }
}

void calc_sphere_ring(const Sphere& a, const Pose& X_WA, const Torus& b, const Pose& X_WB, PointContact* out) {
  for (int k = 0; k < kRingPoints; ++k) {
    const Vec3 radial = calc_ring_direction(k, X_WB);
    out[k] = calc_ball_contact(X_WA.p, a.radius, X_WB.p + b.ring_radius * radial, b.tube_radius, -radial);
  }
}

void calc_sphere_mouth(const Sphere& a, const Pose& X_WA, const Bowl& b, const Pose& X_WB, PointContact* out) {
  const Vec3 center = X_WB.p + b.calc_lip_height() * X_WB.R.col(2);
  for (int k = 0; k < kRingPoints; ++k) {
    const Vec3 radial = calc_ring_direction(k, X_WB);
    out[k] = calc_ball_contact(X_WA.p, a.radius, center + b.calc_opening_radius() * radial, 0.0, X_WB.R.col(2));
  }
}

}  // namespace abut
