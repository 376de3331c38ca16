#pragma once

#include "abut/geometry/shape.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// How far the triangles of an endless shape are moved, along the directions in which the shape repeats itself, so that
/// they lie about `place`; both in the shape's frame [m]. In whole fields of kEndlessField, so that the frame rests
/// while bodies move about within one. Zero for bounded shapes, and for the endless cone, which has no such direction.
Vec3 calc_endless_shift(const Shape& shape, const Vec3& place);

/// A quarter of how far the triangles go (ShapeMeshOptions::reach): within a field bodies up to that size stay on them
/// [m].
constexpr double kEndlessField = 250.0;

}  // namespace abut
