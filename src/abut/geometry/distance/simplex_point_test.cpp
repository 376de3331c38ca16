#include "abut/geometry/distance/simplex_point.hpp"

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

using testing::Random;

/// The nearest point x of a hull is the one with x . p >= x . x for every corner p. Holds to the rounding of the
/// corners' coordinates, 1e-15 of their size.
void expect_nearest(const Simplex& s, const SimplexPoint& found, double size) {
  const Vec3& x = found.point;
  for (int i = 0; i < s.size; ++i) EXPECT_GE(x.dot(s.points[i] - x), -4e-15 * size * (size + x.norm()));
  Vec3 mixed = Vec3::Zero();
  double sum = 0.0;
  for (int i = 0; i < found.size; ++i) {
    EXPECT_GE(found.weights[i], 0.0);
    sum += found.weights[i];
    mixed += found.weights[i] * s.points[found.corners[i]];
  }
  EXPECT_NEAR(sum, 1.0, 1e-15);
  EXPECT_LE((mixed - x).norm(), 4e-15 * size);
}

TEST(SimplexPoint, RandomSimplices) {
  Random random(1);
  int num_inside = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Simplex s;
    s.size = 1 + trial % 4;
    const Vec3 center = random.vector(1.0);
    for (int i = 0; i < s.size; ++i) s.points[i] = center + random.vector(1.0);
    const SimplexPoint found = calc_nearest_to_origin(s);
    if (found.is_inside) {
      ++num_inside;
      const Vec3& d = s.points[3];
      Mat3 m;
      for (int i = 0; i < 3; ++i) m.col(i) = s.points[i] - d;
      const Vec3 weights = m.inverse() * -d;
      EXPECT_GT(weights.minCoeff(), 0.0);
      EXPECT_LT(weights.sum(), 1.0);
    } else {
      expect_nearest(s, found, 4.0);
    }
  }
  EXPECT_GT(num_inside, 50);
}

/// Corners 1e-3 ... 1e-9 apart at distance one: what smooth bodies make of the search.
TEST(SimplexPoint, ThinTrianglesFarAway) {
  Random random(2);
  for (int trial = 0; trial < 5000; ++trial) {
    const double width = std::pow(10.0, random.uniform(-9.0, -3.0));
    Simplex s;
    s.size = 3;
    s.points[0] = random.unit() + random.vector(0.1);
    s.points[1] = s.points[0] + width * random.unit();
    s.points[2] = trial % 2 == 0 ? Vec3(s.points[0] + random.vector(0.5)) : Vec3(s.points[1] + width * random.unit());
    std::swap(s.points[trial % 3], s.points[2]);
    expect_nearest(s, calc_nearest_to_origin(s), 2.0);
  }
}

TEST(SimplexPoint, RepeatedAndCollinearCorners) {
  Simplex s;
  s.size = 4;
  s.points = {Vec3(1, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 2, 0)};
  const SimplexPoint found = calc_nearest_to_origin(s);
  EXPECT_FALSE(found.is_inside);
  EXPECT_EQ(found.point, Vec3(1, 0, 0));
}

}  // namespace
}  // namespace abut
