#include "abut/geometry/volume/separation.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/geometry/volume/volume_fixture_test.hpp"

namespace abut {
namespace {

using testing::calc_total;
using testing::Random;

Pose at(double x, double y, double z) { return {Mat3(Mat3::Identity()), Vec3(x, y, z)}; }

TEST(Separation, ExactAgainstHalfSpaces) {
  const Solid ground = make_solid(HalfSpace{});
  const Pose X = {Mat3(Eigen::AngleAxisd(0.5, Vec3::UnitX())), Vec3(0.2, 0.1, 2.0)};
  const double s = std::sin(0.5), c = std::cos(0.5);
  const auto separation = [&](const Shape& shape) {
    return VolumePair::make(make_solid(shape), ground).calc_separation(X, Pose());
  };
  EXPECT_NEAR(separation(Sphere{0.3}), 1.7, 1e-14);
  EXPECT_NEAR(separation(Box{Vec3(0.1, 0.2, 0.3)}), 2.0 - 0.2 * s - 0.3 * c, 1e-14);
  EXPECT_NEAR(separation(Cylinder{0.2, 0.3}), 2.0 - 0.2 * s - 0.3 * c, 1e-14);
  EXPECT_NEAR(separation(Capsule{0.2, 0.3}), 2.0 - 0.2 - 0.3 * c, 1e-14);
  EXPECT_NEAR(separation(Cone{0.4, 0.3}), 2.0 - 0.3 * c - 0.3 * std::tan(0.4) * s, 1e-14);
  EXPECT_NEAR(separation(Ellipsoid{Vec3(0.1, 0.2, 0.3)}), 2.0 - std::hypot(0.2 * s, 0.3 * c), 1e-14);
}

TEST(Separation, ExactForBallsAndInHoles) {
  const Solid ball = make_solid(Sphere{0.1});
  EXPECT_NEAR(VolumePair::make(ball, make_solid(Box{Vec3(1, 1, 1)})).calc_separation(at(1.3, 1.4, 0), Pose()), 0.4,
              1e-14);
  EXPECT_NEAR(VolumePair::make(make_solid(Bore{1.0}), ball).calc_separation(Pose(), at(0.3, 0.4, 7)), 0.4, 1e-14);
  // A pin of radius 0.05, half-length 0.2, tilted by 0.01 in a hole of 0.06: its rims reach 0.05 cos + 0.2 sin.
  const Pose X = {Mat3(Eigen::AngleAxisd(0.01, Vec3::UnitX())), Vec3::Zero()};
  const VolumePair pin = VolumePair::make(make_solid(Cylinder{0.05, 0.2}), make_solid(Bore{0.06}));
  EXPECT_NEAR(pin.calc_separation(X, Pose()), 0.06 - 0.05 * std::cos(0.01) - 0.2 * std::sin(0.01), 1e-14);
  const VolumePair box = VolumePair::make(make_solid(Box{Vec3(0.03, 0.04, 0.1)}), make_solid(Bore{0.06}));
  EXPECT_NEAR(box.calc_separation(Pose(), Pose()), 0.01, 1e-15);
}

/// Positive means apart: never an overlap, and never more than the way it takes to touch.
TEST(Separation, IsALowerBoundOfTheGap) {
  Random random(31);
  int num_apart = 0;
  for (int index = 0; index < 400; ++index) {
    const Solid a = make_solid(testing::make_random_shape(random, index % 6));
    Solid b = make_solid(testing::make_random_partner(random, index / 6 % 10));
    if (index % 5 == 4) b = testing::drill(b, random);
    const Pose X_B = random.pose(2.0);
    VolumePair pair = VolumePair::make(a, b);
    const double separation = pair.calc_separation(Pose(), X_B);
    if (!(separation > 0.0)) continue;
    ++num_apart;
    EXPECT_EQ(calc_total(pair, Pose(), X_B).moments.volume, 0.0) << index;
    for (int k = 0; k < 3; ++k) {
      const Vec3 step = 0.999 * separation * random.unit();
      EXPECT_EQ(calc_total(pair, Pose(), Pose(X_B.R, X_B.p + step)).moments.volume, 0.0) << index;
    }
  }
  EXPECT_GT(num_apart, 100);
}

}  // namespace
}  // namespace abut
