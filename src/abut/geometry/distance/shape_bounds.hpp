#pragma once

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Smallest box about a finite shape posed by X_WS; the whole space for an unbounded one.
Aabb calc_aabb(const Shape& shape, const Pose& X_WS);

/// A point in the middle of a bounded shape, in its frame; the origin for others [m].
Vec3 calc_shape_center(const Shape& shape);

}  // namespace abut
