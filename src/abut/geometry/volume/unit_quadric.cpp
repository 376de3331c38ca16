#include "abut/geometry/volume/unit_quadric.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

double UnitQuadric::calc_outside(const Vec3& y) const {
  if (kind == QuadricKind::ellipsoid) return y.norm() - 1.0;
  const double across = y.head<2>().norm();
  if (kind == QuadricKind::cylinder) return across - 1.0;
  return (across + k * y.z()) / std::sqrt(1.0 + k * k);
}

Vec3 UnitQuadric::calc_outward(const Vec3& y, double& support) const {
  support = constant();
  Vec3 n = y;
  if (kind != QuadricKind::ellipsoid) n.z() = 0.0;
  const double length = n.norm();
  n = length > 0.0 ? Vec3(n / length) : Vec3(Vec3::UnitX());
  if (kind == QuadricKind::cone) n = Vec3(n.x(), n.y(), k) / std::sqrt(1.0 + k * k);
  return n;
}

std::optional<LineInterval> UnitQuadric::calc_interval(const Vec3& p, const Vec3& d) const {
  return calc_line_interval({kind, Vec3(kind == QuadricKind::cone ? k : 1.0, 1.0, 1.0), Pose(), false, 0}, p, d);
}

std::optional<Vec3> UnitQuadric::find_plane_point(const Vec3& n, double offset) const {
  if (kind == QuadricKind::ellipsoid) {
    if (!(std::abs(offset) < 1.0)) return std::nullopt;
    return Vec3(offset * n);
  }
  if (kind == QuadricKind::cylinder) {
    // Near the origin where possible. Else a little way into the tip of the ellipse: its middle, on the axis, may be
    // any number of radii away, and seen from there points of the tip lie in one direction.
    const Vec3 foot = offset * n;
    if (foot.head<2>().norm() < 1.0) return foot;
    const double across = n.head<2>().norm(), along = std::abs(n.z());
    if (!(along > 1e-15 * across)) return std::nullopt;
    const double reach = 1.0 - std::min(0.5, along / across);
    const double height = (std::abs(offset) - reach * across) / n.z();
    const Vec2 radial = n.head<2>() * (reach / across);
    return std::copysign(1.0, offset) * Vec3(radial.x(), radial.y(), height);
  }
  // On a ray from the apex, in the half-plane of the normal: (c k r, -1) with |c| < 1.
  const double across = n.head<2>().norm();
  const Vec2 r = across > 0.0 ? Vec2(n.head<2>() / across) : Vec2(Vec2::UnitX());
  for (const double c : {0.0, 0.5, -0.5, 0.9, -0.9, 0.99, -0.99, 0.9999, -0.9999}) {
    const double rate = across * c * k - n.z();
    const double reach = offset / rate;
    if (std::isfinite(reach) && reach > 0.0) return Vec3(c * k * reach * r.x(), c * k * reach * r.y(), -reach);
  }
  return std::nullopt;
}

UnitFrame make_unit_frame(const Quadric& quadric) {
  UnitFrame frame;
  frame.axes = quadric.X.R;
  frame.center = quadric.X.p;
  if (quadric.kind == QuadricKind::ellipsoid) frame.scale = quadric.size;
  if (quadric.kind == QuadricKind::cylinder) frame.scale.setConstant(quadric.size.x());
  return frame;
}

UnitQuadric make_unit_quadric(const Quadric& quadric) { return {quadric.kind, quadric.size.x()}; }

}  // namespace abut
