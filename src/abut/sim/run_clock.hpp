#pragma once

#include <chrono>

#include "abut/sim/simulate.hpp"

namespace abut {

/// Wall time, progress and the wish to stop, asked for once a step at negligible cost.
class RunClock {
 public:
  explicit RunClock(const RunOptions& options) : options_(options), start_(Clock::now()), last_report_(start_) {}

  bool is_stop_wanted() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  /// Reports progress about ten times a second.
  void tick(double time) {
    if (!options_.on_progress || ++calls_ % 16 != 0) return;
    const Clock::time_point now = Clock::now();
    if (now - last_report_ < std::chrono::milliseconds(100)) return;
    last_report_ = now;
    options_.on_progress(time);
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const RunOptions& options_;
  Clock::time_point start_, last_report_;
  unsigned calls_ = 0;
};

}  // namespace abut
