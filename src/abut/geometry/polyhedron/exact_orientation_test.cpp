#include "abut/geometry/polyhedron/exact_orientation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "abut/geometry/test_surfaces.hpp"

namespace abut {
namespace {

TEST(ExactOrientation, SidesOfAPlane) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_EQ(calc_orientation(a, b, c, Vec3(0.3, 0.3, 1e-300)), 1);
  EXPECT_EQ(calc_orientation(a, b, c, Vec3(0.3, 0.3, -1e-300)), -1);
  EXPECT_EQ(calc_orientation(a, b, c, Vec3(5, 7, 0)), 0);
}

/// Points a + i u + j v on a lattice of exact binary numbers are in one plane exactly; the next number up or down is
/// not.
TEST(ExactOrientation, OneUnitInTheLastPlaceDecides) {
  const Vec3 origin(0.5, 12.25, -53.75), u(0.1875, -0.3125, 0.4375), v(-0.71875, 0.15625, 0.28125);
  const double inf = std::numeric_limits<double>::infinity();
  const double sense = u.cross(v).z() > 0.0 ? 1.0 : -1.0;
  for (int i = -20; i <= 20; ++i) {
    for (int j = -20; j <= 20; ++j) {
      Vec3 p = origin + static_cast<double>(i) * u + static_cast<double>(j) * v;
      EXPECT_EQ(calc_orientation(origin, origin + u, origin + v, p), 0);
      p.z() = std::nextafter(p.z(), inf);
      EXPECT_EQ(calc_orientation(origin, origin + u, origin + v, p), sense > 0 ? 1 : -1);
      p.z() = std::nextafter(std::nextafter(p.z(), -inf), -inf);
      EXPECT_EQ(calc_orientation(origin, origin + u, origin + v, p), sense > 0 ? -1 : 1);
    }
  }
}

/// However the four points are ordered, the sign is that of the permutation: plain arithmetic fails this.
TEST(ExactOrientation, AntisymmetricForNearlyFlatQuadruples) {
  testing::Random random(1);
  int num_plain_failures = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 u = random.unit(), v = random.unit(), o = random.vector(10.0);
    std::array<Vec3, 4> p;
    for (Vec3& x : p) x = o + random.uniform(-1, 1) * u + random.uniform(-1, 1) * v;
    const int sign = calc_orientation(p[0], p[1], p[2], p[3]);
    EXPECT_EQ(calc_orientation(p[1], p[0], p[2], p[3]), -sign);
    EXPECT_EQ(calc_orientation(p[3], p[1], p[2], p[0]), -sign);
    EXPECT_EQ(calc_orientation(p[1], p[2], p[3], p[0]), -sign);
    EXPECT_EQ(calc_orientation(p[2], p[3], p[0], p[1]), sign);
    const auto plain = [&](int a, int b, int c, int d) {
      const double det = (p[b] - p[a]).cross(p[c] - p[a]).dot(p[d] - p[a]);
      return det > 0.0 ? 1 : (det < 0.0 ? -1 : 0);
    };
    num_plain_failures += plain(0, 1, 2, 3) != plain(2, 3, 0, 1) ? 1 : 0;
  }
  EXPECT_GT(num_plain_failures, 0);  // otherwise the points were not hard enough to test anything
}

}  // namespace
}  // namespace abut
