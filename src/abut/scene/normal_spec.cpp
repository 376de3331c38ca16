#include "abut/scene/normal_spec.hpp"

#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace abut {

namespace {

/// "1.5; 1 for kelvin-voigt".
std::string describe_exponents() {
  const double usual = NormalLawRow{}.exponent;
  std::string text = fmt::format("{:g}", usual);
  for (const NormalLawRow& row : kNormalLaws) {
    if (row.exponent != usual) text += fmt::format("; {:g} for {}", row.exponent, row.text.name);
  }
  return text;
}

std::string describe_damping() {
  std::map<std::string, std::vector<std::string>> laws;
  for (const NormalLawRow& row : kNormalLaws) {
    if (row.takes_coefficient) laws[describe_damping_unit(row)].emplace_back(row.text.name);
  }
  std::vector<std::string> parts;
  for (const auto& [unit, names] : laws) parts.push_back(fmt::format("{} for {}", unit, fmt::join(names, ", ")));
  return fmt::format("Damping coefficient, used as it is: {}; the other laws take restitution.",
                     fmt::join(parts, ", "));
}

}  // namespace

const NormalDocs& normal_docs() {
  static const NormalDocs docs = {describe_exponents(), describe_damping()};
  return docs;
}

std::string list_proportional_laws() {
  std::vector<std::string> names;
  for (const NormalLawRow& row : kNormalLaws) {
    if (is_proportional(row)) names.emplace_back(row.text.name);
  }
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string describe_damping_unit(const NormalLawRow& row) {
  if (!row.damping_exponent) return "N s/m^(exponent + 1)";
  const double power = *row.damping_exponent + 1.0;
  return power == 1.0 ? "N s/m" : fmt::format("N s/m^{:g}", power);
}

bool takes_key(const NormalLawRow& row, std::string_view key) {
  if (key == "exponent") return row.takes_exponent;
  if (key == "damping") return row.takes_coefficient;
  if (key == "stiffness_b" || key.starts_with("thickness")) return is_proportional(row);
  if (key.starts_with("restitution") || key == "v_small" || key == "damper") return row.has_damping;
  return true;
}

std::string describe_normal_law(NormalLaw law) {
  const NormalLawRow& row = normal_law_row(law);
  std::string text = fmt::format("{} takes: stiffness or (young, poisson)", row.text.name);
  if (row.takes_exponent) text += ", exponent";
  if (row.has_damping) {
    text += row.takes_coefficient ? ", damping or restitution" : ", restitution";
    text += " (or restitution_slope, restitution_table), v_small, damper";
  }
  return text + fmt::format(". See `abut models {}`.", row.text.name);
}

}  // namespace abut
