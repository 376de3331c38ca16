#pragma once

#include <chrono>
#include <optional>

#include "abut/sim/pacer.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

/// Wall time, progress, pace and the wish to stop, asked for once a step at negligible cost.
class RunClock {
 public:
  /// Step length [s] for a run that is to keep pace with the clock.
  RunClock(const RunOptions& options, double step) : options_(options), start_(Clock::now()), last_report_(start_) {
    if (options.is_realtime) pacer_.emplace(step);
  }

  bool is_stop_wanted() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  /// After the step that led to `time` [s]: keeps pace, and reports progress about ten times a second.
  void tick(double time) {
    if (pacer_) pacer_->wait_until_due(time);
    if (!options_.on_progress || ++calls_ % 16 != 0) return;
    const Clock::time_point now = Clock::now();
    if (now - last_report_ < std::chrono::milliseconds(100)) return;
    last_report_ = now;
    options_.on_progress(time);
  }

  std::optional<RealtimeReport> make_realtime_report() const {
    if (!pacer_) return std::nullopt;
    return pacer_->make_report();
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  const RunOptions& options_;
  Clock::time_point start_, last_report_;
  std::optional<Pacer> pacer_;
  unsigned calls_ = 0;
};

}  // namespace abut
