#pragma once

#include <optional>

#include "abut/geometry/volume/quadric.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// A quadric in coordinates y in which it is simplest: |y| <= 1 (every ellipsoid), y_x^2 + y_y^2 <= 1 (every cylinder),
/// or y_x^2 + y_y^2 <= (k y_z)^2, y_z <= 0 (a cone, k the tangent of its half-angle). All three are convex.
struct UnitQuadric {
  QuadricKind kind = QuadricKind::ellipsoid;
  double k = 1.0;  ///< cone

  /// y'D y - e: negative inside (of both nappes of a cone).
  double value(const Vec3& y) const { return y.cwiseProduct(weights()).dot(y) - constant(); }
  /// Half the gradient of value().
  Vec3 gradient(const Vec3& y) const { return y.cwiseProduct(weights()); }
  /// v'D v.
  double bend(const Vec3& v) const { return v.cwiseProduct(weights()).dot(v); }
  bool contains(const Vec3& y) const { return value(y) <= 0.0 && (kind != QuadricKind::cone || y.z() <= 0.0); }
  /// How far y lies outside (> 0) or inside, never more than the distance.
  double calc_outside(const Vec3& y) const;
  /// A direction n in which the quadric ends, and its largest n . y there; the one that looks at y.
  Vec3 calc_outward(const Vec3& y, double& support) const;
  /// The part of the line p + s d inside.
  std::optional<LineInterval> calc_interval(const Vec3& p, const Vec3& d) const;
  /// A point inside of the plane n . y = offset (n unit); nothing if there is none.
  std::optional<Vec3> find_plane_point(const Vec3& n, double offset) const;

  Vec3 weights() const {
    if (kind == QuadricKind::ellipsoid) return Vec3::Ones();
    return {1.0, 1.0, kind == QuadricKind::cylinder ? 0.0 : -k * k};
  }
  double constant() const { return kind == QuadricKind::cone ? 0.0 : 1.0; }
};

/// x = center + axes scale y leads from the unit coordinates to the frame the quadric is given in.
struct UnitFrame {
  Mat3 axes = Mat3::Identity();  ///< a rotation
  Vec3 scale = Vec3::Ones();     ///< [m]
  Vec3 center = Vec3::Zero();    ///< [m]

  Vec3 to_unit(const Vec3& x) const { return (axes.transpose() * (x - center)).cwiseQuotient(scale); }
  Vec3 from_unit(const Vec3& y) const { return center + axes * scale.cwiseProduct(y); }
};

UnitFrame make_unit_frame(const Quadric& quadric);
UnitQuadric make_unit_quadric(const Quadric& quadric);

}  // namespace abut
