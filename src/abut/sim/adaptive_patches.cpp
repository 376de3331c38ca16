#include "abut/sim/adaptive_patches.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "abut/contact/region/grip.hpp"
#include "abut/sim/error_scales.hpp"

namespace abut {

namespace {

/// Gaps of this size are rounding of coordinates of the order of a metre [m].
constexpr double kTouchingGap = 1e-14;

/// A touch found inside is taken as found in time while its spring holds less than this many times the tolerance of the
/// energy in the scene.
constexpr double kMissedTouch = 10.0;

/// An instant, as a part of the run's duration: far above the rounding of times, far below what any contact lasts. A
/// contact that begins so often in one will begin for ever.
constexpr double kInstant = 1e-13;
constexpr int kMostRepeats = 50;

}  // namespace

AdaptivePatches::AdaptivePatches(Dynamics& dynamics, State& state, RunBook& book, RunEnd& end)
    : dynamics_(dynamics),
      state_(state),
      book_(book),
      end_(end),
      repeats_(kInstant * dynamics.model().scene.run.duration) {}

void AdaptivePatches::update_geometry() {
  dynamics_.calc_motion(state_.time, state_.y.data());
  dynamics_.contacts().calc_geometry(dynamics_.motion(), state_.pool);
}

void AdaptivePatches::begin(int point) {
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
void AdaptivePatches::take_over_from(int forerunner, int point) {
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

void AdaptivePatches::check_repeats(const Patch& patch) {
  if (end_.status != RunStatus::done || repeats_.count(patch.key, state_.time) <= kMostRepeats) return;
  end_.status = RunStatus::failed;
  end_.message = fmt::format("stopped at {:.9g} s: {} touches and lifts without end in this instant.", state_.time,
                             book_.describe_patch(patch));
  end_.advice =
      "Its distance jumps where the surfaces meet. Try region = \"perimeter\" with method = \"explicit\" for this "
      "pair, or another pose at the start.";
}

/// A point that begins on the way out takes over from another one of the same two colliders, the next to it; where
/// that has let go, its spring holds nothing that could press, and neither does this one's.
void AdaptivePatches::inherit_grip(int point, double gap_rate, Patch* patch) const {
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
bool AdaptivePatches::is_handed_over(const PatchKey& key) const {
  return lift_time_ == state_.time && std::any_of(lifted_.begin(), lifted_.end(), [&](const PatchKey& other) {
           return other.collider_a == key.collider_a && other.collider_b == key.collider_b;
         });
}

/// A touch is found at the surface. One that begins inside, with more energy in its spring than the tolerance allows
/// for, was missed, and its energy would come from nowhere.
void AdaptivePatches::check_touch(const Patch& patch, double depth) {
  if (!(depth > kTouchingGap) || end_.status != RunStatus::done) return;
  const double stored = calc_elastic_energy(patch.by_depth, depth);
  if (stored <= kMissedTouch * dynamics_.model().scene.run.tolerance * calc_energy_scale(dynamics_, state_)) return;
  end_.status = RunStatus::failed;
  end_.message = fmt::format(
      "stopped at {:.9g} s: {} begins {:.3g} m deep, so its touch was missed; {:.3g} J would come from nowhere.",
      state_.time, book_.describe_patch(patch), depth, stored);
  end_.advice = "Try run.max_step, or look for surfaces whose distance jumps where they meet.";
}

void AdaptivePatches::end(int point) {
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
bool AdaptivePatches::is_parting(int point) const {
  const ContactSet& contacts = dynamics_.contacts();
  const Candidate& candidate = contacts.candidate_of_point(point);
  const PatchKey key{candidate.collider_a, candidate.collider_b, point - candidate.first_point};
  return std::find(lifted_.begin(), lifted_.end(), key) != lifted_.end() &&
         (lift_time_ == state_.time || contacts.calc_gap_rate(point, dynamics_.motion()) > 0.0);
}

bool AdaptivePatches::begin_touching() {
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

bool AdaptivePatches::end_separated() {
  bool any = false;
  for (int point = 0; point < dynamics_.contacts().num_points(); ++point) {
    if (dynamics_.contacts().patch_at(point) < 0 || dynamics_.contacts().point_geometry(point).gap <= kTouchingGap)
      continue;
    end(point);
    any = true;
  }
  return any;
}

bool AdaptivePatches::is_any_inside(const VecX& gaps) const {
  for (int point = 0; point < dynamics_.contacts().num_points(); ++point) {
    if (gaps[point] < -kTouchingGap && !dynamics_.contacts().has_patch(point)) return true;
  }
  return false;
}

void AdaptivePatches::handle_events(const std::vector<int>& events) {
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
}

/// The force of an active patch reaches zero while it still overlaps, or comes back from there. What the spring holds
/// at that instant is lost to, or taken back from, the damping: no force will do work on it.
void AdaptivePatches::toggle_grip(int index) {
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

bool AdaptivePatches::regain_grip() {
  const auto is_gripping = [this](const std::vector<PatchResponse>& responses, std::size_t i) {
    const Patch& patch = state_.pool.patches[state_.pool.active[i]];
    const double spring = calc_normal_force(patch.by_depth, -responses[i].gap, 0.0).elastic;
    return patch.has_let_go && responses[i].normal_force > kClearGrip * spring;
  };
  bool any = false;
  for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
    any = any || state_.pool.patches[state_.pool.active[i]].has_let_go;
  }
  if (!any) return false;
  update_geometry();
  const std::vector<PatchResponse> responses = dynamics_.calc_responses(state_.time, state_.y.data());
  any = false;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    if (!is_gripping(responses, i)) continue;
    toggle_grip(static_cast<int>(i));
    any = true;
  }
  return any;
}

/// Points that touch in the same instant differ by rounding, and each has its own event; what is clearly inside
/// begins now.
void AdaptivePatches::begin_deep() {
  for (int point = 0; point < dynamics_.contacts().num_points(); ++point) {
    const bool is_deep = dynamics_.contacts().point_geometry(point).gap < -kTouchingGap;
    if (is_deep && dynamics_.contacts().patch_at(point) < 0 && !is_parting(point)) begin(point);
  }
}

void AdaptivePatches::compact() {
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

}  // namespace abut
