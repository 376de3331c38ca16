#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

/// Keys that were given although the law does not know them.
struct ForeignKeys {
  const NormalSpec& normal;
  const std::string& label;
  ProblemList& problems;

  template <class Value>
  void operator()(const Value& value, const FieldInfo& info) {
    bool is_given = normal.has_key(info.key);
    if constexpr (requires { value.has_value(); }) is_given = value.has_value();
    if (!is_given || takes_key(normal_law_row(normal.law), info.key)) return;
    problems.add(normal.location_of(info.key),
                 fmt::format("{} does not belong to {} in {}", info.key, enum_name(normal.law), label),
                 describe_normal_law(normal.law));
  }
};

void check_stiffness(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  const bool has_stiffness = is_given(normal, "stiffness", normal.stiffness);
  const bool has_young = is_given(normal, "young", normal.young);
  const bool has_poisson = is_given(normal, "poisson", normal.poisson);
  const std::string hint = describe_normal_law(normal.law);
  if (has_stiffness && (has_young || has_poisson)) {
    problems.add(normal.location_of("stiffness"),
                 fmt::format("stiffness and material data (young, poisson) are both given in {}", label), hint);
  } else if (!has_stiffness && !has_young && !has_poisson) {
    problems.add(normal.where, fmt::format("stiffness is missing in {}", label), hint);
  } else if (has_young != has_poisson) {
    problems.add(
        normal.location_of(has_young ? "young" : "poisson"),
        fmt::format("young and poisson belong together in {}: {} is missing", label, has_young ? "poisson" : "young"));
  }
  if (!has_young && (normal.young_b || normal.poisson_b)) {
    problems.add(normal.location_of(normal.young_b ? "young_b" : "poisson_b"),
                 fmt::format("{} describes the second body, but young and poisson of the first are missing in {}",
                             normal.young_b ? "young_b" : "poisson_b", label));
  }
  // Hertz gives N/m^1.5 and nothing else.
  if (has_young && normal.exponent_or_default() != 1.5) {
    problems.add(normal.location_of(normal.exponent ? "exponent" : "young"),
                 fmt::format("material data give the stiffness of exponent 1.5, not of {}, in {}",
                             normal.exponent_or_default(), label),
                 "Give stiffness [N/m^exponent] instead of young and poisson, or exponent = 1.5.");
  }
}

void check_damping(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  std::vector<std::string> given;
  if (is_given(normal, "damping", normal.damping)) given.emplace_back("damping");
  if (is_given(normal, "restitution", normal.restitution)) given.emplace_back("restitution");
  if (is_given(normal, "restitution_slope", normal.restitution_slope)) given.emplace_back("restitution_slope");
  if (is_given(normal, "restitution_table", normal.restitution_table)) given.emplace_back("restitution_table");
  if (given.size() > 1) {
    problems.add(normal.location_of(given[1]), fmt::format("{} and {} are both given in {}", given[0], given[1], label),
                 "Each of damping, restitution, restitution_slope and restitution_table decides the damping alone.");
  } else if (given.empty()) {
    problems.add(normal.where, fmt::format("restitution is missing in {}", label), describe_normal_law(normal.law));
  }
}

/// "0.01 all but stops a blow; law = "hunt-crossley" or "lankarani-nikravesh" takes 0."
std::string suggest_plastic(const NormalLawRow& row) {
  std::vector<std::string> others;
  for (const NormalLawRow& other : kNormalLaws) {
    if (other.has_damping && takes_restitution(other, 0.0)) others.push_back(fmt::format("\"{}\"", other.text.name));
  }
  return fmt::format("{} all but stops a blow; law = {} takes 0.", std::max(row.least_restitution, 0.01),
                     fmt::join(others, " or "));
}

void check_restitution(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  const NormalLawRow& row = normal_law_row(normal.law);
  const auto find_defect = [&](double e) -> std::string {
    // What no law takes is said of the field.
    if (!(e >= 0.0 && e <= 1.0) || takes_restitution(row, e)) return {};
    return fmt::format("restitution {} is too small for {} ({}{} to 1) in {}", e, row.text.name,
                       row.excludes_least ? "above " : "", row.least_restitution, label);
  };
  if (normal.restitution) {
    const std::string defect = find_defect(*normal.restitution);
    if (!defect.empty()) problems.add(normal.location_of("restitution"), defect, suggest_plastic(row));
  }
  if (!normal.restitution_table) return;
  for (const double e : normal.restitution_table->restitution) {
    const std::string defect = find_defect(e);
    if (defect.empty()) continue;
    problems.add(normal.restitution_table->location_of("restitution"), defect, suggest_plastic(row));
    return;
  }
}

/// The value of a key of a friction law, none where the law has no such key.
struct ValueOfKey {
  std::string_view key;
  std::optional<double> value{};
  void operator()(const std::optional<double>& member, const FieldInfo& info) {
    if (key == info.key) value = member;
  }
  void operator()(const auto&, const FieldInfo&) {}
};

template <class Law>
std::optional<double> find_value(const Law& law, std::string_view key) {
  ValueOfKey found{key};
  visit_fields(found, law);
  return found.value;
}

template <class Law>
void check_coefficients(const Law& law, const FrictionSpec& friction, const std::string& label, ProblemList& problems) {
  const CoefficientKeys& keys = Law::kRow.coefficients;
  if (keys.sliding[0] == '\0') return;
  const std::optional<double> sliding = find_value(law, keys.sliding), stuck = find_value(law, keys.stuck);
  if (keys.both[0] != '\0' && is_given(friction, keys.both, find_value(law, keys.both))) {
    if (!sliding && !stuck) return;
    problems.add(friction.location_of(keys.both),
                 fmt::format("{} and {} are both given in {}", keys.both, stuck ? keys.stuck : keys.sliding, label),
                 fmt::format("{} takes: {}, or {} and {}.", Law::kTag, keys.both, keys.stuck, keys.sliding));
    return;
  }
  if (!is_given(friction, keys.stuck, stuck) && !is_given(friction, keys.sliding, sliding))
    problems.add(friction.where, fmt::format("{} is missing in {}", keys.sliding, label));
  if (stuck && sliding && *stuck >= 0.0 && *stuck < *sliding) {
    problems.add(friction.location_of(keys.stuck),
                 fmt::format("{} {} is below {} {} in {}", keys.stuck, *stuck, keys.sliding, *sliding, label));
  }
}

}  // namespace

void check_whole(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  if (normal.is_unusable("law")) return;
  ForeignKeys foreign{normal, label, problems};
  visit_fields(foreign, normal);
  check_stiffness(normal, label, problems);
  if (!normal_law_row(normal.law).has_damping) return;
  check_damping(normal, label, problems);
  check_restitution(normal, label, problems);
}

void check_whole(const FrictionSpec& friction, const std::string& label, ProblemList& problems) {
  if (friction.is_unusable("law")) return;
  std::visit([&](const auto& law) { check_coefficients(law, friction, label, problems); }, friction.law);
}

}  // namespace abut
