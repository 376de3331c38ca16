#include <algorithm>

#include <fmt/format.h>

#include "abut/scene/check_specs.hpp"

namespace abut {
namespace {

using Law = NormalSpec::Law;

/// Keys that were given although the law does not know them.
void refuse_foreign_keys(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  const std::vector<std::string> allowed = normal_law_keys(normal.law);
  const auto refuse = [&](const char* key, bool given) {
    if (!given || std::find(allowed.begin(), allowed.end(), key) != allowed.end()) return;
    problems.add(normal.location_of(key),
                 fmt::format("{} does not belong to {} in {}", key, enum_name(normal.law), label),
                 describe_normal_law(normal.law));
  };
  refuse("exponent", normal.exponent.has_value());
  refuse("damping", normal.damping.has_value());
  refuse("restitution", normal.restitution.has_value());
  refuse("restitution_slope", normal.restitution_slope.has_value());
  refuse("restitution_table", normal.restitution_table.has_value());
  refuse("v_small", normal.has_key("v_small"));
  refuse("damper", normal.has_key("damper"));
}

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

constexpr const char* kPlastic =
    "0.01 all but stops a blow; law = \"hunt-crossley\" or \"lankarani-nikravesh\" takes 0.";

void check_restitution(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  const auto find_defect = [&](double e) -> std::string {
    // Their damping grows without bound as the restitution vanishes.
    const bool has_floor = normal.law == Law::gonthier || normal.law == Law::kelvin_voigt ||
                           normal.law == Law::lee_wang || normal.law == Law::azad_featherstone;
    if (has_floor && e >= 0.0 && e < 0.01) {
      return fmt::format("restitution {} is too small for {} (0.01 to 1) in {}", e, enum_name(normal.law), label);
    }
    if (normal.law == Law::flores && e == 0.0) {
      return fmt::format("flores cannot represent restitution 0 in {}", label);
    }
    return {};
  };
  if (normal.restitution) {
    const std::string defect = find_defect(*normal.restitution);
    if (!defect.empty()) problems.add(normal.location_of("restitution"), defect, kPlastic);
  }
  if (!normal.restitution_table) return;
  for (const double e : normal.restitution_table->restitution) {
    const std::string defect = find_defect(e);
    if (defect.empty()) continue;
    problems.add(normal.restitution_table->location_of("restitution"), defect, kPlastic);
    return;
  }
}

void check_coefficients(const FrictionSpec& friction, const char* static_key, const std::optional<double>& mu_static,
                        const char* kinetic_key, const std::optional<double>& mu_kinetic, const std::string& label,
                        ProblemList& problems) {
  if (!is_given(friction, static_key, mu_static) && !is_given(friction, kinetic_key, mu_kinetic)) {
    problems.add(friction.where, fmt::format("{} is missing in {}", kinetic_key, label));
  }
  if (mu_static && mu_kinetic && *mu_static >= 0.0 && *mu_static < *mu_kinetic) {
    problems.add(friction.location_of(static_key),
                 fmt::format("{} {} is below {} {} in {}", static_key, *mu_static, kinetic_key, *mu_kinetic, label));
  }
}

void check_law(const NoFrictionSpec&, const FrictionSpec&, const std::string&, ProblemList&) {}

void check_law(const CoulombSpec& law, const FrictionSpec& friction, const std::string& label, ProblemList& problems) {
  if (!is_given(friction, "mu", law.mu)) {
    check_coefficients(friction, "mu_s", law.mu_s, "mu_c", law.mu_c, label, problems);
  } else if (law.mu_s || law.mu_c) {
    problems.add(friction.location_of("mu"),
                 fmt::format("mu and {} are both given in {}", law.mu_s ? "mu_s" : "mu_c", label),
                 "coulomb takes: mu, or mu_s and mu_c with v_stribeck; v_eps.");
  }
}

void check_law(const LugreSpec& law, const FrictionSpec& friction, const std::string& label, ProblemList& problems) {
  check_coefficients(friction, "mu_s", law.mu_s, "mu_d", law.mu_d, label, problems);
}

void check_law(const BristleSpec& law, const FrictionSpec& friction, const std::string& label, ProblemList& problems) {
  check_coefficients(friction, "mu_s", law.mu_s, "mu_c", law.mu_c, label, problems);
}

}  // namespace

void check_whole(const NormalSpec& normal, const std::string& label, ProblemList& problems) {
  if (normal.is_unusable("law")) return;
  refuse_foreign_keys(normal, label, problems);
  check_stiffness(normal, label, problems);
  if (normal.law == Law::hertz) return;
  check_damping(normal, label, problems);
  check_restitution(normal, label, problems);
}

void check_whole(const FrictionSpec& friction, const std::string& label, ProblemList& problems) {
  if (friction.is_unusable("law")) return;
  std::visit([&](const auto& law) { check_law(law, friction, label, problems); }, friction.law);
}

}  // namespace abut
