#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Sign of (b - a) x (c - a) . (d - a): +1 where d lies on the side of the plane (a, b, c) from which the three turn
/// anticlockwise, -1 on the other side, 0 in the plane. Exact for all coordinates between 1e-90 and 1e90 in magnitude
/// (or zero): a filter answers nearly always, sums of non-overlapping doubles otherwise
/// [Shewchuk 1997].
int calc_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace abut
