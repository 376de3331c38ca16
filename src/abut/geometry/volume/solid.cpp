#include "abut/geometry/volume/solid.hpp"

#include <utility>

#include "abut/geometry/volume/volume_shape.hpp"

namespace abut {

Solid make_solid(const Shape& given) {
  const Shape shape = make_volume_shape(given);
  const auto* cell = std::get_if<CutShape>(&shape);
  if (cell == nullptr) return {{SolidPart{shape, Pose(), false}}};
  Solid solid;
  for (const CellPart& part : cell->parts->list) solid.parts.push_back({part.shape, part.X_SP, part.is_complement});
  return solid;
}

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
