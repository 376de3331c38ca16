#include "abut/geometry/signed_distance.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/geometry/ellipsoid_projection.hpp"

namespace abut {
namespace {

/// Below this sine the two faces of a wedge are one plane; below this ratio an offset has no direction left.
constexpr double kDegenerate = 1e-14;

/// A point in the half-plane (r, z) through the axis of a solid of revolution, and the radial unit vector it came from.
struct Meridian {
  double r, z;
  Vec3 radial;
};

Meridian make_meridian(const Vec3& p) {
  const double r = std::hypot(p.x(), p.y());
  const Vec3 radial = r > 0.0 ? Vec3(p.x() / r, p.y() / r, 0.0) : Vec3(Vec3::UnitX());
  return {r, p.z(), radial};
}

Vec3 lift(const Meridian& m, double n_r, double n_z) { return n_r * m.radial + Vec3(0.0, 0.0, n_z); }

/// Distance from a sharp point of the profile, at (dr, dz) from it; `fallback` where the offset vanishes.
SurfaceDistance calc_corner_distance(const Meridian& m, double dr, double dz, const Vec3& fallback) {
  const double d = std::hypot(dr, dz);
  if (!(d > 0.0)) return {0.0, fallback};
  return {d, lift(m, dr / d, dz / d)};
}

SurfaceDistance calc_point_distance(const Vec3& offset, double radius, const Vec3& fallback) {
  const double d = offset.stableNorm();
  return {d - radius, d > 0.0 ? Vec3(offset / d) : fallback};
}

}  // namespace

SurfaceDistance calc_signed_distance(const Sphere& sphere, const Vec3& p_S) {
  return calc_point_distance(p_S, sphere.radius, Vec3::UnitZ());
}

SurfaceDistance calc_signed_distance(const HalfSpace& half_space, const Vec3& p_S) {
  return {half_space.normal.dot(p_S) - half_space.offset, half_space.normal};
}

SurfaceDistance calc_signed_distance(const Box& box, const Vec3& p_S) {
  const Vec3 excess = p_S.cwiseAbs() - box.half_size;
  int face = 0;
  if (excess.maxCoeff(&face) <= 0.0) return {excess[face], std::copysign(1.0, p_S[face]) * Vec3::Unit(face)};
  const Vec3 outside = excess.cwiseMax(0.0);
  const double distance = outside.stableNorm();
  const Vec3 sign = p_S.unaryExpr([](double x) { return std::copysign(1.0, x); });
  return {distance, (outside / distance).cwiseProduct(sign)};
}

SurfaceDistance calc_signed_distance(const Cylinder& cylinder, const Vec3& p_S) {
  const Meridian m = make_meridian(p_S);
  const double side = m.r - cylinder.radius;
  const double end = std::abs(m.z) - cylinder.half_length;
  const double up = std::copysign(1.0, m.z);
  if (side > 0.0 && end > 0.0) return calc_corner_distance(m, side, up * end, m.radial);
  if (side >= end) return {side, m.radial};
  return {end, Vec3(0.0, 0.0, up)};
}

SurfaceDistance calc_signed_distance(const Bore& bore, const Vec3& p_S) {
  const Meridian m = make_meridian(p_S);
  return {bore.radius - m.r, -m.radial};
}

SurfaceDistance calc_signed_distance(const Cone& cone, const Vec3& p_S) {
  const Meridian m = make_meridian(p_S);
  const double sine = std::sin(cone.half_angle);
  const double cosine = std::cos(cone.half_angle);
  // Along the generator, from the apex down, and out of it [Gonthier 2007 (A.21)-(A.24)].
  const double along = m.r * sine - m.z * cosine;
  const double side = m.r * cosine + m.z * sine;
  const bool has_base = std::isfinite(cone.height);
  const double base = has_base ? -cone.height - m.z : -kInfiniteLength;
  const Vec3 side_normal = m.r > 0.0 ? lift(m, cosine, sine) : Vec3(Vec3::UnitZ());

  if (side <= 0.0 && base <= 0.0) {
    if (side >= base) return {side, side_normal};
    return {base, -Vec3::UnitZ()};
  }
  if (side > 0.0 && along <= 0.0) return calc_corner_distance(m, m.r, m.z, Vec3::UnitZ());
  if (!has_base) return {side, side_normal};
  const double slant = cone.height / cosine;
  const double rim = calc_base_radius(cone);
  if (side > 0.0 && along <= slant) return {side, side_normal};
  if (base > 0.0 && m.r <= rim) return {base, -Vec3::UnitZ()};
  return calc_corner_distance(m, m.r - rim, -base, side_normal);
}

SurfaceDistance calc_signed_distance(const Capsule& capsule, const Vec3& p_S) {
  const double z = std::clamp(p_S.z(), -capsule.half_length, capsule.half_length);
  return calc_point_distance(p_S - Vec3(0.0, 0.0, z), capsule.radius, Vec3::UnitX());
}

SurfaceDistance calc_signed_distance(const Ellipsoid& ellipsoid, const Vec3& p_S) {
  const EllipsoidProjection projection = project_onto_ellipsoid(ellipsoid.semi_axes, p_S);
  return {projection.distance, projection.normal};
}

/// [Gonthier 2007 (A.5)-(A.10)], with the projection renormalised. The printed face tests also claim points on the far
/// side of an acute wedge, so a face is chosen here only for points above it.
SurfaceDistance calc_signed_distance(const Wedge& wedge, const Vec3& p_S) {
  const Vec3& n1 = wedge.normal_1;
  const Vec3& n2 = wedge.normal_2;
  const Vec3 cross = n1.cross(n2);
  const double sine = cross.norm();
  const Vec3 mean = (n1 + n2).normalized();
  if (!(sine > kDegenerate)) return {p_S.dot(mean), mean};
  const Vec3 edge = cross / sine;
  const double h1 = p_S.dot(n1);
  const double h2 = p_S.dot(n2);
  if (h1 <= 0.0 && h2 <= 0.0) return h1 >= h2 ? SurfaceDistance{h1, n1} : SurfaceDistance{h2, n2};
  if (h1 > 0.0 && p_S.dot(n1.cross(edge)) >= 0.0) return {h1, n1};
  if (h2 > 0.0 && p_S.dot(edge.cross(n2)) >= 0.0) return {h2, n2};
  const Vec3 across = tangential(p_S, edge);
  return calc_point_distance(across, 0.0, mean);
}

SurfaceDistance calc_signed_distance(const Torus& torus, const Vec3& p_S) {
  const Meridian m = make_meridian(p_S);
  SurfaceDistance surface = calc_corner_distance(m, m.r - torus.ring_radius, m.z, m.radial);
  surface.distance -= torus.tube_radius;
  return surface;
}

SurfaceDistance calc_signed_distance(const Cavity& cavity, const Vec3& p_S) {
  const double s = p_S.stableNorm();
  return {cavity.radius - s, s > 0.0 ? Vec3(-p_S / s) : Vec3(Vec3::UnitZ())};
}

/// The nearest of the pieces of the profile: two arcs about the origin, the lip between them, and its two corners.
SurfaceDistance calc_signed_distance(const Bowl& bowl, const Vec3& p_S) {
  const Meridian m = make_meridian(p_S);
  const double inner = bowl.radius, outer = bowl.calc_outer_radius(), lip = bowl.calc_lip_height();
  const double mouth = bowl.calc_opening_radius(), edge = bowl.calc_lip_radius();
  const double s = std::hypot(m.r, m.z);
  // From the centre the nearest point is taken to be the bottom, which always belongs to the wall.
  const double out_r = s > 0.0 ? m.r / s : 0.0, out_z = s > 0.0 ? m.z / s : -1.0;
  const Vec3 outward = lift(m, out_r, out_z);
  const bool is_inside = m.z <= lip && s >= inner && s <= outer;

  SurfaceDistance best;
  double least = kInfiniteLength;
  const auto offer = [&](double away, const Vec3& normal) {
    if (away < least) best = {is_inside ? -away : away, normal};
    least = std::min(least, away);
  };
  if (out_z * inner <= lip) offer(std::abs(s - inner), -outward);
  if (out_z * outer <= lip) offer(std::abs(s - outer), outward);
  if (m.r >= mouth && m.r <= edge) offer(std::abs(m.z - lip), Vec3::UnitZ());
  if (is_inside) return best;  // the corners are convex
  const auto offer_corner = [&](double r, const Vec3& fallback) {
    const SurfaceDistance corner = calc_corner_distance(m, m.r - r, m.z - lip, fallback);
    offer(corner.distance, corner.normal);
  };
  offer_corner(mouth, Vec3(Vec3::UnitZ() - outward).normalized());
  offer_corner(edge, Vec3(Vec3::UnitZ() + outward).normalized());
  return best;
}

SurfaceDistance calc_signed_distance(const Shape& shape, const Vec3& p_S) {
  return std::visit(
      [&](const auto& s) -> SurfaceDistance {
        if constexpr (requires { calc_signed_distance(s, p_S); }) {
          return calc_signed_distance(s, p_S);
        } else {
          ABUT_REQUIRE(false, "the distance from a {} is not offered", shape_name(shape));
          return {};
        }
      },
      shape);
}

}  // namespace abut
