#pragma once

#include <cstdint>
#include <vector>

namespace abut {

/// Commands that were computed and do not act yet.
struct PendingCommands {
  std::int64_t sample = 0;  ///< at which they were
  std::vector<double> values;
};

/// What one controller remembers; part of State.
struct ControllerState {
  std::int64_t next = 0;       ///< sample to come, at next / rate
  std::vector<double> memory;  ///< of the law: integrals, references
  std::vector<PendingCommands> pending;
  std::vector<double> held;  ///< commands that act; empty before the first
};

}  // namespace abut
