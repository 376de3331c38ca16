#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/interference.hpp"

// Solids that touch and no more: their volume is next to nothing in every pose that rounding makes of such a one, never
// that of a whole body.

namespace abut {
namespace {

using testing::kPi;
using testing::Random;

double calc_sum(Interference& pair, const Pose& X_WA, const Pose& X_WB) {
  std::vector<VolumeMetrics> pieces;
  pair.calc(X_WA, X_WB, pieces);
  double sum = 0.0;
  for (const VolumeMetrics& piece : pieces) sum += piece.volume;
  return sum;
}

Vec3 draw(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

/// The flat end of a cone on the edge of a wedge, one face of which runs through the cone's axis: what the depth field
/// of a ridge asks for. Its rim crosses the edge's two faces within the depth, and the volume is a triangle that high
/// times the diameter.
TEST(BareTouch, EndOfConeOnEdge) {
  constexpr double kHalfAngle = 0.7025, kHeight = 0.09104282907360213;
  const double radius = kHeight * std::tan(kHalfAngle);
  Random random(11);
  for (const double side : {1.0, -1.0}) {
    Interference pair =
        Interference::make(Cone{kHalfAngle, kHeight}, Wedge{Vec3(side, 0, 1).normalized(), Vec3(-side, 0, 0)});
    for (int k = 0; k < 1500; ++k) {
      const double depth = std::pow(10.0, random.uniform(-18.0, -6.0)) * (k % 2 == 0 ? 1.0 : -1.0);
      const double tilt = std::pow(10.0, random.uniform(-19.0, -9.0));
      const Vec3 turn = draw(random, tilt);
      const Quat q = Quat(1.0, turn.x(), turn.y(), turn.z()).normalized();
      const Pose X(q.toRotationMatrix(), Vec3(0.1 * random.uniform(-tilt, tilt), 0.0, kHeight - depth));
      const double reach = std::abs(depth) + 4.0 * tilt * radius + 1e-15;
      EXPECT_LE(calc_sum(pair, X, Pose()), 4.0 * radius * reach * reach) << "depth " << depth << ", tilt " << tilt;
    }
  }
}

/// A corner just inside a ball: a pyramid as high as it is deep, whatever rounding makes of the order in which its
/// faces cross the ball. These are no wider than a hundred times their height; slivers that rounding leaves are less
/// than 1e-15 of the ball.
TEST(BareTouch, CornerOnBall) {
  constexpr double kRadius = 0.038, kSliver = 1e-15 * 4.0 / 3.0 * kPi * kRadius * kRadius * kRadius;
  Random random(12);
  int num_tried = 0;
  for (int k = 0; k < 400; ++k) {
    std::vector<Vec3> corners{Vec3::Zero()};
    for (int i = 0; i < 7; ++i) corners.push_back(Vec3(0.0, 0.0, 0.05) + draw(random, 0.035));
    const auto solid = std::make_shared<const ConvexPolyhedron>(make_convex_hull(corners));
    Interference pair = Interference::make(Polyhedron{solid}, Sphere{kRadius});
    for (int i = 0; i < 10; ++i, ++num_tried) {
      const Vec3 up = draw(random, 1.0).normalized();
      const double depth = i == 0 ? 0.0 : std::pow(10.0, random.uniform(-18.0, -12.0)) * (i % 2 == 0 ? 1.0 : -1.0);
      Mat3 R;
      R.col(2) = up, R.col(0) = any_perpendicular(up), R.col(1) = up.cross(Vec3(R.col(0)));
      const double reach = 100.0 * (std::abs(depth) + 1e-16);
      EXPECT_LE(calc_sum(pair, Pose(R, (kRadius - depth) * up), Pose()), reach * reach * reach + kSliver)
          << "depth " << depth;
    }
  }
  EXPECT_EQ(num_tried, 4000);
}

}  // namespace
}  // namespace abut
