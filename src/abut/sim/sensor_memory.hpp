#pragma once

#include <cstdint>
#include <vector>

namespace abut {

/// What a sensor remembers from sample to sample; one number for each channel, but for `kept`.
struct SensorMemory {
  std::int64_t next = 0;          ///< sample that is taken next; the first is 0, at time 0
  std::vector<double> input;      ///< of the filter, at the last sample
  std::vector<double> filtered;   ///< by it
  std::vector<double> kept;       ///< the last readings, sample k in row k % num_kept
  std::vector<double> peak;       ///< the reading of largest magnitude
  std::vector<double> peak_time;  ///< when it was taken [s]
};

}  // namespace abut
