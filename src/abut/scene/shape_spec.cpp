#include "abut/scene/shape_spec.hpp"

namespace abut {

bool is_finite(const ShapeSpec& shape) {
  if (const auto* cylinder = std::get_if<CylinderSpec>(&shape.type)) return cylinder->length.has_value();
  if (const auto* cone = std::get_if<ConeSpec>(&shape.type)) return cone->height.has_value();
  return std::holds_alternative<SphereSpec>(shape.type) || std::holds_alternative<BoxSpec>(shape.type) ||
         std::holds_alternative<CapsuleSpec>(shape.type) || std::holds_alternative<EllipsoidSpec>(shape.type);
}

}  // namespace abut
