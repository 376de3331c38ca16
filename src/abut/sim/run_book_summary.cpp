// What a run was, summed up at its end.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/sim/assumptions.hpp"
#include "abut/sim/run_book.hpp"
#include "abut/sim/run_notes.hpp"
#include "abut/sim/start_check.hpp"

namespace abut {

/// What the patch looks like now, when it bears more than ever before.
void RunBook::note_shape(int place, const PatchResponse& response) {
  const Patch& patch = state_.pool.patches[place];
  if (!dynamics_.model().uses_normal_laws()) return;
  PatchShape shape;
  const bool is_known = dynamics_.contacts().with_region(
      patch.region, [&](const auto& region) { return region.describe(patch, dynamics_.motion(), response, shape); });
  if (!is_known) return;
  if (shapes_.size() <= static_cast<std::size_t>(place)) shapes_.resize(state_.pool.patches.size());
  shapes_[place] = {patch.key, shape};
}

const PatchShape* RunBook::find_shape(const Patch& patch, int place) const {
  if (static_cast<std::size_t>(place) < shapes_.size() && shapes_[place].key == patch.key) return &shapes_[place].shape;
  const auto found = std::find_if(shapes_.begin(), shapes_.end(), [&](const auto& s) { return s.key == patch.key; });
  return found == shapes_.end() ? nullptr : &found->shape;
}

/// Takes over what a patch was under its largest force, where that is the largest of its pair.
void RunBook::take_peak(const Patch& patch, int place, bool has_ended, PairSummary& out) const {
  const PatchShape* known = patch.peak_force > out.peak_force ? find_shape(patch, place) : nullptr;
  if (known == nullptr) return;
  const PatchShape& shape = *known;
  out.peak_duration = has_ended ? state_.time - patch.touch_time : 0.0;
  out.flatness = shape.flatness;
  dynamics_.contacts().with_region(patch.region,
                                   [&](const auto& region) { region.describe_peak(patch, shape, out.patch); });
}

/// Overlaps at the start are judged by depth and by what they hold; a pair with several points by all of them.
void RunBook::judge_start() {
  const Model& model = dynamics_.model();
  start_notes_ = model.scene.notes;
  for (std::string& note : find_overlapping_shapes(model)) start_notes_.push_back(std::move(note));
  for (std::string& note : find_joints_beyond_limits(model)) start_notes_.push_back(std::move(note));
  start_notes_.insert(start_notes_.end(), model.loop_notes.begin(), model.loop_notes.end());
  if (!model.uses_normal_laws()) return;
  const std::vector<std::string> enclosed = find_enclosed_bodies(dynamics_);
  start_notes_.insert(start_notes_.end(), enclosed.begin(), enclosed.end());
  std::map<std::pair<int, int>, StartOverlap> overlaps;
  for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
    const int place = state_.pool.active[i];
    const Patch& patch = state_.pool.patches[place];
    const PatchResponse& response = dynamics_.responses()[i];
    StartOverlap& pair =
        overlaps[{model.colliders[patch.key.collider_a].link, model.colliders[patch.key.collider_b].link}];
    pair.depth = std::max(pair.depth, -response.gap);
    pair.stored += dynamics_.contacts().with_region(patch.region, [&](const auto& region) {
      return region.calc_start_energy(place, response, PatchWork::read(numbers().works_of(place)), state_.time,
                                      state_.pool);
    });
    pair.mass = std::max(pair.mass, patch.effective_mass);
  }
  constexpr std::size_t kMost = 10;
  for (auto& [links, pair] : overlaps) {
    pair.size = calc_pair_size(model, links.first, links.second);
    const auto text = judge_overlap(pair, model.scene.gravity.norm(), model.scene.run.duration);
    if (text && start_notes_.size() < kMost)
      start_notes_.push_back(
          fmt::format("{}-{} {}", model.body_name(links.first), model.body_name(links.second), *text));
  }
}

