#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/volume/volume_fixture_test.hpp"

// The first slivers of interference, down to the rounding of the pose: each is one piece, found by few slices.

namespace abut {
namespace {

constexpr double kRadius = 0.05;

Solid make_tube() {
  Solid tube = make_solid(Shape(Cylinder{kRadius, 0.1}));
  tube.parts.push_back({Shape(Cylinder{0.04, 0.2}), Pose(), true});
  return tube;
}

/// A tetrahedron whose edge runs along y through the origin, as steep as 1 in 2 to both sides of x.
Solid make_edge() {
  const std::vector<Vec3> corners = {{0, -0.03, 0}, {0, 0.03, 0}, {0.04, 0, 0.02}, {0.04, 0, -0.02}};
  return make_solid(Shape(Polyhedron{std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners))}));
}

/// The edge aslant on the side of the tube, at a depth.
Pose make_touching(double angle, double depth) {
  return {Mat3(Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix()), Vec3(kRadius - depth, 0, 0.01)};
}

/// Sections across the edge are triangles of height h = d - s^2 cos^2 / 2R and area h^2 / 2.
double calc_expected(double angle, double depth) {
  return 8.0 / 15.0 * depth * depth * std::sqrt(2.0 * kRadius * depth) / std::cos(angle);
}

TEST(SliverPieces, EdgeOnTubeIsOnePieceAtAnyDepth) {
  VolumePair pair = VolumePair::make(make_tube(), make_edge());
  std::vector<VolumeMetrics> pieces;
  for (const double angle : {0.2, 0.5, 0.8, 1.1}) {
    for (double depth = 1e-6; depth > 1e-16; depth *= 0.37) {
      pair.calc(Pose(), make_touching(angle, depth), pieces);
      EXPECT_LE(pieces.size(), 1u) << angle << " " << depth;
      if (depth < 1e-12) continue;
      ASSERT_EQ(pieces.size(), 1u) << angle << " " << depth;
      // Below that the volume is left as coarse as it is found: 1e-26 of the size cubed.
      if (depth < 1e-11) continue;
      const double expected = calc_expected(angle, depth);
      // Sections are curved by the depth over the radius, and a slice is known to 4e-12 of the radius.
      const double error = 1e-4 + 4e-12 * kRadius / depth;
      EXPECT_NEAR(pieces[0].volume, expected, error * expected) << angle << " " << depth;
    }
  }
}

}  // namespace
}  // namespace abut
