#include <algorithm>
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

/// Corners of a block with a hole in it, that dip into the wall of a round hole one after the other: one piece each,
/// as soon as it is 2e-8 m deep, a ten-thousandth of the first. Slices close to where a corner ends are so small that
/// rounding turns them over.
TEST(SliverPieces, CornersInAWallAreOnePieceEach) {
  Solid block = make_solid(Shape(Box{Vec3(0.06, 0.06, 0.05)}));
  block.parts.push_back({Shape(Cylinder{0.02, 0.1}), Pose(), true});
  const double radius = 0.3;
  const Mat3 R = Eigen::AngleAxisd(1.7e-3, Vec3(1, 0.6, 0).normalized()).toRotationMatrix();
  for (const bool is_bore : {false, true}) {
    const Solid wall = make_solid(is_bore ? Shape(Bore{radius}) : Shape(Cavity{radius}));
    const Pose X_wall(Mat3(Eigen::AngleAxisd(is_bore ? 1.5707963267948966 : 0.0, Vec3::UnitY())), Vec3(0, 0, radius));
    std::vector<double> touches;  // heights of the block at which its corners touch the wall
    for (const double x : {-0.06, 0.06}) {
      for (const double y : {-0.06, 0.06}) {
        const Vec3 p = R * Vec3(x, y, -0.05);
        const double away = is_bore ? p.y() * p.y() : p.head<2>().squaredNorm();
        touches.push_back(radius - std::sqrt(radius * radius - away) - p.z());
      }
    }
    VolumePair pair = VolumePair::make(block, wall);
    std::vector<VolumeMetrics> pieces;
    for (const double touch : touches) {
      for (double depth = 2e-5; depth > 2e-8; depth *= 0.93) {
        const double height = touch - depth;
        const auto num_in = std::count_if(touches.begin(), touches.end(), [=](double t) { return t > height; });
        // In a bore two corners reach the wall in one edge, and belong together once it is in.
        const std::size_t expected = is_bore ? (num_in > 2 ? 2 : 1) : num_in;
        pair.calc(Pose(R, Vec3(0, 0, height)), X_wall, pieces);
        EXPECT_EQ(pieces.size(), expected) << touch << " " << depth;
      }
    }
  }
}

}  // namespace
}  // namespace abut
