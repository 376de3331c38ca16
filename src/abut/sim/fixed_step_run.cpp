#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "abut/sim/creep_watch.hpp"
#include "abut/sim/held_contacts.hpp"
#include "abut/sim/region_row.hpp"
#include "abut/sim/step_loop.hpp"
#include "abut/sim/step_passages.hpp"
#include "abut/solve/ode/fixed_step.hpp"

namespace abut {

namespace {

FixedMethod make_method(RunSpec::Integrator integrator) {
  if (integrator == RunSpec::Integrator::automatic) return FixedMethod::rk4;
  return find_fixed_method(enum_name(integrator)).value();
}

/// Smallest size of a body that touches anything [m].
double calc_least_size(const Model& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Collider& collider : model.colliders) least = std::min(least, collider.bounding_radius);
  return least;
}

/// A depth beyond the smaller body's size means that it has gone through the other: no law of contact holds there.
bool has_gone_through(const Model& model, const Patch& patch, double depth) {
  return depth > 2.0 * std::min(model.colliders[patch.key.collider_a].bounding_radius,
                                model.colliders[patch.key.collider_b].bounding_radius);
}

class FixedStepRun final : public StepMethod {
 public:
  FixedStepRun(Dynamics& dynamics, State& state, RunBook& book)
      : dynamics_(dynamics),
        state_(state),
        book_(book),
        step_(dynamics.model().scene.run.step.value()),
        least_size_(calc_least_size(dynamics.model())),
        passages_(dynamics.model()),
        held_(dynamics, state, book, step_),
        creeps_(dynamics.model(), step_),
        stepper_(dynamics, make_method(dynamics.model().scene.run.integrator)) {
    dynamics_.contacts().set_step(step_);
    dynamics_.set_max_rate(1.0 / step_);
    dynamics_.set_followed_step(step_);
    is_pile_ = make_method(dynamics.model().scene.run.integrator) == FixedMethod::semi_implicit_euler &&
               dynamics_.is_pile() && !book_.reports_sticking();
  }

  void prepare(bool is_sampled) override {
    is_fused_ = is_pile_ && !dynamics_.has_applied_forces() && has_begun_ && !is_sampled &&
                dynamics_.contacts().candidates().is_owner_order();
    has_begun_ = true;
    if (!is_fused_) {
      prepare_step();
      if (is_sampled && held_.are_any()) rehearse();
      return;
    }
    // A fused step has looked at each body after moving it.
    const bool is_outdated = dynamics_.take_list_outdated() || !is_motion_current_;
    if (!is_motion_current_) dynamics_.calc_motion(state_.time, state_.y.data());
    if (is_outdated) refresh_if_needed();
  }
  void resume() override { prepare_step(); }

  bool step(double t_next, RunEnd& end) override {
    const double h = t_next - state_.time;
    passages_.begin(dynamics_, state_, h);
    if (!(is_fused_ ? take_fused_step(t_next, end) : take_step(t_next, end))) return false;
    if (passages_.is_watching()) is_motion_current_ = true;
    return passages_.end(dynamics_, state_, h, end);
  }

  void explain_divergence(RunEnd& end) const override {
    const Patch* culprit = find_culprit();
    if (culprit != nullptr) {
      end.message.pop_back();
      end.message += fmt::format("; contact {} is the likely cause.", book_.describe_patch(*culprit));
    }
    advise(culprit, end);
  }

  void report(RunEnd& end) const override {
    end.work.accepted = stepper_.work().accepted + fused_steps_ - held_.num_weakened() - num_rehearsals_;
    end.work.rejected = held_.num_weakened();
    end.work.rate_evaluations = stepper_.work().rate_evaluations + fused_steps_;
    end.work.contact_evaluations = dynamics_.contact_evaluations();
    // Nothing has looked yet at where the last step led.
    if (end.status == RunStatus::done && lost_place_ >= 0) report_failure({}, end);
    held_.tell(end);
    creeps_.tell(end.notes);
  }

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override {
    visit(archive);
    is_motion_current_ = false;
  }
  template <class Archive>
  void visit(Archive& archive) {
    archive(passages_, held_, creeps_, stepper_, lost_place_, fused_steps_, num_rehearsals_, has_begun_);
  }

