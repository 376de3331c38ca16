#pragma once

#include <chrono>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include "abut/sim/pacer.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

/// Wall time, progress, pace and the wish to stop, asked for once a step at negligible cost: the coarse clock of the
/// system, right to a few milliseconds, is read in as many nanoseconds. Every step asks it, since one may take seconds.
class RunClock {
 public:
  /// Step length [s] for a run that is to keep pace with the clock.
  RunClock(const RunOptions& options, double step) : options_(options), start_(Clock::now()) {
    if (options.is_realtime) pacer_.emplace(step);
  }

  bool is_stop_wanted() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  /// After the step that led to `time` [s]: keeps pace, and reports progress about ten times a second.
  void tick(double time) {
    if (pacer_) pacer_->wait_until_due(time);
    if (!options_.on_progress) return;
    const double now = read_coarse_clock();
    if (now - last_report_ < kSecondsBetweenReports) return;
    last_report_ = now;
    options_.on_progress(time);
  }

  /// Time that the rest of a run will take at the pace of the last seconds [s], once, and where it is hours; else 0.
  double calc_long_wait(double time, double duration) {
    // A few steps behind an event are short, and say nothing of the others, however long they take.
    constexpr double kSecondsOfPace = 3.0, kSecondsOfFewSteps = 30.0, kLong = 3600.0;
    constexpr int kFewSteps = 16;
    if (has_told_) return 0.0;
    const double now = read_coarse_clock();
    if (now - pace_start_ < (++pace_steps_ < kFewSteps ? kSecondsOfFewSteps : kSecondsOfPace)) return 0.0;
    pace_steps_ = 0;
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
  static constexpr double kSecondsBetweenReports = 0.1;

  static double read_coarse_clock() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  Clock::time_point start_;
  double last_report_ = read_coarse_clock();  ///< [s]
  std::optional<Pacer> pacer_;
  double pace_start_ = last_report_,
         pace_time_ = 0.0;  ///< where the pace was looked at last, by the clock and the run [s]
  int pace_steps_ = 0;      ///< since then
  bool has_told_ = false;
};

}  // namespace abut
