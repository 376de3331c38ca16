#include "abut/geometry/volume/volume_shape.hpp"

#include "abut/geometry/mesh/facets.hpp"

namespace abut {

Shape make_volume_shape(const Shape& shape) {
  if (const auto* bowl = std::get_if<Bowl>(&shape)) {
    auto parts = std::make_shared<CellParts>();
    parts->list.push_back({Sphere{bowl->calc_outer_radius()}, Pose(), false});
    parts->list.push_back({Sphere{bowl->radius}, Pose(), true});
    parts->list.push_back({HalfSpace{Vec3::UnitZ(), bowl->calc_lip_height()}, Pose(), false});
    return CutShape{parts};
  }
  if (std::holds_alternative<Torus>(shape)) return Mesh{find_facets(with_facets(shape))};
  return shape;
}

}  // namespace abut
