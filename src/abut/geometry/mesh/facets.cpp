#include "abut/geometry/mesh/facets.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/make_mesh.hpp"

namespace abut {
namespace {

/// Area of a regular polygon in parts of that of the circle through its corners.
double calc_polygon_share(int num_corners) {
  const double angle = 2.0 * std::numbers::pi / num_corners;
  return std::sin(angle) / angle;
}

/// Made a little larger than the torus, as its chords lie inside of it: both polygons have the areas of their circles.
MeshData make_torus_facets(const Torus& torus) {
  const int around = kFacetSegments, section = kFacetSegments / 2;
  return make_torus_mesh(torus.ring_radius / std::sqrt(calc_polygon_share(around)),
                         torus.tube_radius / std::sqrt(calc_polygon_share(section)), around, section);
}

std::shared_ptr<const ClosedMesh> make_solid_mesh(MeshData data, const Shape& shape) {
  return std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(data), std::string(shape_name(shape))));
}

}  // namespace

Shape with_facets(Shape shape) {
  if (auto* torus = std::get_if<Torus>(&shape); torus != nullptr && torus->facets == nullptr)
    torus->facets = make_solid_mesh(make_torus_facets(*torus), *torus);
  return shape;
}

std::shared_ptr<const ClosedMesh> find_facets(const Shape& shape) {
  const auto* torus = std::get_if<Torus>(&shape);
  return torus == nullptr ? nullptr : torus->facets;
}

}  // namespace abut