 private:
  /// Poses, candidates, geometry, and which patches begin and end: everything up to the forces of the coming step.
  void prepare_step() {
    dynamics_.calc_motion(state_.time, state_.y.data());
    refresh_if_needed();
    update_patches();
    dynamics_.contacts().note_step(dynamics_.motion(), state_.works.data() + kNumGlobalWorks, state_.pool);
    dynamics_.contacts().begin_step(dynamics_.motion(), state_.time, state_.works.data() + kNumGlobalWorks,
                                    state_.pool);
    dynamics_.project_friction_states(state_.y.data());
    dynamics_.mark_current([this](const std::vector<PatchResponse>& responses) {
      if (book_.reports_sticking()) book_.observe(state_.time, responses);
      find_gone_through(responses);
      creeps_.note(responses, dynamics_.motion(), state_.pool);
    });
  }

  void refresh_if_needed() {
    ContactSet& contacts = dynamics_.contacts();
    if (!contacts.needs_refresh(dynamics_.motion())) return;
    update_patches();
    contacts.refresh_candidates(dynamics_.motion(), state_.pool);
  }

  void update_patches() {
    dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool, Gaps::sign);
    apply_changes();
  }

  /// Begins and ends patches by the geometry computed last, at these points where it is known that no others change.
  void apply_changes(const std::optional<std::span<const int>>& points = std::nullopt) {
    ContactSet& contacts = dynamics_.contacts();
    const auto mass = [this](int a, int b, const Vec3& p, const Vec3& n) {
      return dynamics_.calc_effective_mass(a, b, p, n);
    };
    const bool is_located = state_.time == 0.0;
    if (points) {
      contacts.update_patches(*points, dynamics_.motion(), state_.time, is_located, mass, state_.pool, changes_);
    } else {
      contacts.update_patches(dynamics_.motion(), state_.time, is_located, mass, state_.pool, changes_);
    }
    for (const PatchChange& change : changes_) {
      if (change.begins) {
        book_.begin_patch(change.place, change.gap_rate, change.kin);
      } else {
        book_.end_patch(change.patch, change.place, change.gap_rate, change.kin);
      }
    }
  }

  bool take_fused_step(double t_next, RunEnd& end) {
    const auto update = [this](std::span<const int> points) -> const std::vector<PatchChange>& {
      apply_changes(points);
      return changes_;
    };
    const bool is_ok = dynamics_.advance(state_.time, t_next - state_.time, state_, update);
    if (!is_ok) {
      report_failure({}, end);
      return false;
    }
    ++fused_steps_;
    state_.time = t_next;
    is_motion_current_ = true;
    if (!(dynamics_.deepest() > 2.0 * least_size_)) return true;
    find_gone_through(dynamics_.calc_responses(state_.time, state_.y.data()));
    if (lost_place_ >= 0) report_failure({}, end);
    return lost_place_ < 0;
  }

  bool take_step(double t_next, RunEnd& end) {
    const FixedOutcome outcome = try_steps(t_next - state_.time);
    if (!outcome.is_ok || lost_place_ >= 0) {
      report_failure(outcome, end);
      return false;
    }
    held_.settle();
    state_.time = t_next;
    is_motion_current_ = false;
    dynamics_.enforce_prescribed(t_next, state_.y.data());
    return true;
  }

  /// A step, and where perimeter contacts gave back more than they held, the same again with weaker ones.
  FixedOutcome try_steps(double h) {
    const bool is_watched = held_.are_any();
    if (is_watched) held_.begin(h);
    dynamics_.span_step(state_.time, state_.time + h);
    while (true) {
      FixedOutcome outcome = stepper_.step(state_.time, h, state_.y.data(), state_.works.data());
      if (!is_watched || !outcome.is_ok || held_.accept()) return outcome;
    }
  }

