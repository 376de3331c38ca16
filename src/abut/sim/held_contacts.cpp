#include "abut/sim/held_contacts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/sim/step_energy_notes.hpp"

namespace abut {

HeldContacts::HeldContacts(Dynamics& dynamics, State& state, RunBook& book, double step)
    : dynamics_(dynamics), state_(state), book_(book), step_(step), weak_damping_(dynamics.model(), book, step) {}

void HeldContacts::begin(double h) {
  guard_.begin(state_.pool, h);
  y_before_ = state_.y;
  works_before_ = state_.works;
}

bool HeldContacts::accept() {
  if (!guard_.weaken(dynamics_.model().rules, works_before_.data() + kNumGlobalWorks,
                     state_.works.data() + kNumGlobalWorks, state_.pool))
    return true;
  take_back();
  return false;
}

void HeldContacts::take_back() {
  state_.y = y_before_;
  state_.works = works_before_;
}

void HeldContacts::settle() {
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
void HeldContacts::note_time_constant(const Patch& patch, const PerimeterHold& hold) {
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
void HeldContacts::note_blow(int place, const Patch& patch, const PerimeterHold& hold) {
  // Where the step is longer than the time constant that is told already.
  if (!(hold.elastic_power > 0.0) || !(hold.time_constant > step_) || hold.lasting > 0.5) return;
  if (static_cast<int>(judged_.size()) <= place) judged_.resize(place + 1, -1.0);
  if (judged_[place] == patch.touch_time) return;
  judged_[place] = patch.touch_time;
  const double stiffness = patch.effective_mass / (hold.time_constant * hold.time_constant);
  rebounds_.look_held(book_.describe_patch(patch), patch, stiffness, dynamics_.model());
}

/// Springs of perimeter contact have no potential; what they return too much is in the ledger, beside what they lose.
void HeldContacts::tell_made(RunEnd& end) const {
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

void HeldContacts::tell_time_constants(RunEnd& end) const {
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

void HeldContacts::tell(RunEnd& end) const {
  tell_time_constants(end);
  weak_damping_.tell(end.notes);
  for (std::string& note : rebounds_.make_notes()) end.notes.push_back(std::move(note));
  tell_made(end);
}

}  // namespace abut
