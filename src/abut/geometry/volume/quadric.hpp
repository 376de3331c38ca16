#pragma once

#include <optional>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

enum class QuadricKind { ellipsoid, cylinder, cone };

/// A solid bounded by one quadric, or what is left of space outside it. In its frame Q:
///   ellipsoid  sum (p_i / size_i)^2 <= 1;
///   cylinder   p_x^2 + p_y^2 <= size_x^2, endless along z;
///   cone       p_x^2 + p_y^2 <= (size_x p_z)^2 and p_z <= 0: apex at the origin, size_x the tangent of the half-angle.
struct Quadric {
  QuadricKind kind = QuadricKind::ellipsoid;
  Vec3 size = Vec3::Ones();  ///< [m]; cone: [-]
  Pose X;                    ///< pose of Q in the frame of the solid, or of whatever the quadric is carried to
  bool is_complement = false;
  int owner = 0;  ///< which of the two solids it bounds

  Vec3 axis() const { return X.R.col(2); }
  bool is_sphere() const { return kind == QuadricKind::ellipsoid && size.x() == size.y() && size.y() == size.z(); }
};

/// F(x) = x'Q x + 2 b'x + c <= 0 inside (both nappes of a cone), dimensionless (cone: m^2).
struct QuadraticForm {
  Mat3 Q = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0.0;

  double value(const Vec3& x) const { return x.dot(Q * x + 2.0 * b) + c; }
};

QuadraticForm make_quadratic_form(const Quadric& quadric);

/// A signed measure of how far x lies outside the solid, complement taken into account: < 0 inside, 0 on the surface,
/// near it about the distance [m].
double calc_outside_measure(const Quadric& quadric, const Vec3& x);

/// Largest n . x over the solid [m], infinity where there is none; n unit. Complements have none.
double calc_support(const Quadric& quadric, const Vec3& n);

/// The interval of s where the line p + s d runs inside the quadric, complement NOT taken into account; may be
/// half-infinite for a cone, empty (nullopt) when it misses.
struct LineInterval {
  double lower = 0.0, upper = 0.0;
};
std::optional<LineInterval> calc_line_interval(const Quadric& quadric, const Vec3& p, const Vec3& d);

}  // namespace abut
