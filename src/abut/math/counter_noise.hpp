#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace abut {

/// Random bits as a function of a counter: no state, so that the n-th number is the same whoever asks for it, in
/// whatever order, before and after a restart. Philox 4x32 with ten rounds.   [Salmon et al. 2011]
std::array<std::uint32_t, 4> calc_philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A number from the normal distribution of mean 0 and deviation 1, by Box and Muller's formula.
double calc_normal_noise(std::uint64_t key, std::uint64_t sample, std::uint32_t channel);

/// From a seed and a name: other names have other noise under the same seed.
std::uint64_t make_noise_key(int seed, std::string_view name);

}  // namespace abut
