#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "abut/sim/adaptive_patches.hpp"
#include "abut/sim/error_scales.hpp"
#include "abut/sim/long_wait.hpp"
#include "abut/sim/peak_watch.hpp"
#include "abut/sim/runs.hpp"
#include "abut/solve/ode/event_driver.hpp"

namespace abut {

namespace {

AdaptiveMethod make_method(const Dynamics& dynamics) {
  // Where nothing can move there is nothing to choose, and multistep methods want a state.
  if (dynamics.num_v() == 0) return AdaptiveMethod::automatic;
  switch (dynamics.model().scene.run.integrator) {
    case RunSpec::Integrator::rk:
      return AdaptiveMethod::dormand_prince;
    case RunSpec::Integrator::radau:
      return AdaptiveMethod::radau;
    case RunSpec::Integrator::bdf:
      return AdaptiveMethod::bdf;
    case RunSpec::Integrator::adams:
      return AdaptiveMethod::adams;
    default:
      return AdaptiveMethod::automatic;
  }
}

/// Bristles that do not scale with the load would relax at an infinite rate as the load vanishes; a microsecond is soon
/// enough [1/s].
constexpr double kFastestRelaxation = 1e6;

/// The scales of the error control are looked at again after this many steps without an event, and taken over where
/// they have changed by this factor.
constexpr std::int64_t kStepsOfScales = 100;
constexpr double kScaleChange = 10.0;

/// A run that gets on by less than this part of its duration in this many steps would not end within 1e13 of them.
constexpr double kLeastHeadway = 1e-9;
constexpr std::int64_t kHeadwaySteps = 20'000;

class AdaptiveRun final : public Method {
 public:
  AdaptiveRun(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        clock_(clock),
        run_(dynamics.model().scene.run),
        stepper_(make_adaptive_stepper(make_method(dynamics), dynamics)),
        driver_(dynamics, *stepper_) {
    dynamics_.set_max_rate(kFastestRelaxation);
  }

  void begin() override {
    dynamics_.calc_motion(state_.time, state_.y.data());
    dynamics_.cover_now();
    patches_.update_geometry();
    patches_.begin_touching();
    book_.sensors().sample(0.0, state_.y.data());
    book_.sample(0.0, state_.y.data(), state_.works.data());
    restart();
  }

  bool step(double limit, RunEnd& end) override {
    limit_ = limit;
    if (end_.status == RunStatus::done) take_step();
    end.status = end_.status;
    end.message = end_.message;
    end.advice = end_.advice;
    return end_.status == RunStatus::done;
  }

  void note_change() override { restart(); }

  void finish(RunEnd& end) override {
    book_.sample(state_.time, state_.y.data(), state_.works.data());
    // A forecast is for those who wait: a run that has ended knows better.
    if (end.status != RunStatus::done && !long_wait_.empty()) end.notes.push_back(long_wait_);
  }

  void report(RunEnd& end) const override {
    const WorkCounter work = driver_.work();
    end.work.accepted = work.accepted;
    end.work.rejected = work.rejected;
    end.work.events = events_;
    end.work.rate_evaluations = work.rate_evaluations;
    end.work.jacobians = work.jacobians;
    end.work.contact_evaluations = dynamics_.contact_evaluations();
  }

  void exchange(ByteWriter& archive) override {
    stepper_->exchange(archive);
    visit(archive);
  }
  void exchange(ByteReader& archive) override {
    stepper_->exchange(archive);
    visit(archive);
    // As the last step left it, without a trace in the memory of the contacts.
    ContactMemory memory;
    dynamics_.contacts().remember(memory);
    patches_.update_geometry();
    dynamics_.contacts().recall(memory);
  }
  template <class Archive>
  void visit(Archive& archive) {
    archive(driver_, end_, peaks_, patches_, steps_to_look_, headway_step_, headway_time_, weights_, scaled_step_,
            long_wait_, events_);
  }

 private:
  void take_step() {
    const AdvanceResult result = driver_.step(next_stop());
    if (result.status == AdvanceStatus::failed) return fail(result.reason);
    take_over();
    if (result.status == AdvanceStatus::event) {
      ++events_;
      patches_.handle_events(result.events);
      steps_to_look_ = 2;
      restart();
    } else {
      if (patches_.regain_grip()) restart();
      look_around();
      follow_loads();
      if (is_at_breakpoint()) restart();
    }
    check_limits();
  }

  double next_stop() const {
    const auto next = std::upper_bound(breakpoints().begin(), breakpoints().end(), state_.time);
    return next == breakpoints().end() ? limit_ : std::min(*next, limit_);
  }
  bool is_at_breakpoint() const { return std::binary_search(breakpoints().begin(), breakpoints().end(), state_.time); }
  const std::vector<double>& breakpoints() const { return dynamics_.model().breakpoints; }

  /// The state at the end of a step becomes ours; what happened inside is sampled and observed.
  void take_over() {
    record_samples();
    observe_step();
    std::copy(driver_.state(), driver_.state() + dynamics_.size(), state_.y.begin());
    std::copy(driver_.quadratures(), driver_.quadratures() + dynamics_.num_quadratures(), state_.works.begin());
    state_.time = driver_.time();
    clock_.tick(state_.time);
  }

  void record_samples() {
    y_inside_.resize(dynamics_.size());
    works_inside_.resize(dynamics_.num_quadratures());
    while (book_.is_sample_due(driver_.time()) && book_.next_sample_time() < limit_ && !clock_.is_stop_wanted()) {
      const double t = book_.next_sample_time();
      sample_sensors(t);
      driver_.interpolate(t, y_inside_.data(), works_inside_.data());
      bound_springs_inside();
      book_.sample(t, y_inside_.data(), works_inside_.data());
    }
    sample_sensors(driver_.time());
  }

  /// All samples that fall due up to t within the step that was taken.
  void sample_sensors(double t) {
    SensorBank& sensors = book_.sensors();
    while (sensors.is_due(t)) {
      const double due = sensors.next_sample_time();
      driver_.interpolate(due, y_inside_.data(), works_inside_.data());
      sensors.sample(due, y_inside_.data());
    }
  }

  /// Springs of volumes that are counted by their work: between two instants at which one holds something it does not
  /// hold less than nothing, as the polynomial of a step may say by its error, just behind a touch.
  void bound_springs_inside() {
    for (const int place : state_.pool.active) {
      if (!state_.pool.patches[place].traits().work_is_stored) continue;
      const int first = kNumGlobalWorks + kNumPatchWorks * place;
      const double before = PatchWork::read(state_.works.data() + first).elastic;
      const double after = PatchWork::read(driver_.quadratures() + first).elastic;
      PatchWork inside = PatchWork::read(works_inside_.data() + first);
      if (before < 0.0 || after < 0.0 || inside.elastic >= 0.0) continue;
      inside.elastic = 0.0;
      inside.write(works_inside_.data() + first);
    }
  }

  void observe_step() {
    const std::vector<PatchResponse> responses = dynamics_.calc_responses(driver_.time(), driver_.state());
    dynamics_.contacts().note_step(dynamics_.motion(), driver_.quadratures() + kNumGlobalWorks, state_.pool);
    book_.observe(driver_.time(), responses);
    peaks_.look_into_step(driver_, responses);
  }

  /// After a lift a point may go straight back into contact without having been apart for the event to see.
  void look_around() {
    if (steps_to_look_ == 0 && !patches_.is_any_inside(driver_.event_values())) return;
    if (steps_to_look_ > 0) --steps_to_look_;
    patches_.update_geometry();
    const bool has_ended = patches_.end_separated();
    if (patches_.begin_touching() || has_ended) restart();
  }

  void restart() {
    patches_.compact();
    const std::vector<PatchResponse>& responses = dynamics_.calc_responses(state_.time, state_.y.data());
    peaks_.begin(responses);
    book_.observe(state_.time, responses);
    dynamics_.cover_now();
    dynamics_.set_friction_projection(dynamics_.stride() >= 3 && dynamics_.contacts().has_turning_normals(state_.pool));
    const std::vector<LoadScale> loads = calc_load_scales(dynamics_, state_);
    weights_ = make_error_weights(dynamics_, state_, loads, run_.tolerance);
    driver_.restart(state_.time, state_.y.data(), state_.works.data(), weights_,
                    make_restart_hint(dynamics_, state_, loads));
    scaled_step_ = driver_.work().accepted;
  }

  /// Loads may grow or go while no contact begins or ends; the errors allowed follow.
  void follow_loads() {
    if (driver_.work().accepted - scaled_step_ < kStepsOfScales || state_.pool.active.empty()) return;
    scaled_step_ = driver_.work().accepted;
    const std::vector<LoadScale> loads = calc_load_scales(dynamics_, state_);
    const ErrorWeights weights = make_error_weights(dynamics_, state_, loads, run_.tolerance);
    const VecX ratio = weights.absolute.cwiseQuotient(weights_.absolute);
    if (ratio.maxCoeff() < kScaleChange && ratio.minCoeff() > 1.0 / kScaleChange) return;
    weights_ = weights;
    RestartHint hint = make_restart_hint(dynamics_, state_, loads);
    hint.first_step = stepper_->step_size();
    hint.trust_first_step = hint.first_step > 0.0;
    driver_.restart(state_.time, state_.y.data(), state_.works.data(), weights_, hint);
  }

  void check_limits() {
    if (end_.status == RunStatus::done && !std::isfinite(book_.energy_gained()))
      fail("the energy balance is not finite");
    if (run_.max_steps && driver_.work().accepted >= *run_.max_steps && state_.time < run_.duration) {
      end_.status = RunStatus::failed;
      end_.message = fmt::format("stopped at {:.6g} s: max_steps = {} steps were taken.", state_.time, *run_.max_steps);
      end_.advice = "Raise run.max_steps, or leave it out.";
    }
    check_headway();
    if (const double wait = clock_.calc_long_wait(state_.time, run_.duration); wait > 0.0) {
      // When that is depends on the machine; the motion must not.
      ContactMemory memory;
      dynamics_.contacts().remember(memory);
      const std::vector<PatchResponse>& responses = dynamics_.calc_responses(state_.time, state_.y.data());
      dynamics_.contacts().recall(memory);
      long_wait_ = describe_long_wait(dynamics_.model(), state_, responses, book_, wait, stepper_->step_size());
      clock_.tell(long_wait_);
    }
  }

  /// Without it speeds or rates beyond all physics would keep a run busy for ever with steps that lead nowhere.
  void check_headway() {
    const std::int64_t steps = driver_.work().accepted;
    if (steps - headway_step_ < kHeadwaySteps) return;
    const double headway = state_.time - headway_time_;
    headway_step_ = steps;
    headway_time_ = state_.time;
    if (end_.status != RunStatus::done || headway > kLeastHeadway * run_.duration || state_.time >= run_.duration)
      return;
    fail(fmt::format("the last {} steps led on by {:.3g} s only", kHeadwaySteps, headway));
  }

  void fail(const std::string& reason) {
    end_.status = RunStatus::failed;
    std::string contact = "no contact is active";
    const std::vector<PatchResponse>& responses = dynamics_.calc_responses(state_.time, state_.y.data());
    double largest = -1.0;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      if (!(responses[i].normal_force > largest)) continue;
      largest = responses[i].normal_force;
      contact =
          fmt::format("the most loaded contact is {} (depth {:.3g} m, force {:.3g} N)",
                      book_.describe_patch(state_.pool.patches[state_.pool.active[i]]), -responses[i].gap, largest);
    }
    end_.message = fmt::format("stopped at {:.9g} s: {}; {}.", state_.time, reason, contact);
    end_.advice =
        "Try integrator = \"radau\" or \"bdf\", a larger tolerance, or look for parameters far from physical ones "
        "(abut check).";
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  RunClock& clock_;
  const RunSpec& run_;
  std::unique_ptr<AdaptiveStepper> stepper_;
  EventDriver driver_;
  RunEnd end_;
  AdaptivePatches patches_{dynamics_, state_, book_, end_};
  double limit_ = 0.0;  ///< of this step [s]
  long events_ = 0;
  PeakWatch peaks_{dynamics_, state_};
  int steps_to_look_ = 2;
  std::int64_t headway_step_ = 0;  ///< where headway was looked at last
  double headway_time_ = 0.0;      ///< [s]
  ErrorWeights weights_;
  std::int64_t scaled_step_ = 0;  ///< where they were made
  std::vector<double> y_inside_, works_inside_;
  std::string long_wait_;  ///< what was said of it while the run went on
};

}  // namespace

std::unique_ptr<Method> make_adaptive_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return std::make_unique<AdaptiveRun>(dynamics, state, book, clock);
}

}  // namespace abut
