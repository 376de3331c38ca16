#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/contact/law/volume_stiffness.hpp"
#include "abut/geometry/volume/interference.hpp"
#include "abut/sim/assumptions.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

/// Fineness of integrals of friction over a patch: one step for each decimal of the volume's error.
int calc_spin_detail(double volume_error) {
  return std::clamp(2 + static_cast<int>(std::lround(-std::log10(volume_error))), 3, 12);
}

RegionRule make_volume_rule(const ContactDefaultSpec& settings) {
  VolumeRule rule;
  rule.relative_error = settings.volume_error;
  rule.normal_memory = settings.normal_memory;
  using Normal = ContactDefaultSpec::VolumeNormal;
  rule.normal = settings.volume_normal == Normal::field       ? VolumeNormal::field
                : settings.volume_normal == Normal::geometric ? VolumeNormal::geometric
                                                              : VolumeNormal::principal;
  rule.exact_spin = settings.spin == ContactDefaultSpec::Spin::exact;
  rule.spin_detail = calc_spin_detail(settings.volume_error);
  rule.spin_scale = settings.spin_scale;
  using Cells = ContactDefaultSpec::Cells;
  rule.cells = settings.cells == Cells::joined      ? CellJoining::joined
               : settings.cells == Cells::connected ? CellJoining::connected
                                                    : CellJoining::separate;
  return rule;
}

void refuse_volume_keys(const NormalSpec& spec, const ContactDefaultSpec&) {
  if (spec.stiffness_b || spec.thickness || spec.thickness_b)
    throw InputError("stiffness_b, thickness and thickness_b belong to region = \"volume\"");
}

std::string find_volume_friction_obstacle(const FrictionLawRow& law) {
  if (law.has_volume_form) return {};
  return fmt::format("{} has no form for a patch that spins: region = \"volume\" takes friction {}", law.text.name,
                     list_friction_laws(&FrictionLawRow::has_volume_form));
}

bool has_principal_axes(const ContactRule& rule) {
  return std::get<VolumeRule>(rule.region).normal == VolumeNormal::principal;
}

std::optional<std::string> note_volume_rule(const ContactRule& rule) {
  if (!has_principal_axes(rule)) return std::nullopt;
  return "volume_normal = \"principal\" has no potential: it makes or takes energy where edges press; \"field\" does "
         "not";
}

std::string find_volume_obstacle(const CombinationSide& a, const CombinationSide& b, ContactMethod) {
  if (!a.has_inside || !b.has_inside) return describe_missing_inside();
  try {
    Interference::make(a.shape, b.shape);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// Volumetric contact assumes bodies that interfere little, and a patch that is flat.
void judge_volumes(const PairSummary& pair, const ContactRule* rule, double size, std::vector<std::string>& notes) {
  take_note(judge_depth(pair.peak_depth, size), notes);
  take_note(judge_flatness(pair.flatness), notes);
  if (rule != nullptr) take_note(judge_pressure(*rule, pair.patch.mean_pressure, false), notes);
}

}  // namespace

const RegionRow kVolumeRow = {
    .kind = RegionKind::volume,
    .column_kinds = kVolumetric,
    .lies_flush = true,
    .wants_ring_facets = true,
    // Volumes of simple shapes with each other are sums of a few dozen terms; the others are sliced or have thousands
    // of faces.
    .count_trial_steps = [](bool is_quick) { return is_quick ? 16'000.0 : 1'000.0; },
    .make_rule = make_volume_rule,
    .refuse_keys = refuse_volume_keys,
    .resolve_normal = [](const NormalSpec& spec, const ContactDefaultSpec&) { return resolve_volume_normal(spec); },
    .find_friction_obstacle = find_volume_friction_obstacle,
    .note_rule = note_volume_rule,
    .find_pair_obstacle = find_volume_obstacle,
    .prepare = lay_out_cells,
    .judge_pair = judge_volumes,
    .explain_springs =
        [](const ContactRule& rule) {
          return std::string(
              has_principal_axes(rule) ? ": principal axes lean at edges; volume_normal = \"field\" makes none" : "");
        },
};

}  // namespace abut
