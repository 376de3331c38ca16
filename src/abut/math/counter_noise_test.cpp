#include "abut/math/counter_noise.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace abut {
namespace {

/// The vectors that the authors of the generator publish with it.   [Salmon et al. 2011]
TEST(CounterNoise, GivesThePublishedBits) {
  EXPECT_EQ(calc_philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  EXPECT_EQ(calc_philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
            (std::array<std::uint32_t, 4>{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

/// Moments of 1e5 numbers: the deviations are 1/sqrt(n), sqrt(2/n), sqrt(6/n), sqrt(96/n); five of them.
TEST(CounterNoise, IsNormal) {
  constexpr int n = 100'000;
  double sums[4] = {};
  for (int i = 0; i < n; ++i) {
    const double x = calc_normal_noise(make_noise_key(1, "a"), static_cast<std::uint64_t>(i), 0);
    for (int k = 0; k < 4; ++k) sums[k] += std::pow(x, k + 1) / n;
  }
  EXPECT_NEAR(sums[0], 0.0, 5.0 * std::sqrt(1.0 / n));
  EXPECT_NEAR(sums[1], 1.0, 5.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(sums[2], 0.0, 5.0 * std::sqrt(15.0 / n));
  EXPECT_NEAR(sums[3], 3.0, 5.0 * std::sqrt(96.0 / n));
}

/// Correlation of neighbours in time, channel, seed and name: 1/sqrt(n); five of them.
TEST(CounterNoise, NeighboursHaveNothingInCommon) {
  constexpr int n = 20'000;
  double sums[4] = {};
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = calc_normal_noise(make_noise_key(1, "a"), i, 0);
    sums[0] += x * calc_normal_noise(make_noise_key(1, "a"), i + 1, 0) / n;
    sums[1] += x * calc_normal_noise(make_noise_key(1, "a"), i, 1) / n;
    sums[2] += x * calc_normal_noise(make_noise_key(2, "a"), i, 0) / n;
    sums[3] += x * calc_normal_noise(make_noise_key(1, "b"), i, 0) / n;
  }
  for (const double sum : sums) EXPECT_NEAR(sum, 0.0, 5.0 / std::sqrt(n));
}

}  // namespace
}  // namespace abut
