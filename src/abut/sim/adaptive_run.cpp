#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "abut/sim/error_scales.hpp"
#include "abut/sim/runs.hpp"
#include "abut/solve/ode/event_driver.hpp"

namespace abut {

namespace {

AdaptiveMethod make_method(RunSpec::Integrator integrator) {
  switch (integrator) {
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

/// A run that gets on by less than this part of its duration in this many steps would not end within 1e13 of them.
constexpr double kLeastHeadway = 1e-9;
constexpr std::int64_t kHeadwaySteps = 20'000;

class AdaptiveRun {
 public:
  AdaptiveRun(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        clock_(clock),
        run_(dynamics.model().scene.run),
        stepper_(make_adaptive_stepper(make_method(run_.integrator), dynamics)),
        driver_(dynamics, *stepper_) {}

  RunEnd run() {
    dynamics_.set_max_rate(kFastestRelaxation);
    update_geometry();
    begin_touching();
    book_.sample(0.0, state_.y.data(), state_.works.data());
    restart();
    while (state_.time < run_.duration && end_.status == RunStatus::done) {
      const AdvanceResult result = driver_.step(std::min(next_stop(), state_.time + safe_interval_));
      if (result.status == AdvanceStatus::failed) {
        fail(result.reason);
        break;
      }
      take_over();
      if (result.status == AdvanceStatus::event) {
        handle_events(result.events);
      } else {
        regain_grip();
        look_around();
        if (is_at_breakpoint()) restart();
      }
      check_limits();
    }
    book_.sample(state_.time, state_.y.data(), state_.works.data());
    fill_work();
    return end_;
  }

 private:
  double next_stop() const {
    const auto next = std::upper_bound(breakpoints().begin(), breakpoints().end(), state_.time);
    return next == breakpoints().end() ? run_.duration : std::min(*next, run_.duration);
  }
  bool is_at_breakpoint() const { return std::binary_search(breakpoints().begin(), breakpoints().end(), state_.time); }
  const std::vector<double>& breakpoints() const { return dynamics_.model().breakpoints; }

  void update_geometry() {
    dynamics_.calc_motion(state_.time, state_.y.data());
    dynamics_.contacts().refresh_candidates(dynamics_.motion(), state_.pool);
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
  }

  void end(int point) {
    ContactSet& contacts = dynamics_.contacts();
    const int place = contacts.patch_at(point);
    const Patch patch = state_.pool.patches[place];
    const PatchKin kin = contacts.find_kin(point, dynamics_.motion(), state_.pool);
    lifted_.push_back(patch.key);
    contacts.end_patch(point, state_.pool);
    book_.end_patch(patch, place, contacts.calc_gap_rate(point, dynamics_.motion()), kin);
  }

  /// Has just lifted and moves on apart. Where its gap is of limited accuracy, as that of a volume, it may still show a
  /// trace of overlap, which is not a touch.
  bool is_parting(int point) const {
    const ContactSet& contacts = dynamics_.contacts();
    const Candidate& candidate = contacts.candidate_of_point(point);
    const PatchKey key{candidate.collider_a, candidate.collider_b, point - candidate.first_point};
    return std::find(lifted_.begin(), lifted_.end(), key) != lifted_.end() &&
           contacts.calc_gap_rate(point, dynamics_.motion()) > 0.0;
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
    while (book_.is_sample_due(driver_.time()) && book_.next_sample_time() < run_.duration &&
           !clock_.is_stop_wanted()) {
      const double t = book_.next_sample_time();
      driver_.interpolate(t, y_inside_.data(), works_inside_.data());
      book_.sample(t, y_inside_.data(), works_inside_.data());
    }
  }

  /// Peaks of force lie inside steps: where a depth rate changes sign the largest force is searched on the dense
  /// output.
  void observe_step() {
    const std::vector<PatchResponse>& responses = dynamics_.calc_responses(driver_.time(), driver_.state());
    rates_.resize(responses.size(), 0.0);
    bool has_turned = false;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      has_turned = has_turned || (rates_[i] > 0.0 && responses[i].depth_rate <= 0.0);
      rates_[i] = responses[i].depth_rate;
    }
    dynamics_.contacts().note_step(dynamics_.motion(), state_.works.data() + kNumGlobalWorks, state_.pool);
    book_.observe(driver_.time(), responses);
    if (has_turned) observe_inside();
  }

  void observe_inside() {
    constexpr int kSamples = 16;
    const double t0 = driver_.step_start(), t1 = driver_.time();
    y_inside_.resize(dynamics_.size());
    for (int k = 1; k < kSamples; ++k) {
      const double t = t0 + (t1 - t0) * k / kSamples;
      driver_.interpolate(t, y_inside_.data(), nullptr);
      book_.observe(t, dynamics_.calc_responses(t, y_inside_.data()));
    }
  }

  /// After a lift a point may go straight back into contact without having been apart for the event to see. And the
  /// next step must not jump over a body that is near by then.
  void look_around() {
    const bool needs_look = steps_to_look_ > 0;
    if (needs_look || std::isfinite(safe_interval_)) update_geometry();
    if (std::isfinite(safe_interval_)) safe_interval_ = calc_safe_interval(dynamics_);
    if (!needs_look) return;
    --steps_to_look_;
    const bool has_ended = end_separated();
    if (begin_touching() || has_ended) restart();
  }

  void handle_events(const std::vector<int>& events) {
    ++end_.work.events;
    lifted_.clear();
    const int num_points = dynamics_.contacts().num_points();
    dynamics_.calc_motion(state_.time, state_.y.data());
    dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool);
    for (const int event : events) {
      const int grip = event - num_points;
      if (grip >= 0 && grip < static_cast<int>(state_.pool.active.size())) toggle_grip(grip);
    }
    for (const int event : events) {
      if (event >= num_points) continue;
      if (dynamics_.contacts().patch_at(event) >= 0) {
        end(event);
      } else {
        begin(event);
      }
    }
    begin_deep();
    update_geometry();
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
    // A volumetric spring is booked by its work, which goes on being exact.
    const double stored = patch.is_volume ? 0.0 : dynamics_.calc_elastic_storage(patch, gap, state_.time);
    double& damping = state_.works[kNumGlobalWorks + kNumPatchWorks * place];
    damping += lets_go ? stored : -stored;
    patch.has_let_go = lets_go;
    patch.watches_grip = lets_go;
  }

  /// A patch at the border of letting go may press again without its grip having been seen below zero; the ledger must
  /// know.
  void regain_grip() {
    const auto is_gripping = [this](const std::vector<PatchResponse>& responses, std::size_t i) {
      return state_.pool.patches[state_.pool.active[i]].has_let_go && responses[i].normal_force > 0.0;
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
    rates_.assign(state_.pool.active.size(), 0.0);
    const std::vector<PatchResponse>& responses = dynamics_.calc_responses(state_.time, state_.y.data());
    for (std::size_t i = 0; i < responses.size(); ++i) rates_[i] = responses[i].depth_rate;
    book_.observe(state_.time, responses);
    update_geometry();
    safe_interval_ = calc_safe_interval(dynamics_);
    dynamics_.set_friction_projection(dynamics_.stride() >= 3 && dynamics_.contacts().has_turning_normals(state_.pool));
    driver_.restart(state_.time, state_.y.data(), state_.works.data(),
                    make_error_weights(dynamics_, state_, run_.tolerance), make_restart_hint(dynamics_, state_));
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
    if (clock_.is_stop_wanted()) end_.status = RunStatus::interrupted;
    if (run_.max_steps && driver_.work().accepted >= *run_.max_steps && state_.time < run_.duration) {
      end_.status = RunStatus::failed;
      end_.message = fmt::format("stopped at {:.6g} s: max_steps = {} steps were taken.", state_.time, *run_.max_steps);
      end_.advice = "Raise run.max_steps, or leave it out.";
    }
    check_headway();
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

  void fill_work() {
    const WorkCounter work = driver_.work();
    end_.work.accepted = work.accepted;
    end_.work.rejected = work.rejected;
    end_.work.rate_evaluations = work.rate_evaluations;
    end_.work.jacobians = work.jacobians;
    end_.work.contact_evaluations = dynamics_.contact_evaluations();
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  RunClock& clock_;
  const RunSpec& run_;
  std::unique_ptr<AdaptiveStepper> stepper_;
  EventDriver driver_;
  RunEnd end_;
  double safe_interval_ = std::numeric_limits<double>::infinity();
  int steps_to_look_ = 2;
  std::vector<PatchKey> lifted_;   ///< at the last event
  std::int64_t headway_step_ = 0;  ///< where headway was looked at last
  double headway_time_ = 0.0;      ///< [s]
  std::vector<double> rates_;      ///< depth rate of each active patch at the last observation [m/s]
  std::vector<double> y_inside_, works_inside_;
};

}  // namespace

RunEnd run_adaptive(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return AdaptiveRun(dynamics, state, book, clock).run();
}

}  // namespace abut
