#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/convex_mesh.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/interference.hpp"

// Corners that coincide to rounding: the solid is the one without the copies.

namespace abut {
namespace {

using testing::Random;

const Vec3 kHalf(0.06, 0.05, 0.04);

std::vector<Vec3> make_corners() { return make_box_polyhedron(kHalf).vertices(); }

double calc_volume_with_bar(const Shape& shape, const Pose& X) {
  Interference pair = Interference::make(shape, Cylinder{0.02, 0.07});
  std::vector<VolumeMetrics> pieces;
  pair.calc(Pose(), X, pieces);
  double volume = 0.0;
  for (const VolumeMetrics& piece : pieces) volume += piece.volume;
  return volume;
}

TEST(CloseCorners, PolyhedronIsThatOfItsDistinctCorners) {
  for (const double shift : {0.0, 1e-17, 1e-16, 1e-15, 1e-14, 5e-14}) {
    Random random(7);
    std::vector<Vec3> corners;
    for (const Vec3& corner : make_corners()) {
      corners.push_back(corner);
      for (int k = 0; k < 2; ++k) corners.push_back(corner + shift * random.unit());
    }
    const Polyhedron copied{std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners))};
    EXPECT_EQ(copied.solid->vertices().size(), 8u) << shift;
    for (int i = 0; i < 20; ++i) {
      const Pose X(random.rotation(), Vec3(0.05 * random.uniform(-1, 1), 0.05 * random.uniform(-1, 1), 0.06));
      const double expected = calc_volume_with_bar(Box{kHalf}, X);
      // Faces moved by 5e-14 m change volumes of 1e-6 m^3 by 1e-15 m^3.
      EXPECT_NEAR(calc_volume_with_bar(copied, X), expected, 1e-9 * expected + 1e-15) << shift;
    }
  }
}

/// The sides of a box, with one corner of each split in two that are `shift` apart, and the slivers between.
TEST(CloseCorners, MeshWithSliversAtItsCorners) {
  for (const double shift : {1e-16, 1e-15, 1e-14, 1e-12, 1e-10}) {
    MeshData data;
    const ConvexPolyhedron box = make_box_polyhedron(kHalf);
    data.vertices = box.vertices();
    for (int f = 0; f < box.num_faces(); ++f) {
      const std::span<const int> loop = box.face(f);
      // A point in the face, next to its first corner.
      const Vec3 first = data.vertices[loop[0]], across = data.vertices[loop[2]] - first;
      const int inner = static_cast<int>(data.vertices.size());
      data.vertices.push_back(first + shift * across.normalized());
      for (std::size_t k = 0; k < loop.size(); ++k)
        data.triangles.push_back({loop[k], loop[(k + 1) % loop.size()], inner});
    }
    const Mesh mesh{std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(data), "split"))};
    Random random(11);
    for (int i = 0; i < 20; ++i) {
      const Pose X(random.rotation(), Vec3(0.05 * random.uniform(-1, 1), 0.05 * random.uniform(-1, 1), 0.06));
      const double expected = calc_volume_with_bar(Box{kHalf}, X);
      EXPECT_NEAR(calc_volume_with_bar(mesh, X), expected, 1e-9 * expected + 1e-15) << shift;
    }
  }
}

}  // namespace
}  // namespace abut
