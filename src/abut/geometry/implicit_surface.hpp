#pragma once

#include <variant>
#include <vector>

#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Solid where sum |p_i / semi_axes_i|^exponent <= 1; exponent 2 is the ellipsoid, large ones round boxes.
struct Superquadric {
  Vec3 semi_axes = Vec3::Ones();  ///< [m]
  double exponent = 2.0;          ///< >= 2
};

class ImplicitSurface;

/// The common part of several convex solids, each in its own pose, with edges rounded so that it stays smooth: the
/// p-norm of 1 + f_i in place of the largest. The larger the sharpness the smaller the rounding; it lies inside.
struct RoundedIntersection {
  std::vector<ImplicitSurface> parts;
  std::vector<Pose> X_SP;  ///< of each part
  double sharpness = 16.0;
};

/// A smooth convex solid f(p) <= 0 by a function that grows outwards.   [spec 4, 2.4]
/// f is dimensionless with f = -1 at the centre for the bounded kinds, and the distance [m] for the half-space.
class ImplicitSurface {
 public:
  using Kind = std::variant<Sphere, Ellipsoid, Superquadric, HalfSpace, RoundedIntersection>;

  explicit ImplicitSurface(Kind kind) : kind_(std::move(kind)) {}

  const Kind& kind() const { return kind_; }
  double value(const Vec3& p) const;
  /// [1/m], or [1] for the half-space; never zero outside the innermost part.
  Vec3 gradient(const Vec3& p) const;
  Vec3 calc_normal(const Vec3& p) const { return gradient(p).normalized(); }

  /// The point of f = offset (offset > -1) furthest along the unit direction; for a half-space the one nearest to
  /// `near`.
  Vec3 calc_support(const Vec3& direction, double offset = 0.0, const Vec3& near = Vec3::Zero()) const;

 private:
  Kind kind_;
};

/// Two points whose outward normals are opposite and along the line between them: nearest ones of solids that are
/// apart, deepest ones of solids that overlap.   [spec 4, (9)]
struct OpposedPoints {
  Vec3 a1 = Vec3::Zero(), a2 = Vec3::Zero();  ///< on 1 and 2, world [m]
  Vec3 normal = Vec3::UnitZ();                ///< out of 2, into 1
  double gap = 0.0;                           ///< (a1 - a2) . normal: negative where they overlap [m]
  bool is_converged = false;
};

/// Maximises the gap between supporting planes over all directions, from `start` (any non-zero vector out of 2 into 1).
/// The function is smooth and, seen from a start within a right angle of the solution, has no other maximum for solids
/// that are apart; overlapping ones give the nearest local one.
OpposedPoints find_opposed_points(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g,
                                  const Pose& X_W2, const Vec3& start);

}  // namespace abut
