#pragma once

#include <array>
#include <variant>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// A bounded convex solid by its support function: the farthest point in any direction. It is all points within
/// margin() of a core, so that balls and capsules are a point and a segment. Holds a pointer to a polyhedron, which
/// must outlive it.
class SupportSolid {
 public:
  /// Throws InputError for shapes that are unbounded or not convex (half-space, bore, wedge, infinite bars and cones).
  explicit SupportSolid(const Shape& shape);
  explicit SupportSolid(const ConvexPolyhedron& polyhedron);
  explicit SupportSolid(const std::array<Vec3, 3>& triangle);

  /// Point of the core farthest along `direction` (any length but zero), in the solid's frame [m].
  Vec3 calc_support(const Vec3& direction) const;
  /// The solid shrunk towards a point of it, by a factor below 1.
  SupportSolid make_smaller(const Vec3& center, double factor) const;
  double margin() const { return margin_; }  ///< [m]
  double radius() const { return radius_; }  ///< no point is farther from the frame's origin [m]

 private:
  struct Point {};
  struct Segment {
    double half_length;
  };
  std::variant<Point, Segment, Box, Cylinder, Cone, Ellipsoid, ImplicitSurface, const ConvexPolyhedron*,
               std::array<Vec3, 3>>
      core_;
  double margin_ = 0.0;
  double radius_ = 0.0;
  double factor_ = 1.0;         // of a shrunk copy
  Vec3 center_ = Vec3::Zero();  // that it is shrunk to
};

/// What a pair remembers from one evaluation to the next. It only makes the next one faster.
struct SeparationMemory {
  Vec3 direction = Vec3::Zero();  ///< last unit normal; zero: none
};

/// Distance of two convex solids, zero where they overlap, and where it is taken.
struct Separation {
  double distance = 0.0;        ///< [m] >= 0
  Vec3 normal = Vec3::UnitZ();  ///< unit, from B towards A; means something only where has_normal
  Vec3 point_a = Vec3::Zero();  ///< point of A nearest to B, world frame [m]; only where distance > 0
  Vec3 point_b = Vec3::Zero();  ///< [m]
  double error = 0.0;           ///< bound found for the error of the distance [m]: upper minus lower estimate
  int iterations = 0;
  bool has_normal = false;  ///< where the cores do not overlap
};

/// The algorithm of [Gilbert, Johnson and Keerthi 1988]: the point nearest to the origin in ever better
/// simplices inside the set of differences A - B. The distance is right to about 1e-12 of the size of the solids. It
/// ends after at most kMaxSupportIterations with the best found.
constexpr int kMaxSupportIterations = 200;
Separation calc_separation(const SupportSolid& a, const Pose& X_WA, const SupportSolid& b, const Pose& X_WB,
                           SeparationMemory& memory);

/// Distance of a solid A from a half-space B, in closed form; negative where they overlap: minus the depth [m].
double calc_separation(const SupportSolid& a, const Pose& X_WA, const HalfSpace& b, const Pose& X_WB);

/// Distance of two shapes of which each is bounded and convex, or one a half-space; zero where they overlap. Throws
/// InputError for others, naming both.
double calc_separation(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, SeparationMemory& memory);

}  // namespace abut
