#pragma once

#include <vector>

namespace abut {

/// What the contacts at points need to advance by one explicit step.
struct PointAdvance {
  double time = 0.0;                  ///< at its beginning [s]
  double step = 0.0;                  ///< [s]
  double* friction_states = nullptr;  ///< `stride` numbers for each place of the pool
  int stride = 0;
  double* works = nullptr;  ///< kNumPatchWorks for each place of the pool [J]
  double max_rate = 0.0;    ///< fastest relaxation the step can follow [1/s]
};

/// What came of advancing some points.
struct PointOutcome {
  bool is_finite = true;
  double deepest = 0.0;      ///< [m]
  std::vector<int> changed;  ///< points that overlap and have no patch, or have one and do not; not advanced
};

}  // namespace abut
