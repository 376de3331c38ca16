#include "abut/geometry/volume/solid.hpp"

#include <utility>

namespace abut {

Solid make_solid(const Shape& shape) { return {{SolidPart{shape, Pose(), false}}}; }

std::string describe(const Solid& solid) {
  std::string text;
  for (const SolidPart& part : solid.parts) {
    if (!text.empty()) text += " and ";
    if (part.is_complement) text += "not ";
    const auto* shape = std::get_if<Shape>(&part.primitive);
    text += shape != nullptr ? shape_name(*shape) : "convex polyhedron";
  }
  return text.empty() ? "all of space" : text;
}

}  // namespace abut
