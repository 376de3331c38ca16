#include "abut/geometry/volume/faceted_cone.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace abut {

namespace {

MeshData make_pyramid(double tangent, double height, int num_sides) {
  const double angle = 2.0 * std::numbers::pi / num_sides;
  const double radius = tangent * height * std::sqrt(angle / std::sin(angle));
  MeshData mesh;
  mesh.vertices = {Vec3::Zero(), Vec3(0.0, 0.0, -height)};
  for (int k = 0; k < num_sides; ++k)
    mesh.vertices.emplace_back(radius * std::cos(k * angle), radius * std::sin(k * angle), -height);
  for (int k = 0; k < num_sides; ++k) {
    const int here = 2 + k, next = 2 + (k + 1) % num_sides;
    mesh.triangles.push_back({0, here, next});
    mesh.triangles.push_back({1, next, here});
  }
  return mesh;
}

}  // namespace

RegionMesh FacetedCone::make(const Quadric& cone, double reach, int num_sides) {
  const double height = std::exp2(std::ceil(std::log2(reach)));
  std::shared_ptr<const ClosedMesh>& mesh = known_[{cone.size.x(), height, num_sides}];
  if (mesh == nullptr) {
    mesh = std::make_shared<const ClosedMesh>(
        make_closed_mesh(make_pyramid(cone.size.x(), height, num_sides), "pyramid for a cone"));
  }
  return {mesh, cone.X, cone.is_complement, cone.owner};
}

}  // namespace abut
