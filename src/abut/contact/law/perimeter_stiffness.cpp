#include "abut/contact/law/perimeter_stiffness.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

void check_input(const NormalSpec& input, const std::optional<double>& stiffness_factor) {
  const std::string_view name = normal_law_name(input.law);
  if (!is_proportional(normal_law_row(input.law))) {
    throw InputError(
        fmt::format("{} has no perimeter form: its damping is not proportional to the spring's force. region = "
                    "\"perimeter\" takes {}",
                    name, list_proportional_laws()));
  }
  if (input.exponent) {
    throw InputError(fmt::format(
        "{}: exponent has no place in region = \"perimeter\": the force is proportional to depth and length", name));
  }
  if (input.yield || input.yield_b) {
    throw InputError(fmt::format(
        "{}: yield has no place in region = \"perimeter\": a curve has no area, and its pressure is not known", name));
  }
  if (input.stiffness && (input.young || stiffness_factor)) {
    throw InputError(
        fmt::format("{}: give stiffness [N/m^2], or young and poisson with stiffness_factor, not both", name));
  }
  if (!input.stiffness && !input.young)
    throw InputError(fmt::format("{}: needs stiffness [N/m^2], or young and poisson", name));
}

}  // namespace

NormalResolution resolve_perimeter_normal(const NormalSpec& input, PerimeterRule::Normals normals,
                                          const std::optional<double>& stiffness_factor) {
  check_input(input, stiffness_factor);
  std::vector<ResolvedValue> values;
  NormalSpec linear = input;
  if (input.young) {
    // Hertz's rules for the material, whose modulus is all that is used of them.
    NormalSpec material = input;
    const NormalResolution hertz = resolve_normal(material);
    for (const ResolvedValue& value : hertz.values) {
      if (value.key.starts_with("young") || value.key.starts_with("poisson")) values.push_back(value);
    }
    const bool is_patch = normals == PerimeterRule::Normals::patch;
    const double factor = stiffness_factor.value_or(is_patch ? kHertzStiffnessFactor : kSourceStiffnessFactor);
    values.push_back({"stiffness_factor", factor, "",
                      stiffness_factor ? "given"
                      : is_patch       ? "default: Hertz, for a sphere"
                                       : "default: 1/2, the source's"});
    linear.stiffness = 0.25 * factor * hertz.contact_modulus.value();
  }
  linear.young = linear.poisson = linear.young_b = linear.poisson_b = std::nullopt;
  linear.exponent = 1.0;
  NormalResolution resolution = resolve_normal(linear);
  for (ResolvedValue& value : resolution.values) {
    if (value.key == "exponent") continue;
    if (value.key == "stiffness") {
      value.unit = "N/m^2";
      if (input.young) value.origin = "rule: E* stiffness_factor / 4";
    }
    if (value.key == "damping") value.unit = "N s/m^3";
    values.push_back(std::move(value));
  }
  resolution.values = std::move(values);
  return resolution;
}

}  // namespace abut
