#pragma once

#include <atomic>

namespace abut {

/// Becomes true with the first signal that asks a run to end: Ctrl-C, SIGTERM, the terminal that closes (unless nohup
/// has it ignored), the time limit of a batch system (SIGXCPU, SIGUSR1). The run ends after its current step with
/// everything written. A second one ends the process at once.
std::atomic<bool>& watch_stop_signals();

}  // namespace abut
