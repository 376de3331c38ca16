#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/geometry/volume/volume_pair.hpp"
#include "abut/geometry/volume/volume_shape.hpp"

namespace abut {
namespace {

double calc_volume(const Shape& a, const Shape& b, const Pose& X_WA, const Pose& X_WB, double error) {
  Interference pair = Interference::make(a, b, {error, 400});
  std::vector<VolumeMetrics> pieces;
  pair.calc(X_WA, X_WB, pieces);
  double volume = 0.0;
  for (const VolumeMetrics& piece : pieces) volume += piece.volume;
  return volume;
}

/// The error that the pair itself estimates, where 1e-2 is allowed: line integrals, for one curved face, are exact to
/// 1e-12 of the sums that they are made of; slices, for two, stop where the estimate is within what is allowed.
double calc_estimate(const Shape& a, const Shape& b, const Pose& X_WA, const Pose& X_WB) {
  VolumePair pair = VolumePair::make(make_solid(make_volume_shape(a)), make_solid(make_volume_shape(b)), {1e-2, 400});
  std::vector<VolumeMetrics> pieces;
  pair.calc(X_WA, X_WB, pieces);
  return pair.estimated_error();
}

// The outside of a bowl far behind the wall takes no part: what lies in the bowl meets the wall as that of a spherical
// hole, one curved face, for which line integrals are exact whatever error is allowed.
TEST(FaceAround, OfABowlTakesNoPart) {
  testing::Random random(3);
  const Shape box = Box{Vec3(0.04, 0.03, 0.025)}, bowl = Bowl{0.2, 0.1, 0.15}, hole = Cavity{0.2};
  for (int k = 0; k < 20; ++k) {
    const Mat3 R = random.rotation();
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.5, 0.5);
    const Pose X_box(R, 0.17 * Vec3(x, y, -1.0).normalized()), X_bowl(random.rotation(), random.vector(0.3));
    const double expected = calc_volume(box, hole, X_box, Pose(), 1e-9);
    ASSERT_GT(expected, 0.0);
    // Line integrals are exact to 1e-12 of larger volumes than these.
    EXPECT_NEAR(calc_volume(box, bowl, X_bowl * X_box, X_bowl, 1e-2) / expected, 1.0, 1e-9) << k;
    EXPECT_NEAR(calc_volume(bowl, box, X_bowl, X_bowl * X_box, 1e-2) / expected, 1.0, 1e-9) << k;
    EXPECT_LE(calc_estimate(box, bowl, X_bowl * X_box, X_bowl), 1e-11) << k;
    EXPECT_LE(calc_estimate(bowl, box, X_bowl, X_bowl * X_box), 1e-11) << k;
  }
}

// The same solid with the face near: it must not be left out.
TEST(FaceAround, CountsWhereItIsNear) {
  const Shape box = Box{Vec3(0.04, 0.03, 0.025)};
  const Pose below(Mat3::Identity(), Vec3(0.0, 0.0, -0.21));
  const double thick = calc_volume(box, Bowl{0.2, 0.1, 0.15}, below, Pose(), 1e-8);
  const double thin = calc_volume(box, Bowl{0.2, 0.01, 0.15}, below, Pose(), 1e-8);
  EXPECT_LT(thin, 0.9 * thick);
  const double whole = calc_volume(box, Sphere{0.21}, below, Pose(), 1e-8);
  const double inner = calc_volume(box, Sphere{0.2}, below, Pose(), 1e-8);
  EXPECT_NEAR(thin / (whole - inner), 1.0, 1e-6);
}

}  // namespace
}  // namespace abut
