#include "abut/geometry/mesh/exact_sign.hpp"

#include <random>

#include <gtest/gtest.h>

namespace abut {
namespace {

__extension__ using Integer = __int128;

int sign_of(Integer value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }
int sign_of(double value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }

TEST(ExactSign, AgreesWithIntegerArithmeticWhereRoundingDoesNot) {
  // Coordinates of up to 36 bits: determinants have 110 bits, doubles 53. Points are made nearly coplanar.
  std::mt19937_64 engine(3);
  int num_wrong = 0, num_zero = 0;
  for (int round = 0; round < 20000; ++round) {
    long long c[4][3];
    const auto draw = [&](int bits) { return static_cast<long long>(engine() >> (64 - bits)) - (1LL << (bits - 1)); };
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) c[i][j] = draw(34);
    }
    const long long s = draw(2), t = draw(2);
    for (int j = 0; j < 3; ++j) c[3][j] = c[0][j] + s * (c[1][j] - c[0][j]) + t * (c[2][j] - c[0][j]);
    c[3][engine() % 3] += static_cast<long long>(engine() % 3) - 1;
    Integer d[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) d[i][j] = Integer{c[i + 1][j]} - c[0][j];
    }
    const Integer exact = d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
                          d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
                          d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
    Vec3 p[4];
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 3; ++j) p[i][j] = std::ldexp(static_cast<double>(c[i][j]), -30);
    }
    const double naive = (p[3] - p[0]).dot((p[1] - p[0]).cross(p[2] - p[0]));
    num_wrong += sign_of(naive) != sign_of(exact) ? 1 : 0;
    num_zero += exact == 0 ? 1 : 0;
    ASSERT_EQ(sign_of(TrianglePlane(p[0], p[1], p[2]).calc_height(p[3])), sign_of(exact)) << round;
    ASSERT_EQ(sign_of(calc_exact_determinant(p[3], p[0], p[1], p[0], p[2], p[0])), sign_of(exact)) << round;
    ASSERT_EQ(sign_of(calc_exact_edge_volume(p[0], p[1], p[2], p[3])), sign_of(exact)) << round;
  }
  EXPECT_GT(num_wrong, 500);  // otherwise the comparison proves nothing
  EXPECT_GT(num_zero, 500);
}

TEST(ExactSign, InexactDifferencesCount) {
  // 1 + 2^-80 is no double, so the difference of the x coordinates has two parts; the determinant is 2^-80.
  const Vec3 o(-std::ldexp(1.0, -80), 0, 0), x(1, 0, 0);
  const double value = calc_exact_determinant(x, o, Vec3(0, 1, 0), Vec3::Zero(), Vec3(0, 0, 1), Vec3::Zero()) - 1.0;
  EXPECT_EQ(value, 0.0);  // the estimate is rounded
  EXPECT_GT(calc_exact_determinant(Vec3(1, 1, 0), o, Vec3(1, 1, 0), Vec3::Zero(), Vec3(0, 0, 1), Vec3::Zero()), 0.0);
}

TEST(ExactSign, CrossProductTellsItsFirstComponent) {
  const Vec3 o = Vec3::Zero();
  EXPECT_EQ(calc_exact_cross_sign(Vec3::UnitY(), o, Vec3::UnitZ(), o), 1);
  EXPECT_EQ(calc_exact_cross_sign(Vec3::UnitX(), o, Vec3::UnitZ(), o), -1);
  EXPECT_EQ(calc_exact_cross_sign(Vec3::UnitX(), o, Vec3::UnitY(), o), 1);
  EXPECT_EQ(calc_exact_cross_sign(Vec3(0.1, 0.2, 0.3), o, Vec3(0.2, 0.4, 0.6), o), 0);
}

}  // namespace
}  // namespace abut
