#pragma once

#include <array>

#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/math/types.hpp"

namespace abut::detail {

/// Where an edge of one triangle pierces the other.
struct Piercing {
  bool is_edge_of_b = false;
  int edge = 0;             ///< from corner `edge` to the next
  double t = 0.0;           ///< along that edge, 0 to 1
  double rest = 1.0;        ///< 1 - t, rounded by itself: seen along the other way, t and rest change places exactly
  bool is_leaving = false;  ///< along that edge: from below the other triangle (inside the solid) to above
};

/// The segment in which two triangles meet, directed so that on A the inside of B lies to its left (and on B, reversed,
/// the inside of A).
struct PairSegment {
  Piercing start, end;
};

/// Finds the segment, as if B were displaced by an infinitesimal (e, e^2, e^3): then no vertex lies in the other plane
/// and no two edges meet, and the segment, if there is one, has two ends, each on one edge. All decisions are exact, so
/// that neighbouring pairs agree on every piercing. Triangles whose corners lie on a line meet nothing.
bool find_segment(const std::array<const Vec3*, 3>& a, const std::array<const Vec3*, 3>& b, PairSegment& segment);

/// The same for triangles whose planes are at hand.
bool find_segment(const TrianglePlane& a, const TrianglePlane& b, PairSegment& segment);

}  // namespace abut::detail
