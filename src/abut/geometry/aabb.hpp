#pragma once

#include "abut/geometry/shape.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Closed axis-aligned box in world coordinates [m]. A box with lower > upper on any axis is empty.
struct Aabb {
  Vec3 lower = Vec3::Constant(kInfiniteLength);
  Vec3 upper = Vec3::Constant(-kInfiniteLength);
};

/// Whether two non-empty boxes share a point, touching faces included. A NaN bound counts as no bound.
/// Written without branches: among neighbours the outcome of each comparison is a coin toss.
inline bool is_overlapping(const Aabb& a, const Aabb& b) {
  int is_apart = 0;
  for (int i = 0; i < 3; ++i) {
    is_apart |= static_cast<int>(a.lower[i] > b.upper[i]) | static_cast<int>(b.lower[i] > a.upper[i]);
  }
  return is_apart == 0;
}

/// The box grown by `margin` [m] on every side.
inline Aabb inflate(const Aabb& box, double margin) {
  return {box.lower - Vec3::Constant(margin), box.upper + Vec3::Constant(margin)};
}

}  // namespace abut
