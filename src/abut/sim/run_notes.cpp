#include "abut/sim/run_notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "abut/sim/assumptions.hpp"
#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

constexpr double kNoticeable = 0.01;  ///< part of the energy of a scene that is worth a word
/// The same of what error control should have kept.
constexpr double kMissed = 2e-3;
constexpr double kRestScale = 1e-3;    ///< of the energy that lifts a body by its size; a scene at rest turns over less
constexpr std::size_t kMostPairs = 5;  ///< a pile would drown its reader

/// m g L of the lightest body that moves, with L its size [J]; 0 without gravity.
double calc_lift_energy(const Model& model) {
  const double gravity = model.scene.gravity.norm();
  double least = std::numeric_limits<double>::infinity();
  for (const Collider& collider : model.colliders) {
    const double mass = model.tree.link(collider.link).mass.mass;
    if (model.tree.is_immovable(collider.link) || !(mass > 0.0) || !std::isfinite(collider.bounding_radius)) continue;
    least = std::min(least, mass * gravity * collider.bounding_radius);
  }
  return std::isfinite(least) ? least : 0.0;
}

/// What bristles hold that are bent while the load on them grows: it is stored without having been paid for, and the
/// books of friction dip by it. At most one charge of each touch, fn mu^2 / (2 sigma_0).   [docs/theory/bristle.md]
double calc_bristle_charge(const Model& model, const PairSummary& pair) {
  for (const ContactRule& rule : model.rules) {
    if (rule.name == pair.rule) return pair.touches * pair.peak_force * calc_charge_per_load(rule.friction);
  }
  return 0.0;
}

bool has_bristles(const Model& model) {
  return std::any_of(model.rules.begin(), model.rules.end(),
                     [](const ContactRule& rule) { return calc_charge_per_load(rule.friction) > 0.0; });
}

/// What of some rule's options accounts for energy that came from nowhere, or an empty string.
std::string explain(const Model& model, std::string (*RegionRow::*explanation)(const ContactRule&)) {
  for (const ContactRule& rule : model.rules) {
    const auto explain_one = region_row(rule.kind()).*explanation;
    if (explain_one == nullptr) continue;
    if (std::string text = explain_one(rule); !text.empty()) return text;
  }
  return {};
}

/// Damping and friction take energy; says where they gave some beyond what their law lends.
void note_energy_given(const Model& model, const RunSummary& summary, double scale, std::vector<std::string>& notes) {
  double given = 0.0;
  for (const PairSummary& pair : summary.pairs) {
    const double friction = std::max(0.0, -pair.friction - pair.viscous - calc_bristle_charge(model, pair));
    given += std::max(0.0, -pair.damping) + friction;
  }
  if (!(given > kNoticeable * scale)) return;
  const std::string why_region = explain(model, &RegionRow::explain_heat);
  const bool is_adaptive = !has_fixed_step(model.scene.run.method);
  const char* why = !why_region.empty()   ? why_region.c_str()
                    : !is_adaptive        ? ": the step is too long for some contact"
                    : has_bristles(model) ? ": bristles that are bent while their load grows stiffen with "
                                            "it, and return more than they took (their law)"
                                          : ": the tolerance is too wide";
  notes.push_back(
      fmt::format("damping and friction in contacts gave {:.2g} J, {:.3g} % of the energy turned over, where they "
                  "should take{}",
                  given, 100.0 * given / std::max(summary.energy_turnover, scale), why));
}

void note_volumes(const Model& model, const RunSummary& summary, double scale, std::vector<std::string>& notes) {
  const double kept = summary.energy[Energy::volume_hysteresis];
  if (kept > kMissed * scale && !has_fixed_step(model.scene.run.method)) {
    notes.push_back(fmt::format(
        "volumetric springs kept {:.2g} J, {:.3g} % of the energy turned over, that their laws would have given back: "
        "shapes without a depth field (abut check names them) have forces without a potential",
        kept, 100.0 * kept / std::max(summary.energy_turnover, scale)));
  }
  if (!(summary.volume_made > kNoticeable * scale)) return;
  notes.push_back(
      fmt::format("volumetric springs gave back {:.2g} J more than they took up, {:.3g} % of the energy turned over{}",
                  summary.volume_made, 100.0 * summary.volume_made / std::max(summary.energy_turnover, scale),
                  explain(model, &RegionRow::explain_springs)));
}

