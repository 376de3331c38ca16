#include "abut/geometry/mesh/facets.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "abut/geometry/signed_distance.hpp"
#include "abut/geometry/volume/mass_properties.hpp"

namespace abut {
namespace {

/// Farthest that the corners and the middles of the triangles are from the surface [m].
double calc_error(const Shape& shape) {
  const ClosedMesh& mesh = *find_facets(shape);
  double most = 0.0;
  for (const auto& [a, b, c] : mesh.triangles()) {
    const Vec3 middle = (mesh.vertices()[a] + mesh.vertices()[b] + mesh.vertices()[c]) / 3.0;
    most = std::max({most, std::abs(calc_signed_distance(shape, middle).distance),
                     std::abs(calc_signed_distance(shape, mesh.vertices()[a]).distance)});
  }
  return most;
}

TEST(Facets, AreAsNearAsTheyClaim) {
  const Torus ring{0.5, 0.2};
  const Shape made = with_facets(ring);
  EXPECT_LT(calc_error(made), 0.001 * 0.7 + 0.0035 * 0.2);
  const ClosedMesh& mesh = *find_facets(made);
  // The section has its area; pieces of a ring that meet at an angle lose half of what was added to its radius.
  EXPECT_NEAR(mesh.moments().volume, calc_volume(ring), 1e-3 * calc_volume(ring));
}

TEST(Facets, AreSharedAndMadeOnlyOfTori) {
  const Shape ring = with_facets(Torus{0.5, 0.2});
  EXPECT_EQ(find_facets(with_facets(ring)), find_facets(ring));
  EXPECT_EQ(find_facets(Torus{0.5, 0.2}), nullptr);
  EXPECT_EQ(find_facets(with_facets(Bowl{})), nullptr);
}

TEST(ShapeMesh, OfHollowShapesIsClosedAndFacesOutwards) {
  for (const Shape& shape : {Shape(Torus{0.5, 0.2}), Shape(Bowl{0.5, 0.1, 0.5}), Shape(Bowl{0.5, 0.1, 0.2})}) {
    const ClosedMesh mesh = make_closed_mesh(make_shape_mesh(shape));
    EXPECT_FALSE(mesh.report().is_flipped) << shape_name(shape);
    // Forty-eight pieces a turn take 0.3 % of a circle's area, twice of a tube; a thin wall loses as much of each side.
    EXPECT_NEAR(mesh.moments().volume, calc_volume(shape), 0.015 * calc_volume(shape)) << shape_name(shape);
  }
  const MeshData hole = make_shape_mesh(Cavity{0.5});
  for (const auto& [a, b, c] : hole.triangles) {
    const Vec3 n = (hole.vertices[b] - hole.vertices[a]).cross(hole.vertices[c] - hole.vertices[a]);
    const bool is_wall = hole.vertices[a].norm() < 0.6;
    ASSERT_EQ(n.dot(hole.vertices[a]) < 0.0, is_wall);
  }
  EXPECT_FALSE(make_surface_mesh(hole).report().is_flipped);
}

}  // namespace
}  // namespace abut
