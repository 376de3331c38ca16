#pragma once

#include <string>
#include <variant>
#include <vector>

#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// An intersection of half-spaces, bounded by the ball that is given with it.
struct PlaneSet {
  std::vector<HalfSpace> planes;
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 0.0;         ///< [m]
};

using SolidPrimitive = std::variant<Shape, PlaneSet>;

struct SolidPart {
  SolidPrimitive primitive;
  Pose X_SP;                   ///< pose of the primitive in the solid
  bool is_complement = false;  ///< what lies outside the primitive is solid: a hole
};

/// A rigid solid for volumes of interference: the intersection of its parts. A cell of a body that is cut into several;
/// a block with a hole is a box and the complement of a cylinder.
struct Solid {
  std::vector<SolidPart> parts;
};

Solid make_solid(const Shape& shape);

/// Names of the parts for messages: "box and not cylinder".
std::string describe(const Solid& solid);

}  // namespace abut
