#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "abut/contact/region/perimeter_guard.hpp"
#include "abut/contact/region/perimeter_memory.hpp"
#include "abut/sim/rebound_watch.hpp"
#include "abut/sim/region_row.hpp"
#include "abut/sim/step_energy_notes.hpp"
#include "abut/sim/step_loop.hpp"
#include "abut/sim/step_passages.hpp"
#include "abut/sim/weak_damping.hpp"
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
        weak_damping_(dynamics.model(), book, step_),
        stepper_(dynamics, make_method(dynamics.model().scene.run.integrator)) {
    dynamics_.contacts().set_step(step_);
    dynamics_.set_max_rate(1.0 / step_);
    is_pile_ = make_method(dynamics.model().scene.run.integrator) == FixedMethod::semi_implicit_euler &&
               dynamics_.is_pile() && !book_.reports_sticking();
  }

  void prepare(bool is_sampled) override {
    is_fused_ = is_pile_ && !dynamics_.has_applied_forces() && has_begun_ && !is_sampled &&
                dynamics_.contacts().candidates().is_owner_order();
    has_begun_ = true;
    if (!is_fused_) {
      prepare_step();
      if (is_sampled && is_guarded()) rehearse();
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
    end.work.accepted = stepper_.work().accepted + fused_steps_ - guard_.num_weakened() - num_rehearsals_;
    end.work.rejected = guard_.num_weakened();
    end.work.rate_evaluations = stepper_.work().rate_evaluations + fused_steps_;
    end.work.contact_evaluations = dynamics_.contact_evaluations();
    // Nothing has looked yet at where the last step led.
    if (end.status == RunStatus::done && lost_place_ >= 0) report_failure({}, end);
    tell_time_constants(end);
    weak_damping_.tell(end.notes);
    for (std::string& note : rebounds_.make_notes()) end.notes.push_back(std::move(note));
    tell_made(end);
  }

  void exchange(ByteWriter& archive) override { visit(archive); }
  void exchange(ByteReader& archive) override {
    visit(archive);
    is_motion_current_ = false;
  }
  template <class Archive>
  void visit(Archive& archive) {
    archive(passages_, weak_damping_, rebounds_, judged_, stepper_, guard_, shortest_, made_, lost_place_, fused_steps_,
            num_rehearsals_, has_begun_);
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
    settle_held();
    state_.time = t_next;
    is_motion_current_ = false;
    dynamics_.enforce_prescribed(t_next, state_.y.data());
    return true;
  }

  /// A step, and where perimeter contacts gave back more than they held, the same again with weaker ones.
  FixedOutcome try_steps(double h) {
    const bool is_watched = is_guarded();
    if (is_watched) {
      guard_.begin(state_.pool, h);
      y_before_ = state_.y;
      works_before_ = state_.works;
    }
    dynamics_.span_step(state_.time, state_.time + h);
    while (true) {
      FixedOutcome outcome = stepper_.step(state_.time, h, state_.y.data(), state_.works.data());
      if (!is_watched || !outcome.is_ok ||
          !guard_.weaken(dynamics_.model().rules, works_before_.data() + kNumGlobalWorks,
                         state_.works.data() + kNumGlobalWorks, state_.pool)) {
        return outcome;
      }
      state_.y = y_before_;
      state_.works = works_before_;
    }
  }

  bool is_guarded() const { return dynamics_.contacts().holds_forces() && !state_.pool.active.empty(); }

  /// Takes the coming step and goes back, so that a sample shows the forces that will act and not those that the guard
  /// is going to weaken.
  void rehearse() {
    // As the loop over the steps has it, so that samples change nothing, not even the last bit.
    const double next = (std::round(state_.time / step_) + 1.0) * step_, end = dynamics_.model().scene.run.duration;
    try_steps((next < end || !(state_.time < end) ? next : end) - state_.time);
    ++num_rehearsals_;
    state_.y = y_before_;
    state_.works = works_before_;
    prepare_step();
  }

  /// Peaks of forces that are held, which are settled once the step has been taken, and what their springs have
  /// made in it.
  void settle_held() {
    if (!dynamics_.contacts().holds_forces()) return;
    const double made = PerimeterGuard::settle(state_.works.data() + kNumGlobalWorks, state_.pool);
    state_.works[static_cast<int>(GlobalWork::time_stepping)] -= made;
    made_ += made;
    for (const int place : state_.pool.active) {
      Patch& patch = state_.pool.patches[place];
      if (!patch.traits().is_held_over_steps) continue;
      const PerimeterHold& hold = state_.pool.perimeters[place].hold;
      PatchResponse response;
      response.normal_force = calc_normal_force(hold);
      response.gap = -hold.depth;
      patch.note_acting(state_.time, response);
      note_time_constant(patch, hold);
      note_blow(place, patch, hold);
      weak_damping_.note(patch, hold, state_.time + step_);
    }
  }

  /// Remembers pairs whose contact is too stiff for the step: held forces follow it while omega step < 1.
  void note_time_constant(const Patch& patch, const PerimeterHold& hold) {
    if (!(hold.time_constant > 0.0) || hold.time_constant >= step_ || !(calc_normal_force(hold) > 0.0)) return;
    // The mass at the first touch, of a corner for instance, is not that of the body when it lies.
    const int link_a = dynamics_.model().colliders[patch.key.collider_a].link;
    const int link_b = dynamics_.model().colliders[patch.key.collider_b].link;
    const double mass = dynamics_.calc_effective_mass(link_a, link_b, hold.point, hold.normal);
    const double time_constant = hold.time_constant * std::sqrt(mass / patch.effective_mass);
    if (time_constant >= step_) return;
    const auto [known, is_new] = shortest_.try_emplace(book_.describe_patch(patch), time_constant);
    if (!is_new) known->second = std::min(known->second, time_constant);
  }

  /// An impact is judged once, by its spring where it turns back.
  void note_blow(int place, const Patch& patch, const PerimeterHold& hold) {
    // Where the step is longer than the time constant that is told already.
    if (!(hold.elastic_power > 0.0) || !(hold.time_constant > step_) || hold.lasting > 0.5) return;
    if (static_cast<int>(judged_.size()) <= place) judged_.resize(place + 1, -1.0);
    if (judged_[place] == patch.touch_time) return;
    judged_[place] = patch.touch_time;
    const double stiffness = patch.effective_mass / (hold.time_constant * hold.time_constant);
    rebounds_.look_held(book_.describe_patch(patch), patch, stiffness, dynamics_.model());
  }

  /// Springs of perimeter contact have no potential; what they return too much is in the ledger, beside what they lose.
  void tell_made(RunEnd& end) const {
    constexpr double kNoticeable = 0.01;
    PatchWork heat = state_.ended;
    for (const int place : state_.pool.active)
      heat += PatchWork::read(state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place);
    const double taken = heat.damping + heat.friction;
    // Of a body that slides or rolls at its resting depth contacts take next to nothing.
    const double least = std::max(kNoticeable * book_.energy_turnover(), calc_least_energy(dynamics_.model()));
    if (!(made_ > kNoticeable * taken) || !(made_ > 0.1 * least)) return;
    end.notes.push_back(
        fmt::format("perimeter contacts gave back {:.2g} J more than their springs held, {}: "
                    "bodies slid or turned in contact, where depth times length has no potential; a shorter step or "
                    "region = \"volume\" does better",
                    made_,
                    made_ > taken ? "more than contacts took"
                                  : fmt::format("{:.3g} % of what contacts took", 100.0 * made_ / taken)));
  }

  void tell_time_constants(RunEnd& end) const {
    constexpr std::size_t kMost = 5;
    for (const auto& [name, time_constant] : shortest_) {
      if (end.notes.size() == kMost) return;
      end.notes.push_back(
          fmt::format("{}: the step of {:.3g} s is {:.2g}x the time constant of this contact ({:.2g} s), too long to "
                      "follow it: its "
                      "rebound is not that of the law. step <= {:.1g} does it",
                      name, step_, step_ / time_constant, time_constant, 0.4 * time_constant));
    }
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
  WeakDamping weak_damping_;
  ReboundWatch rebounds_;
  std::vector<double> judged_;  ///< touch of the impact that was judged last at each place of the pool [s]
  FixedStepper stepper_;
  std::vector<PatchChange> changes_;
  PerimeterGuard guard_;
  std::vector<double> y_before_, works_before_;
  std::map<std::string, double> shortest_;  ///< time constants of perimeter contacts below the step, by pair [s]
  double made_ = 0.0;                       ///< by perimeter contacts, beyond what their springs held [J]
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
