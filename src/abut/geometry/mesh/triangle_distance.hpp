#pragma once

#include <array>

#include "abut/math/types.hpp"

namespace abut {

using TriangleCorners = std::array<Vec3, 3>;

/// The two points at which a distance is taken, one on each thing [m].
struct ClosestPair {
  double distance = 0.0;  ///< [m], >= 0
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
};

/// Point of the triangle nearest to p.
Vec3 find_closest_point(const TriangleCorners& triangle, const Vec3& p);

/// Nearest points of the segments p0 p1 and q0 q1.
ClosestPair find_closest_points(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

/// Distance of two triangles: 0, with a common point, where they meet.
ClosestPair find_closest_points(const TriangleCorners& a, const TriangleCorners& b);

}  // namespace abut