/// Fixed steps find a touch late, and force laws over them miss energy; both are errors of the step. Methods that step
/// velocities speak for themselves.
void note_steps(const Model& model, const RunSummary& summary, double scale, std::vector<std::string>& notes) {
  const bool is_adaptive = !has_fixed_step(model.scene.run.method);
  if (method_traits(model.scene.run.method).is_limited) {
    const double put_in = summary.energy[Energy::relaxation], made = -summary.energy[Energy::time_stepping];
    if (put_in > kNoticeable * scale) {
      notes.push_back(
          fmt::format("touches found late put in {:.2g} J, {:.3g} % of the energy turned over, as their depth was let "
                      "in by and by: the step is too long for the speed of some impact",
                      put_in, 100.0 * put_in / std::max(summary.energy_turnover, scale)));
    }
    if (made > kNoticeable * scale) {
      notes.push_back(fmt::format("the steps made {:.2g} J, {:.3g} % of the energy turned over: shorter ones make less",
                                  made, 100.0 * made / std::max(summary.energy_turnover, scale)));
    }
  }
  if (std::abs(summary.worst_residual) > (is_adaptive ? kMissed : kNoticeable) * scale) {
    notes.push_back(fmt::format("the energy balance misses by up to {:.3g} % of the energy turned over: {}",
                                100.0 * std::abs(summary.worst_residual) / std::max(summary.energy_turnover, scale),
                                is_adaptive
                                    ? "the tolerance is too wide for some contact"
                                    : "the step is too long for some contact or its friction (abut check tells)"));
  }
}

/// What the pairs' laws take for granted.
void note_assumptions(const Model& model, const RunSummary& summary, std::vector<std::string>& notes) {
  if (!model.uses_normal_laws()) return;
  std::map<std::string, int> link_of;
  for (int link = 0; link < model.tree.num_links(); ++link) link_of[model.body_name(link)] = link;
  std::size_t num_left_out = 0, num_pairs = 0;
  for (const PairSummary& pair : summary.pairs) {
    const int a = link_of.at(pair.body_a), b = link_of.at(pair.body_b);
    const RuleMatch match = model.find_rule(a, b);
    std::vector<std::string> found;
    const ContactRule* rule = match.rule >= 0 ? &model.rules[match.rule] : nullptr;
    region_row(pair.region).judge_pair(pair, rule, calc_pair_size(model, a, b), found);
    if (found.empty()) continue;
    if (++num_pairs > kMostPairs) {
      ++num_left_out;
      continue;
    }
    for (const std::string& text : found)
      notes.push_back(fmt::format("{}-{}: at {:.4g} s {}", pair.body_a, pair.body_b, pair.peak_time, text));
  }
  if (num_left_out > 0) notes.push_back(fmt::format("... and likewise of {} further pairs", num_left_out));
}

}  // namespace

double calc_energy_scale(const Model& model, const RunSummary& summary) {
  const EnergyBalance& end = summary.energy;
  const double held = end[Energy::elastic] + end[Energy::bristle] + end[Energy::spring];
  return std::max(summary.energy_turnover, kRestScale * std::max(calc_lift_energy(model), held));
}

std::vector<std::string> make_run_notes(const Model& model, const RunSummary& summary) {
  std::vector<std::string> notes;
  const double scale = calc_energy_scale(model, summary);
  note_assumptions(model, summary, notes);
  note_volumes(model, summary, scale, notes);
  note_energy_given(model, summary, scale, notes);
  note_steps(model, summary, scale, notes);
  return notes;
}

}  // namespace abut
