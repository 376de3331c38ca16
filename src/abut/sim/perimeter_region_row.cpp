#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/contact/law/perimeter_stiffness.hpp"
#include "abut/geometry/mesh/shape_mesh.hpp"
#include "abut/sim/assumptions.hpp"
#include "abut/sim/compile_parts.hpp"
#include "abut/sim/region_row.hpp"

namespace abut {

namespace {

PerimeterRule make_perimeter_rule(const ContactDefaultSpec& settings) {
  using Memory = ContactDefaultSpec::Memory;
  using Normals = ContactDefaultSpec::Normals;
  const bool is_faithful = settings.memory == Memory::faithful;
  const Normals normals = settings.normals.value_or(is_faithful ? Normals::both : Normals::patch);
  PerimeterRule rule;
  rule.memory = is_faithful ? PerimeterRule::Memory::faithful : PerimeterRule::Memory::continuous;
  rule.normals = normals == Normals::patch  ? PerimeterRule::Normals::patch
                 : normals == Normals::both ? PerimeterRule::Normals::both
                 : normals == Normals::a    ? PerimeterRule::Normals::a
                                            : PerimeterRule::Normals::b;
  rule.energy_guard = settings.energy_guard.value_or(!is_faithful);
  return rule;
}

/// On a contact of another region they would be without effect.
void refuse_perimeter_keys(const NormalSpec&, const ContactDefaultSpec& settings) {
  const bool has_memory = settings.memory != ContactDefaultSpec::Memory::continuous || settings.has_key("memory");
  for (const auto& [key, is_given] : {std::pair{"memory", has_memory},
                                      {"normals", settings.normals.has_value()},
                                      {"stiffness_factor", settings.stiffness_factor.has_value()},
                                      {"energy_guard", settings.energy_guard.has_value()}}) {
    if (is_given) throw InputError(fmt::format("{} belongs to region = \"perimeter\"", key));
  }
}

std::string find_perimeter_friction_obstacle(const FrictionLawRow& law) {
  if (law.has_perimeter_form) return {};
  return fmt::format("{} has no form for the points of a curve: region = \"perimeter\" takes friction {}",
                     law.text.name, list_friction_laws(&FrictionLawRow::has_perimeter_form));
}

std::string find_perimeter_obstacle(const CombinationSide& a, const CombinationSide& b, ContactMethod) {
  if (!is_finite(a.shape) && !is_finite(b.shape)) {
    return fmt::format("a {} and a {} are both endless, and so is the curve in which they cross", shape_name(a.shape),
                       shape_name(b.shape));
  }
  for (const CombinationSide* side : {&a, &b}) {
    if (std::holds_alternative<Mesh>(side->shape)) continue;  // has triangles of its own
    try {
      make_shape_mesh(side->shape);
    } catch (const InputError& error) {
      return error.what();
    }
  }
  return {};
}

void judge_perimeters(const PairSummary& pair, const ContactRule* rule, double, std::vector<std::string>& notes) {
  if (rule != nullptr) take_note(judge_pressure(*rule, pair.patch.peak_pressure, true), notes);
}

std::string suggest_perimeter_options(const ContactRule& rule) {
  const auto& own = std::get<PerimeterRule>(rule.region);
  // What the source leaves unguarded may blow up at any step.
  return fmt::format("{}{}", own.energy_guard ? "" : "energy_guard = true, or ",
                     own.memory == PerimeterRule::Memory::faithful ? "memory = \"continuous\", or " : "");
}

}  // namespace

const RegionRow kPerimeterRow = {
    .kind = RegionKind::perimeter,
    .column_kinds = kPerimetric,
    .count_trial_steps = [](bool) { return 10'000.0; },
    .make_rule = [](const ContactDefaultSpec& settings) { return RegionRule(make_perimeter_rule(settings)); },
    .refuse_keys = refuse_perimeter_keys,
    .resolve_normal =
        [](const NormalSpec& spec, const ContactDefaultSpec& settings) {
          return resolve_perimeter_normal(spec, make_perimeter_rule(settings).normals, settings.stiffness_factor);
        },
    .find_friction_obstacle = find_perimeter_friction_obstacle,
    .find_pair_obstacle = find_perimeter_obstacle,
    .prepare = make_surfaces,
    .judge_pair = judge_perimeters,
    .explain_heat =
        [](const ContactRule& rule) {
          return std::string(std::get<PerimeterRule>(rule.region).energy_guard ? ""
                                                                               : "; energy_guard = true prevents it");
        },
    .suggest_options = suggest_perimeter_options,
};

}  // namespace abut
