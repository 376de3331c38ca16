#include "abut/sim/step_loop.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace abut {

namespace {

/// Stops this near to the end of a step, as a part of it, are that end.
constexpr double kOnGrid = 1e-9;

class StepLoop final : public Method {
 public:
  StepLoop(std::unique_ptr<StepMethod> method, const RunSpec& run, State& state, RunBook& book, RunClock& clock)
      : method_(std::move(method)), run_(run), step_(run.step.value()), state_(state), book_(book), clock_(clock) {}

  /// Sensors look first at the start.
  void begin() override { sample_sensors(); }

  bool step(double limit, RunEnd& end) override {
    const bool is_sampled = book_.is_sample_due(state_.time * (1.0 + 1e-12));
    if (!is_shown_) method_->prepare(is_sampled);
    if (is_sampled) {
      is_recorded_ = !record(end);
      if (is_recorded_) return false;
    }
    if (is_sampled || is_shown_) method_->resume();
    is_shown_ = false;
    if (!has_steps_left(end)) return false;
    const long most = std::max(1L, std::lround(std::ceil(limit / step_ * (1.0 - 1e-12))));
    const bool is_last = num_steps_ + 1 >= most;
    const double grid = static_cast<double>(num_steps_ + 1) * step_;
    if (!method_->step(is_last ? limit : grid, end)) return false;
    ++num_taken_;
    // After a stop in between, the next step goes on to the next instant that is a whole number of them.
    if (!is_last || std::abs(limit - grid) <= kOnGrid * step_) ++num_steps_;
    clock_.tick(state_.time);
    sample_sensors();
    return true;
  }

  void show() override {
    if (!is_shown_) method_->prepare(true);
    is_shown_ = true;
  }

  void finish(RunEnd& end) override {
    if (is_recorded_) return;
    method_->prepare(true);
    record(end);
  }

  void report(RunEnd& end) const override { method_->report(end); }

  void exchange(ByteWriter& archive) override {
    archive(num_steps_, num_taken_);
    method_->exchange(archive);
  }
  void exchange(ByteReader& archive) override {
    archive(num_steps_, num_taken_);
    method_->exchange(archive);
  }

 private:
  bool has_steps_left(RunEnd& end) const {
    if (!run_.max_steps || num_taken_ < *run_.max_steps) return true;
    end.status = RunStatus::failed;
    end.message = fmt::format("stopped at {:.6g} s: max_steps = {} steps were taken.", state_.time, *run_.max_steps);
    end.advice = "Raise run.max_steps, or leave it out.";
    return false;
  }

  /// At the end of a step, so that what is changed there from outside comes after the look.
  void sample_sensors() {
    if (!book_.sensors().is_due(state_.time)) return;
    show();
    book_.sensors().sample(state_.time, state_.y.data());
  }

  /// True when the run may go on.
  bool record(RunEnd& end) {
    book_.sample(state_.time, state_.y.data(), state_.works.data());
    if (end.status == RunStatus::done && !std::isfinite(book_.energy_gained())) {
      end.status = RunStatus::failed;
      end.message = fmt::format("stopped at {:.6g} s: the energy balance is not finite.", state_.time);
      method_->explain_divergence(end);
      return false;
    }
    if (end.status != RunStatus::done || !book_.has_diverged()) return true;
    end.status = RunStatus::failed;
    end.message = std::isfinite(book_.energy_gained())
                      ? fmt::format("stopped at {:.6g} s: the motion has gained {:.3g} J from nowhere.", state_.time,
                                    book_.energy_gained())
                      : fmt::format("stopped at {:.6g} s: the energy of the motion is not finite.", state_.time);
    method_->explain_divergence(end);
    return false;
  }

  std::unique_ptr<StepMethod> method_;
  const RunSpec& run_;
  double step_;  ///< [s]
  State& state_;
  RunBook& book_;
  RunClock& clock_;
  long num_steps_ = 0;  ///< whole ones since time zero
  long num_taken_ = 0;
  bool is_shown_ = false;     ///< everything is up to date, and may have been looked at
  bool is_recorded_ = false;  ///< the last sample was that of a failure
};

}  // namespace

std::unique_ptr<Method> make_step_loop(std::unique_ptr<StepMethod> method, const RunSpec& run, State& state,
                                       RunBook& book, RunClock& clock) {
  return std::make_unique<StepLoop>(std::move(method), run, state, book, clock);
}

}  // namespace abut
