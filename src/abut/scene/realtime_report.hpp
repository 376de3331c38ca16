#pragma once

#include <array>
#include <limits>

namespace abut {

/// How a run paced by the wall clock kept its deadlines. A step is due when the clock shows the time it leads to.
struct RealtimeReport {
  /// Edges between the bins of the histogram: when a step was ready against when it was due, in steps; < 0 is early.
  static constexpr std::array<double, 13> kEdges = {-0.9, -0.8, -0.7, -0.6, -0.5, -0.4, -0.3,
                                                    -0.2, -0.1, 0.0,  0.1,  1.0,  10.0};
  static constexpr std::size_t kNumBins = kEdges.size() + 1;

  double step = 0.0;  ///< [s]
  long num_steps = 0;
  long num_late = 0;            ///< steps ready after they were due
  double worst_lateness = 0.0;  ///< [s]
  double worst_time = 0.0;      ///< the simulated time of the worst one [s]
  double mean_load = 0.0;       ///< time a step takes over its length; above 1 the run cannot keep up
  double worst_load = 0.0;
  bool has_priority = false;  ///< whether the system gave the run real-time priority
  std::array<long, kNumBins> counts{};

  static double bin_start(std::size_t i) { return i == 0 ? -1.0 : kEdges[i - 1]; }
  static double bin_end(std::size_t i) {
    return i + 1 == kNumBins ? std::numeric_limits<double>::infinity() : kEdges[i];
  }
};

}  // namespace abut