std::vector<PairSummary> RunBook::summarize_pairs() {
  const Model& model = dynamics_.model();
  std::map<std::pair<int, int>, PairSummary> summaries;
  for (const auto& [links, history] : state_.pairs) {
    PairSummary& out = summaries[links];
    out.body_a = model.body_name(links.first);
    out.body_b = model.body_name(links.second);
    const RuleMatch match = model.find_rule(links.first, links.second);
    if (match.rule >= 0) out.rule = model.rules[match.rule].name;
    out.region = match.region;
    out.touches = history.touches;
    out.peak_force = history.peak_force;
    out.peak_time = history.peak_time;
    out.peak_depth = history.peak_depth;
    if (const auto found = ended_peaks_.find(links); found != ended_peaks_.end()) {
      out.patch = found->second.patch;
      out.flatness = found->second.flatness;
      out.peak_duration = found->second.peak_duration;
    }
    out.damping = history.ended.damping;
    out.friction = history.ended.friction - history.ended.viscous;
    out.viscous = history.ended.viscous;
  }
  dynamics_.calc_responses(state_.time, state_.y.data());
  for (std::size_t i = 0; i < state_.pool.active.size(); ++i) {
    const int place = state_.pool.active[i];
    const Patch& patch = state_.pool.patches[place];
    PairSummary& out =
        summaries[{model.colliders[patch.key.collider_a].link, model.colliders[patch.key.collider_b].link}];
    const PatchWork work = PatchWork::read(state_.works.data() + kNumGlobalWorks + kNumPatchWorks * place);
    out.contact_since = out.in_contact ? std::min(out.contact_since, patch.touch_time) : patch.touch_time;
    out.in_contact = true;
    out.sticking = out.sticking || dynamics_.responses()[i].sticking;
    take_peak(patch, place, false, out);
    if (patch.peak_force > out.peak_force) {
      out.peak_force = patch.peak_force;
      out.peak_time = patch.peak_time;
    }
    out.peak_depth = std::max(out.peak_depth, patch.peak_depth);
    out.damping += work.damping;
    out.viscous += work.viscous;
    out.friction +=
        work.friction - work.viscous - dynamics_.calc_bristle_storage(place, dynamics_.responses()[i], state_.y.data());
  }
  std::vector<PairSummary> list;
  for (auto& [links, summary] : summaries) list.push_back(std::move(summary));
  return list;
}

RunSummary RunBook::make_summary() {
  RunSummary summary;
  summary.time_reached = state_.time;
  summary.energy_at_start = energy_at_start_;
  summary.energy = last_energy_;
  summary.residual = last_energy_.total() - energy_at_start_;
  summary.worst_residual = worst_residual_;
  summary.energy_turnover = std::max(kinetic_max_, moved_max_);
  summary.pairs = summarize_pairs();
  summary.sensors = sensors_.list_peaks();
  summary.volume_made = volume_made_;
  for (const int place : state_.pool.active) {
    // What a spring has given beyond what it took up shows as less than nothing stored.
    summary.volume_made += dynamics_.contacts().with_region(state_.pool.patches[place].region, [&](const auto& region) {
      return region.calc_overdraft(PatchWork::read(numbers().works_of(place)));
    });
  }
  summary.notes = start_notes_;
  constexpr std::size_t kMost = 5;
  for (const auto& [links, text] : wave_notes_) {
    if (text.empty() || summary.notes.size() >= start_notes_.size() + kMost) continue;
    summary.notes.push_back(fmt::format("{}-{}: {}", dynamics_.model().body_name(links.first),
                                        dynamics_.model().body_name(links.second), text));
  }
  for (std::string& note : joint_pairs_.make_notes()) summary.notes.push_back(std::move(note));
  for (std::string& note : uncovered_pairs_.make_notes()) summary.notes.push_back(std::move(note));
  const double scale = calc_energy_scale(dynamics_.model(), summary);
  for (std::string& note : face_spins_.make_notes(scale)) summary.notes.push_back(std::move(note));
  if (state_.time > 0.0) {
    for (std::string& note : find_enclosed_bodies(dynamics_, "ends")) summary.notes.push_back(std::move(note));
  }
  const std::vector<std::string> notes = make_run_notes(dynamics_.model(), summary);
  summary.notes.insert(summary.notes.end(), notes.begin(), notes.end());
  return summary;
}

}  // namespace abut
