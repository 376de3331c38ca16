#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/volume/interference.hpp"

namespace abut {
namespace {

/// What an ellipsoid on a ball shares with it at depth d: the gap of two paraboloids, V = pi d^2 / sqrt(k_1 k_2), k
/// being the sums of the curvatures. The slices in which they touch lie a ten-thousandth of their distance apart.
TEST(ThinLens, OfAnEllipsoidOnABallIsThatOfParaboloids) {
  const Vec3 semi(0.067, 0.089, 0.068);
  const double radius = 0.097;
  Interference interference = Interference::make(Ellipsoid{semi}, Sphere{radius});
  for (const int axis : {0, 1, 2}) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    const double k_1 = semi[axis] / (semi[b] * semi[b]) + 1.0 / radius,
                 k_2 = semi[axis] / (semi[c] * semi[c]) + 1.0 / radius;
    for (const double asked : {4e-11, 1e-10, 1e-9, 1e-8}) {
      const Pose X_WB(Mat3::Identity(), (semi[axis] + radius - asked) * Vec3::Unit(axis));
      const double depth = semi[axis] + radius - X_WB.p[axis];  // as rounded
      std::vector<VolumeMetrics> pieces;
      interference.calc(Pose(), X_WB, pieces);
      ASSERT_EQ(pieces.size(), 1u) << axis << " " << asked;
      const double expected = std::numbers::pi * depth * depth / std::sqrt(k_1 * k_2);
      // Rounding of the surfaces, and paraboloids for what is round.
      const double slack = 1e-6 + 1e-16 / depth + 30.0 * depth;
      EXPECT_NEAR(pieces[0].volume / expected, 1.0, slack) << axis << " " << asked;
    }
  }
}

}  // namespace
}  // namespace abut
