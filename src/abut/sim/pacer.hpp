#pragma once

#include <chrono>

#include "abut/scene/realtime_report.hpp"

namespace abut {

/// Holds the steps of a run to the wall clock: a step that is ready early waits until it is due, one that is late is
/// counted, and the run goes on without waiting until it has caught up. Nothing is left out, so that a run with late
/// steps has the same results. Where the system permits it, the thread gets real-time priority as long as the pacer
/// lives; the lowest one, so that whatever else asks for it comes first.
class Pacer {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts the clock. Step length [s].
  explicit Pacer(double step);
  ~Pacer();
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;

  /// To be called when the step that leads to `time` [s] is ready. Returns when it is due, or at once.
  void wait_until_due(double time);

  RealtimeReport make_report() const;

 private:
  Clock::time_point start_, step_start_;
  double busy_ = 0.0;  ///< [s]
  RealtimeReport report_;
};

}  // namespace abut
