#pragma once
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"
namespace abut {
struct Solid {
  Shape shape;
};
inline Solid make_solid(const Shape& s) { return {s}; }
}  // namespace abut
