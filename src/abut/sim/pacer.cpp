#include "abut/sim/pacer.hpp"

#include <algorithm>
#include <thread>

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

namespace abut {
namespace {

using Seconds = std::chrono::duration<double>;

/// A sleeping thread wakes up later than asked for, by this at most on a quiet machine; the rest is waited for awake.
constexpr std::chrono::microseconds kWakingTime{80};

bool set_scheduling(int policy, int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return pthread_setschedparam(pthread_self(), policy, &parameters) == 0;
}

}  // namespace

Pacer::Pacer(double step) {
  report_.step = step;
  // Linux rounds sleeps up to this slack, 50 us unless told otherwise. A refusal does no harm.
  prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul);
  report_.has_priority = set_scheduling(SCHED_RR, sched_get_priority_min(SCHED_RR));
  start_ = step_start_ = Clock::now();
}

Pacer::~Pacer() {
  if (report_.has_priority) set_scheduling(SCHED_OTHER, 0);
}

void Pacer::wait_until_due(double time) {
  const Clock::time_point due = start_ + std::chrono::duration_cast<Clock::duration>(Seconds(time));
  const Clock::time_point ready = Clock::now();
  const double taken = Seconds(ready - step_start_).count(), late = Seconds(ready - due).count();
  busy_ += taken;
  ++report_.num_steps;
  report_.worst_load = std::max(report_.worst_load, taken / report_.step);
  if (late > 0.0) {
    ++report_.num_late;
    if (late > report_.worst_lateness) {
      report_.worst_lateness = late;
      report_.worst_time = time;
    }
  }
  const auto& edges = RealtimeReport::kEdges;
  // On an edge a step belongs to the earlier bin: ready exactly when due is in time.
  ++report_.counts[std::lower_bound(edges.begin(), edges.end(), late / report_.step) - edges.begin()];
  step_start_ = ready;
  if (late >= 0.0) return;
  if (due - ready > kWakingTime) std::this_thread::sleep_until(due - kWakingTime);
  while ((step_start_ = Clock::now()) < due) {
  }
}

RealtimeReport Pacer::make_report() const {
  RealtimeReport report = report_;
  if (report.num_steps > 0) report.mean_load = busy_ / (report.step * static_cast<double>(report.num_steps));
  return report;
}

}  // namespace abut
