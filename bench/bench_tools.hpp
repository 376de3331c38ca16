#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

#include "abut/scene/record.hpp"

namespace abut {

/// A sink that keeps nothing, so that a benchmark times the simulation alone.
class NullSink : public RecordSink {
 public:
  void begin(const RecordLayout&) override {}
  void sample(const Sample&) override {}
  void event(const ContactEvent&) override {}
  void finish(const std::string&) override {}
};

/// Shortest of several timings of the same work [s]: what is left when the machine disturbs least.
template <class Work>
double calc_best_time(int repetitions, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace abut
