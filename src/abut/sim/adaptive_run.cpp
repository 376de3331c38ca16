#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "abut/contact/region/grip.hpp"
#include "abut/sim/error_scales.hpp"
#include "abut/sim/long_wait.hpp"
#include "abut/sim/peak_watch.hpp"
#include "abut/sim/repeat_watch.hpp"
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

/// Gaps of this size are rounding of coordinates of the order of a metre [m].
constexpr double kTouchingGap = 1e-14;

/// Bristles that do not scale with the load would relax at an infinite rate as the load vanishes; a microsecond is soon
/// enough [1/s].
constexpr double kFastestRelaxation = 1e6;

/// A touch found inside is taken as found in time while its spring holds less than this many times the tolerance of the
/// energy in the scene.
constexpr double kMissedTouch = 10.0;

/// The scales of the error control are looked at again after this many steps without an event, and taken over where
/// they have changed by this factor.
constexpr std::int64_t kStepsOfScales = 100;
constexpr double kScaleChange = 10.0;

/// A run that gets on by less than this part of its duration in this many steps would not end within 1e13 of them.
constexpr double kLeastHeadway = 1e-9;
constexpr std::int64_t kHeadwaySteps = 20'000;

/// An instant, as a part of the run's duration: far above the rounding of times, far below what any contact lasts. A
/// contact that begins so often in one will begin for ever.
constexpr double kInstant = 1e-13;
constexpr int kMostRepeats = 50;

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
    update_geometry();
    begin_touching();
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
    update_geometry();
    dynamics_.contacts().recall(memory);
  }
  template <class Archive>
  void visit(Archive& archive) {
    archive(driver_, end_, peaks_, steps_to_look_, lifted_, lift_time_, headway_step_, headway_time_, repeats_,
            weights_, scaled_step_, long_wait_, events_);
  }

 private:
  void take_step() {
    const AdvanceResult result = driver_.step(next_stop());
    if (result.status == AdvanceStatus::failed) return fail(result.reason);
    take_over();
    if (result.status == AdvanceStatus::event) {
      handle_events(result.events);
    } else {
      regain_grip();
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

  void update_geometry() {
    dynamics_.calc_motion(state_.time, state_.y.data());
    dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool);
  }

  void begin(int point) {
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
      return dynamics_.calc_effective_mass(a, b, p, n);
    };
    ContactSet& contacts = dynamics_.contacts();
    const double gap_rate = contacts.calc_gap_rate(point, dynamics_.motion());
    const PatchKin kin = contacts.find_kin(point, dynamics_.motion(), state_.pool);
    const int place = contacts.begin_patch(point, dynamics_.motion(), state_.time, true, mass, state_.pool, kin);
    book_.begin_patch(place, gap_rate, kin);
    if (kin.place < 0) inherit_grip(point, gap_rate, &state_.pool.patches[place]);
    if (state_.time > 0.0 && kin.place < 0 && !is_handed_over(state_.pool.patches[place].key))
      check_touch(state_.pool.patches[place], -contacts.point_geometry(point).gap);
    check_repeats(state_.pool.patches[place]);
    // A part that broke off a volume leaves the rest.
    if (kin.place >= 0 && state_.pool.patches[place].traits().takes_nearest_points) take_over_from(kin.place, point);
  }

  /// Of two capsules: what has handed over carries no more. Its heir moves otherwise, at the same depth: it may press
  /// where the other one had let go, or let go where that pressed.
  void take_over_from(int forerunner, int point) {
    ContactSet& contacts = dynamics_.contacts();
    end(contacts.candidate_of_point(point).first_point + state_.pool.patches[forerunner].key.point);
    contacts.complete_geometry(point, dynamics_.motion(), state_.pool);
    const int place = contacts.patch_at(point);
    const Patch& patch = state_.pool.patches[place];
    const double depth = -contacts.point_geometry(point).gap;
    const NormalCoefficients law = calc_law_now(dynamics_.model().rules[patch.rule].normal, patch.normal, patch.blow,
                                                depth, -contacts.calc_gap_rate(point, dynamics_.motion()), state_.time);
    const NormalForce force = calc_normal_force(law, depth, -contacts.calc_gap_rate(point, dynamics_.motion()));
    const bool is_pressing = force.total > kClearGrip * force.elastic;
    if (!(depth > 0.0) || is_pressing != patch.has_let_go) return;
    const auto& active = state_.pool.active;
    toggle_grip(static_cast<int>(std::find(active.begin(), active.end(), place) - active.begin()));
  }

  void check_repeats(const Patch& patch) {
    if (end_.status != RunStatus::done || repeats_.count(patch.key, state_.time) <= kMostRepeats) return;
    end_.status = RunStatus::failed;
    end_.message = fmt::format("stopped at {:.9g} s: {} touches and lifts without end in this instant.", state_.time,
                               book_.describe_patch(patch));
    end_.advice =
        "Its distance jumps where the surfaces meet. Try region = \"perimeter\" with method = \"explicit\" for this "
        "pair, "
        "or another pose at the start.";
  }

  /// A point that begins on the way out takes over from another one of the same two colliders, the next to it; where
  /// that has let go, its spring holds nothing that could press, and neither does this one's.
  void inherit_grip(int point, double gap_rate, Patch* patch) {
    if (!patch->traits().takes_nearest_points || !(gap_rate > 0.0)) return;
    const ContactSet& contacts = dynamics_.contacts();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
      const Patch& other = state_.pool.patches[state_.pool.active[i]];
      const int its_point = contacts.active_point(static_cast<int>(i));
      if (its_point == point || other.key.collider_a != patch->key.collider_a ||
          other.key.collider_b != patch->key.collider_b)
        continue;
      const double way = (contacts.point_geometry(its_point).point - contacts.point_geometry(point).point).norm();
      if (!(way < nearest)) continue;
      nearest = way;
      patch->has_let_go = other.has_let_go;
      patch->watches_grip = other.watches_grip;
    }
  }

  /// Takes over what another point of the same two colliders has just let go, as points do that stand for each other.
  bool is_handed_over(const PatchKey& key) const {
    return lift_time_ == state_.time && std::any_of(lifted_.begin(), lifted_.end(), [&](const PatchKey& other) {
             return other.collider_a == key.collider_a && other.collider_b == key.collider_b;
           });
  }

  /// A touch is found at the surface. One that begins inside, with more energy in its spring than the tolerance allows
  /// for, was missed, and its energy would come from nowhere.
  void check_touch(const Patch& patch, double depth) {
    if (!(depth > kTouchingGap) || end_.status != RunStatus::done) return;
    const double stored = calc_elastic_energy(patch.by_depth, depth);
    if (stored <= kMissedTouch * run_.tolerance * calc_energy_scale(dynamics_, state_)) return;
    end_.status = RunStatus::failed;
    end_.message = fmt::format(
        "stopped at {:.9g} s: {} begins {:.3g} m deep, so its touch was missed; {:.3g} J would come from nowhere.",
        state_.time, book_.describe_patch(patch), depth, stored);
    end_.advice = "Try run.max_step, or look for surfaces whose distance jumps where they meet.";
  }

  void end(int point) {
    ContactSet& contacts = dynamics_.contacts();
    const int place = contacts.patch_at(point);
    const Patch patch = state_.pool.patches[place];
    const PatchKin kin = contacts.find_kin(point, dynamics_.motion(), state_.pool);
    lifted_.push_back(patch.key);
    lift_time_ = state_.time;
    contacts.end_patch(point, state_.pool);
    book_.end_patch(patch, place, contacts.calc_gap_rate(point, dynamics_.motion()), kin);
  }

  /// Has lifted in this instant, or a little ago and moves on apart. Where its gap is of limited accuracy, as that of a
  /// volume, it may still show a trace of overlap, which is not a touch; should it go back at once, its event will
  /// tell.
  bool is_parting(int point) const {
    const ContactSet& contacts = dynamics_.contacts();
    const Candidate& candidate = contacts.candidate_of_point(point);
    const PatchKey key{candidate.collider_a, candidate.collider_b, point - candidate.first_point};
    return std::find(lifted_.begin(), lifted_.end(), key) != lifted_.end() &&
           (lift_time_ == state_.time || contacts.calc_gap_rate(point, dynamics_.motion()) > 0.0);
  }

  /// Begins whatever overlaps, or touches to rounding and does not move apart, without a patch: bodies assembled in
  /// contact, and points that go from lift straight into contact. Such a point never was apart, so no event could fire
  /// for it.
  bool begin_touching() {
    ContactSet& contacts = dynamics_.contacts();
    bool any = false;
    for (int point = 0; point < contacts.num_points(); ++point) {
      const double gap = contacts.point_geometry(point).gap;
      if (contacts.patch_at(point) >= 0 || gap > kTouchingGap) continue;
      if (gap >= -kTouchingGap && contacts.calc_gap_rate(point, dynamics_.motion()) > 0.0) continue;
      if (is_parting(point)) continue;
      begin(point);
      any = true;
    }
    return any;
  }

  /// Ends the patches of points that touched but came apart without ever having overlapped.
  bool end_separated() {
    bool any = false;
    for (int point = 0; point < dynamics_.contacts().num_points(); ++point) {
      if (dynamics_.contacts().patch_at(point) < 0 || dynamics_.contacts().point_geometry(point).gap <= kTouchingGap)
        continue;
      end(point);
      any = true;
    }
    return any;
  }

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
      driver_.interpolate(t, y_inside_.data(), works_inside_.data());
      bound_springs_inside();
      book_.sample(t, y_inside_.data(), works_inside_.data());
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
    if (steps_to_look_ == 0 && !is_any_inside()) return;
    if (steps_to_look_ > 0) --steps_to_look_;
    update_geometry();
    const bool has_ended = end_separated();
    if (begin_touching() || has_ended) restart();
  }

  /// Whether some point without a patch is clearly inside at the end of the step.
  bool is_any_inside() const {
    const VecX& gaps = driver_.event_values();
    for (int point = 0; point < dynamics_.contacts().num_points(); ++point) {
      if (gaps[point] < -kTouchingGap && !dynamics_.contacts().has_patch(point)) return true;
    }
    return false;
  }

  void handle_events(const std::vector<int>& events) {
    ++events_;
    lifted_.clear();
    const int num_points = dynamics_.contacts().num_points();
    dynamics_.calc_motion(state_.time, state_.y.data());
    dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool);
    for (const int event : events) {
      const int grip = event - num_points;
      if (grip >= 0 && grip < static_cast<int>(state_.pool.active.size())) toggle_grip(grip);
    }
    // Ends first: what their springs hold may go to those that begin.
    std::vector<int> beginning;
    for (const int event : events) {
      if (event >= num_points) continue;
      if (dynamics_.contacts().patch_at(event) < 0) {
        beginning.push_back(event);
      } else {
        end(event);
      }
    }
    end_separated();
    for (const int event : beginning) {
      if (dynamics_.contacts().patch_at(event) < 0) begin(event);
    }
    begin_deep();
    steps_to_look_ = 2;
    restart();
  }

  /// The force of an active patch reaches zero while it still overlaps, or comes back from there. What the spring holds
  /// at that instant is lost to, or taken back from, the damping: no force will do work on it.
  void toggle_grip(int index) {
    const int place = state_.pool.active[index];
    Patch& patch = state_.pool.patches[place];
    const double gap = dynamics_.contacts().point_geometry(dynamics_.contacts().active_point(index)).gap;
    const bool lets_go = !patch.has_let_go;
    patch.has_let_go = false;
    const double stored = dynamics_.contacts().with_region(
        patch.region, [&](const auto& region) { return region.calc_unbooked_energy(patch, gap, state_.time); });
    double& damping = state_.works[kNumGlobalWorks + kNumPatchWorks * place];
    damping += lets_go ? stored : -stored;
    patch.has_let_go = lets_go;
    patch.watches_grip = lets_go;
  }

  /// A patch at the border of letting go may press again without its grip having been seen below zero; the ledger must
  /// know.
  void regain_grip() {
    const auto is_gripping = [this](const std::vector<PatchResponse>& responses, std::size_t i) {
      const Patch& patch = state_.pool.patches[state_.pool.active[i]];
      const double spring = calc_normal_force(patch.by_depth, -responses[i].gap, 0.0).elastic;
      return patch.has_let_go && responses[i].normal_force > kClearGrip * spring;
    };
    bool any = false;
    for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
      any = any || state_.pool.patches[state_.pool.active[i]].has_let_go;
    }
    if (!any) return;
    update_geometry();
    const std::vector<PatchResponse> responses = dynamics_.calc_responses(state_.time, state_.y.data());
    any = false;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      if (!is_gripping(responses, i)) continue;
      toggle_grip(static_cast<int>(i));
      any = true;
    }
    if (any) restart();
  }

  /// Points that touch in the same instant differ by rounding, and each has its own event; what is clearly inside
  /// begins now.
  void begin_deep() {
    for (int point = 0; point < dynamics_.contacts().num_points(); ++point) {
      const bool is_deep = dynamics_.contacts().point_geometry(point).gap < -kTouchingGap;
      if (is_deep && dynamics_.contacts().patch_at(point) < 0 && !is_parting(point)) begin(point);
    }
  }

  void restart() {
    compact();
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

  /// Moves the patches together, and their states with them, so that the integrator carries no dead weight.
  void compact() {
    const int first = dynamics_.friction_start();
    const int stride = dynamics_.stride();
    const std::vector<int> old_places = state_.pool.compact();
    std::vector<double> y(state_.y.begin(), state_.y.begin() + first);
    std::vector<double> works(state_.works.begin(), state_.works.begin() + kNumGlobalWorks);
    for (const int place : old_places) {
      const double* old_states = state_.y.data() + first + stride * place;
      y.insert(y.end(), old_states, old_states + stride);
      const double* old_works = state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place;
      works.insert(works.end(), old_works, old_works + kNumPatchWorks);
    }
    state_.y = std::move(y);
    state_.works = std::move(works);
    dynamics_.contacts().rematch(state_.pool);
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
  double limit_ = 0.0;  ///< of this step [s]
  long events_ = 0;
  PeakWatch peaks_{dynamics_, state_};
  int steps_to_look_ = 2;
  std::vector<PatchKey> lifted_;   ///< at the last event
  double lift_time_ = -1.0;        ///< of the last of them [s]
  std::int64_t headway_step_ = 0;  ///< where headway was looked at last
  double headway_time_ = 0.0;      ///< [s]
  RepeatWatch repeats_{kInstant * run_.duration};
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
