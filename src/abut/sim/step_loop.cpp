#include "abut/sim/step_loop.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut {

namespace {

bool has_steps_left(const RunSpec& run, const State& state, long n, RunEnd& end) {
  if (!run.max_steps || n < *run.max_steps) return true;
  end.status = RunStatus::failed;
  end.message = fmt::format("stopped at {:.6g} s: max_steps = {} steps were taken.", state.time, *run.max_steps);
  end.advice = "Raise run.max_steps, or leave it out.";
  return false;
}

/// True when the run may go on.
bool record(const StepMethod& method, const State& state, RunBook& book, RunEnd& end) {
  book.sample(state.time, state.y.data(), state.works.data());
  if (end.status == RunStatus::done && !std::isfinite(book.energy_gained())) {
    end.status = RunStatus::failed;
    end.message = fmt::format("stopped at {:.6g} s: the energy balance is not finite.", state.time);
    method.explain_divergence(end);
    return false;
  }
  if (end.status != RunStatus::done || !book.has_diverged()) return true;
  end.status = RunStatus::failed;
  end.message = std::isfinite(book.energy_gained())
                    ? fmt::format("stopped at {:.6g} s: the motion has gained {:.3g} J from nowhere.", state.time,
                                  book.energy_gained())
                    : fmt::format("stopped at {:.6g} s: the energy of the motion is not finite.", state.time);
  method.explain_divergence(end);
  return false;
}

}  // namespace

RunEnd run_steps(StepMethod& method, const RunSpec& run, State& state, RunBook& book, RunClock& clock) {
  const double step = run.step.value();
  const long num_steps = std::max(1L, std::lround(std::ceil(run.duration / step * (1.0 - 1e-12))));
  RunEnd end;
  bool is_recorded = false;
  for (long n = 0; n < num_steps && !is_recorded; ++n) {
    const bool is_sampled = book.is_sample_due(state.time * (1.0 + 1e-12));
    method.prepare(is_sampled);
    if (is_sampled) {
      is_recorded = !record(method, state, book, end);
      if (is_recorded) break;
      method.resume();
    }
    if (clock.is_stop_wanted()) end.status = RunStatus::interrupted;
    if (end.status != RunStatus::done || !has_steps_left(run, state, n, end)) break;
    if (!method.step(n + 1 == num_steps ? run.duration : static_cast<double>(n + 1) * step, end)) break;
    clock.tick(state.time);
  }
  if (!is_recorded) {
    method.prepare(true);
    record(method, state, book, end);
  }
  method.report(end);
  return end;
}

}  // namespace abut
