#include "abut/math/trig_quadratic.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "abut/math/test_random.hpp"

namespace abut {
namespace {

using std::numbers::pi;
using testing::Random;

Vec2 point_at(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// Sign changes over a fine grid: all of them unless two lie within one cell.
int count_sign_changes(const TrigQuadratic& h, int num_cells) {
  int count = 0;
  for (int k = 0; k < num_cells; ++k) {
    const double before = h.value(point_at(2.0 * pi * k / num_cells));
    const double after = h.value(point_at(2.0 * pi * (k + 1) / num_cells));
    count += (before >= 0.0) != (after >= 0.0) ? 1 : 0;
  }
  return count;
}

TrigQuadratic make_random(Random& random) {
  const double first = std::exp(random.uniform(-6.0, 6.0)), second = std::exp(random.uniform(-6.0, 6.0));
  TrigQuadratic h{0.0, first * random.uniform(-1, 1), first * random.uniform(-1, 1), second * random.uniform(-1, 1),
                  second * random.uniform(-1, 1)};
  h.a0 = (first + second) * random.uniform(-1, 1);
  return h;
}

TEST(TrigQuadratic, FindsAllExtremaAndRoots) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const TrigQuadratic h = make_random(random);
    const double scale = std::abs(h.a0) + std::hypot(h.a1, h.b1) + std::hypot(h.a2, h.b2);
    const CirclePoints extrema = find_extrema(h, 0.0);
    EXPECT_EQ(extrema.count, count_sign_changes(h.derivative(), 4000)) << i;
    for (int k = 0; k < extrema.count; ++k) {
      EXPECT_NEAR(h.derivative().value(extrema.at[k]) / scale, 0.0, 1e-13);
      EXPECT_NEAR(extrema.at[k].norm(), 1.0, 1e-15);
    }
    const CircleRoots roots = find_roots(h, extrema);
    EXPECT_EQ(roots.points.count, count_sign_changes(h, 4000)) << i;
    for (int k = 0; k < roots.points.count; ++k) {
      EXPECT_NEAR(h.value(roots.points.at[k]) / scale, 0.0, 1e-14);
      EXPECT_EQ(roots.rising[k], h.derivative().value(roots.points.at[k]) > 0.0) << i;
    }
  }
}

TEST(TrigQuadratic, FindsTheSameRootsWithoutExtrema) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const TrigQuadratic h = make_random(random);
    const double scale = std::abs(h.a0) + std::hypot(h.a1, h.b1) + std::hypot(h.a2, h.b2);
    const CircleRoots expected = find_roots(h, find_extrema(h, 0.0)), roots = find_roots(h, 1e-15 * scale);
    ASSERT_EQ(roots.points.count, expected.points.count) << i;
    for (int k = 0; k < roots.points.count; ++k) {
      EXPECT_EQ(roots.rising[k], expected.rising[k]) << i;
      EXPECT_LT(
          (roots.points.at[k] - expected.points.at[k]).norm() * std::abs(h.derivative().value(roots.points.at[k])),
          1e-14 * scale)
          << i;
    }
  }
}

/// h = (1 - cos x) - d has roots at +-sqrt(2 d) for small d, which must be good relative to their distance.
TEST(TrigQuadratic, ResolvesRootsThatNearlyCoincide) {
  for (const double depth : {1e-4, 1e-8, 1e-12}) {
    const TrigQuadratic h{1.0 - depth, -1.0, 0.0, 0.0, 0.0};
    const CircleRoots roots = find_roots(h, find_extrema(h, 0.0));
    ASSERT_EQ(roots.points.count, 2);
    const double root = std::acos(1.0 - depth);
    // 1 - depth is rounded by 1e-16, which moves the root by 1e-16 / root.
    EXPECT_NEAR(std::abs(roots.points.at[0].y()) / std::sin(root), 1.0, 2e-16 / depth + 1e-14);
    EXPECT_NE(roots.rising[0], roots.rising[1]);
  }
}

TEST(TrigQuadratic, ConstantHasNeitherExtremaNorRoots) {
  const TrigQuadratic h{2.0, 1e-17, 0.0, 0.0, -1e-17};
  EXPECT_EQ(find_extrema(h, 1e-15).count, 0);
  EXPECT_EQ(find_roots(h, {}).points.count, 0);
}

/// Where two curves all but touch the first harmonic alone puts both roots on the wrong side of each other.
TEST(TrigQuadratic, FindsTouchingRootsWithASecondHarmonic) {
  for (const double depth : {1e-2, 1e-4, 1e-6, 1e-8}) {
    for (const double second : {1e-2, 1e-4}) {
      for (const double sign : {1.0, -1.0}) {
        // Its least value, or its greatest, is `depth` beyond zero.
        TrigQuadratic h{0.0, sign * 0.6, sign * 0.8, second, 0.5 * second};
        const CirclePoints extrema = find_extrema(h, 1e-16);
        h.a0 = -h.value(extrema.at[sign > 0.0 ? 1 : 0]) - sign * depth;
        const CircleRoots expected = find_roots(h, extrema), roots = find_roots(h, 2e-15);
        ASSERT_EQ(roots.points.count, 2) << depth;
        for (int k = 0; k < 2; ++k) {
          const int other = roots.rising[k] == expected.rising[0] ? 0 : 1;
          EXPECT_LT((roots.points.at[k] - expected.points.at[other]).norm(), 1e-14 / std::sqrt(depth)) << depth;
        }
      }
    }
  }
}

}  // namespace
}  // namespace abut
