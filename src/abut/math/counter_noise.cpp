#include "abut/math/counter_noise.hpp"

#include <cmath>
#include <numbers>

namespace abut {

std::array<std::uint32_t, 4> calc_philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kFactor0 = 0xD2511F53u, kFactor1 = 0xCD9E8D57u;
  constexpr std::uint32_t kAdd0 = 0x9E3779B9u, kAdd1 = 0xBB67AE85u;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = kFactor0 * counter[0], b = kFactor1 * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += kAdd0;
    key[1] += kAdd1;
  }
  return counter;
}

double calc_normal_noise(std::uint64_t key, std::uint64_t sample, std::uint32_t channel) {
  const std::array<std::uint32_t, 4> bits =
      calc_philox({static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(sample >> 32), channel, 0},
                  {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
  const auto join = [](std::uint32_t high, std::uint32_t low) {
    return static_cast<double>(((static_cast<std::uint64_t>(high) << 32) | low) >> 11) * 0x1p-53;  // [0, 1)
  };
  const double radius = std::sqrt(-2.0 * std::log(1.0 - join(bits[0], bits[1])));
  return radius * std::cos(2.0 * std::numbers::pi * join(bits[2], bits[3]));
}

std::uint64_t make_noise_key(int seed, std::string_view name) {
  std::uint64_t hash = 14695981039346656037u ^ static_cast<std::uint64_t>(seed);
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  // Seeds that differ in few bits become keys that differ in many.
  hash = (hash ^ (hash >> 31)) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

}  // namespace abut
