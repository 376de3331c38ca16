#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <string_view>

#include "abut/scene/null_sink.hpp"

namespace abut {

/// For tools that count instructions, which make a program fifty times slower: each piece of work once, and the small
/// ones only (bench/count_instructions).
inline bool counts_only = false;

inline void read_bench_options(int argc, char** argv) {
  counts_only = argc > 1 && std::string_view(argv[1]) == "--count";
}

/// Shortest of several timings of the same work [s]: what is left when the machine disturbs least.
template <class Work>
double calc_best_time(int repetitions, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < (counts_only ? 1 : repetitions); ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// Processor time of this thread that some work takes [s]; other work on the machine hardly shows.
template <class Work>
double calc_cpu_time(const Work& work) {
  const auto now = [] {
    std::timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

}  // namespace abut
