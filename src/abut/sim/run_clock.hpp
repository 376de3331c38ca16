#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string>

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

  /// Time that the rest of a run will take at the pace of the last seconds [s], once, and where it is hours; else 0.
  double calc_long_wait(double time, double duration) {
    constexpr double kSecondsOfPace = 3.0, kLong = 3600.0;
    if (has_told_ || ++pace_calls_ % 16 != 0) return 0.0;
    const double now = elapsed();
    if (now - pace_start_ < kSecondsOfPace) return 0.0;
    const double pace = (time - pace_time_) / (now - pace_start_);
    pace_start_ = now;
    pace_time_ = time;
    if (!(duration - time > kLong * pace)) return 0.0;
    has_told_ = true;
    return pace > 0.0 ? (duration - time) / pace : std::numeric_limits<double>::infinity();
  }
  void tell(const std::string& text) const {
    if (options_.on_notice) options_.on_notice(text);
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
  unsigned calls_ = 0, pace_calls_ = 0;
  double pace_start_ = 0.0, pace_time_ = 0.0;  ///< where the pace was looked at last, on the clock and in the run [s]
  bool has_told_ = false;
};

}  // namespace abut