  /// Takes the coming step and goes back, so that a sample shows the forces that will act and not those that the guard
  /// is going to weaken.
  void rehearse() {
    // As the loop over the steps has it, so that samples change nothing, not even the last bit.
    const double next = (std::round(state_.time / step_) + 1.0) * step_, end = dynamics_.model().scene.run.duration;
    try_steps((next < end || !(state_.time < end) ? next : end) - state_.time);
    ++num_rehearsals_;
    held_.take_back();
    prepare_step();
  }

  void find_gone_through(const std::vector<PatchResponse>& responses) {
    lost_place_ = -1;
    for (std::size_t i = 0; i < responses.size(); ++i) {
      if (-responses[i].gap <= 2.0 * least_size_) continue;
      const int place = state_.pool.active[i];
      if (has_gone_through(dynamics_.model(), state_.pool.patches[place], -responses[i].gap)) lost_place_ = place;
    }
  }

  /// The patch whose time constant the step exceeds most, the likely culprit: among those in contact, or else those
  /// that ended last. Null when nothing ever touched.
  const Patch* find_culprit() const {
    if (lost_place_ >= 0) return &state_.pool.patches[lost_place_];
    const Patch* worst = nullptr;
    const auto consider = [&worst](const Patch& patch) {
      const double time_constant = calc_time_constant(patch, patch.peak_depth);
      if (worst == nullptr || time_constant < calc_time_constant(*worst, worst->peak_depth)) worst = &patch;
    };
    for (const int place : state_.pool.active) consider(state_.pool.patches[place]);
    if (worst != nullptr) return worst;
    for (const auto& [links, history] : state_.pairs) {
      if (history.last_patch.key.collider_a >= 0) consider(history.last_patch);
    }
    return worst;
  }

  void advise(const Patch* culprit, RunEnd& end) const {
    if (culprit == nullptr) {
      end.advice =
          dynamics_.contacts().holds_forces() ? "Try a shorter step." : "Try method = \"adaptive\", or a shorter step.";
      return;
    }
    const double time_constant = calc_time_constant(*culprit, culprit->peak_depth);
    end.advice = fmt::format("The step of {:.3g} s is {:.3g}x the contact's time constant ({:.3g} s). Try ", step_,
                             step_ / time_constant, time_constant);
    const RegionRow& region = region_row(culprit->region);
    if (region.suggest_options != nullptr) end.advice += region.suggest_options(dynamics_.model().rules[culprit->rule]);
    if (!dynamics_.contacts().holds_forces()) end.advice += "method = \"adaptive\", or ";
    end.advice += fmt::format("step <= {:.1g}.", 0.4 * std::min(step_, time_constant));
  }

  void report_failure(const FixedOutcome& outcome, RunEnd& end) const {
    end.status = RunStatus::failed;
    const Patch* culprit = find_culprit();
    if (culprit == nullptr) {
      end.message = fmt::format("stopped at {:.6g} s: {}.", state_.time,
                                outcome.reason.empty() ? "the state is not finite" : outcome.reason);
    } else {
      end.message =
          fmt::format("stopped at {:.6g} s: contact {} {} (deepest {:.3g} m, largest force {:.3g} N).", state_.time,
                      book_.describe_patch(*culprit), lost_place_ >= 0 ? "has gone through" : "gave a non-finite force",
                      culprit->peak_depth, culprit->peak_force);
    }
    advise(culprit, end);
  }

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  double step_;
  double least_size_;  ///< [m]
  StepPassages passages_;
  HeldContacts held_;
  CreepWatch creeps_;
  FixedStepper stepper_;
  std::vector<PatchChange> changes_;
  int lost_place_ = -1;
  long fused_steps_ = 0, num_rehearsals_ = 0;
  bool is_pile_ = false;   ///< a pile may take fused steps
  bool is_fused_ = false;  ///< the coming one is
  bool has_begun_ = false;
  bool is_motion_current_ = false;  ///< the last step left the motion of its end in the dynamics
};

}  // namespace

std::unique_ptr<Method> make_fixed_step_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return make_step_loop(std::make_unique<FixedStepRun>(dynamics, state, book), dynamics.model().scene.run, state, book,
                        clock);
}

}  // namespace abut
