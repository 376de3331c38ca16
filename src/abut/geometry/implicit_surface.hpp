#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// A smooth convex solid f(p) <= 0 by a function that grows outwards.   [Chakraborty et al. 2007 (6)-(9)]
/// f is dimensionless with f = -1 at the centre for the bounded kinds, and the distance [m] for the half-space. Copies
/// share the parts of an intersection.
class ImplicitSurface {
 public:
  using Kind = std::variant<Sphere, Ellipsoid, Superquadric, HalfSpace, Intersection>;

  explicit ImplicitSurface(Kind kind) : kind_(std::move(kind)) {}

  const Kind& kind() const { return kind_; }
  double value(const Vec3& p) const;
  /// [1/m], or [1] for the half-space; never zero outside the innermost part.
  Vec3 gradient(const Vec3& p) const;
  /// Second derivatives [1/m^2]; 0 where they do not exist (the axis of a superquadric whose exponents differ).
  Mat3 calc_hessian(const Vec3& p) const;
  Vec3 calc_normal(const Vec3& p) const { return gradient(p).normalized(); }

  /// The point of f = offset (offset > -1) furthest along the unit direction; for a half-space the one nearest to
  /// `near`.
  Vec3 calc_support(const Vec3& direction, double offset = 0.0, const Vec3& near = Vec3::Zero()) const;

  /// How far f = 0 is from the origin along a unit direction [m]; bounded kinds only. The guess only saves time.
  double calc_reach(const Vec3& direction, double guess = 1e-3) const;

  /// Smallest box about f <= 0 posed by X_WS; bounded kinds only.
  Aabb calc_bounds(const Pose& X_WS) const;

 private:
  Kind kind_;
};

/// The common part of several convex solids, with edges rounded so that it stays smooth: f is the p-norm of the parts'
/// levels less 1, a level being 1 + f of a bounded part and the distance from the origin over that of the plane for a
/// half-space. The solid lies inside every part, and every edge between two of them is cut by (1 - 2^(-1/sharpness)) of
/// its level; away from edges the surface is that of the part to about level^sharpness / sharpness.
struct RoundedParts {
  struct Part {
    ImplicitSurface surface;
    Pose X_SP;           ///< in the frame of the intersection
    double scale = 1.0;  ///< of the surface's value, by make_rounded_parts()
  };
  std::vector<Part> list;
  double sharpness = kDefaultSharpness;

  static constexpr double kDefaultSharpness = 16.0;
  /// Levels are squares of lengths for most parts: from 2 their edges are smooth; beyond 32 the rounding is a fiftieth
  /// of the size and the curvature of edges hinders Newton's method.
  static constexpr double kMinSharpness = 2.0, kMaxSharpness = 32.0;
};

RoundedParts make_rounded_parts(std::vector<std::pair<ImplicitSurface, Pose>> parts, double sharpness);

/// What is wrong with the parts, or an empty string: the origin has to lie inside all of them.
std::string find_parts_defect(const RoundedParts& parts);

/// Whether a part is bounded, or the planes close around the origin.
bool is_bounded(const RoundedParts& parts);

/// The function of a shape that has one: sphere, ellipsoid, superquadric, half-space, intersection.
std::optional<ImplicitSurface> find_implicit_surface(const Shape& shape);

}  // namespace abut
