#include "abut/contact/law/volume_stiffness.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

ResolvedValue make_value(std::string key, double value, std::string unit, const std::optional<double>& given,
                         std::string otherwise) {
  return {std::move(key), value, std::move(unit), given ? "given" : std::move(otherwise)};
}

double resolve_given(const NormalSpec& input, std::vector<ResolvedValue>& values) {
  values.push_back({"stiffness", *input.stiffness, "N/m^3", "given"});
  if (!input.stiffness_b) return *input.stiffness;
  values.push_back({"stiffness_b", *input.stiffness_b, "N/m^3", "given"});
  const double stiffness = calc_series_stiffness(*input.stiffness, *input.stiffness_b);
  values.push_back({"stiffness of both", stiffness, "N/m^3", "rule: both layers in series"});
  return stiffness;
}

double resolve_layers(const NormalSpec& input, std::vector<ResolvedValue>& values) {
  if (!input.thickness)
    throw InputError(fmt::format(
        "{}: young and poisson need the thickness [m] of the elastic layer in region = \"volume\"; or give stiffness "
        "[N/m^3]",
        normal_law_name(input.law)));
  if (!input.poisson) throw InputError(fmt::format("{}: poisson goes with young", normal_law_name(input.law)));
  const double poisson = *input.poisson;
  values.push_back({"young", *input.young, "Pa", "given"});
  values.push_back({"poisson", poisson, "", "given"});
  values.push_back({"thickness", *input.thickness, "m", "given"});
  double stiffness = calc_layer_stiffness(*input.young, poisson, *input.thickness);
  std::string rule = "rule: confined elastic layer on a rigid body";
  if (input.young_b || input.poisson_b || input.thickness_b) {
    const double young_b = input.young_b.value_or(*input.young);
    const double poisson_b = input.poisson_b.value_or(poisson);
    const double thickness_b = input.thickness_b.value_or(*input.thickness);
    values.push_back(make_value("young_b", young_b, "Pa", input.young_b, "rule: same as young"));
    values.push_back(make_value("poisson_b", poisson_b, "", input.poisson_b, "rule: same as poisson"));
    values.push_back(make_value("thickness_b", thickness_b, "m", input.thickness_b, "rule: same as thickness"));
    stiffness = calc_series_stiffness(stiffness, calc_layer_stiffness(young_b, poisson_b, thickness_b));
    rule = "rule: confined elastic layers in series";
  }
  values.push_back({"stiffness", stiffness, "N/m^3", rule});
  return stiffness;
}

}  // namespace

double calc_layer_stiffness(double young, double poisson, double thickness) {
  return young * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) / thickness;
}

double calc_series_stiffness(double a, double b) { return 1.0 / (1.0 / a + 1.0 / b); }

NormalResolution resolve_volume_normal(const NormalSpec& input) {
  const std::string_view name = normal_law_name(input.law);
  if (!is_proportional(normal_law_row(input.law))) {
    throw InputError(
        fmt::format("{} has no volumetric form: its damping is not proportional to the spring's force. region = "
                    "\"volume\" takes {}",
                    name, list_proportional_laws()));
  }
  if (input.exponent)
    throw InputError(
        fmt::format("{}: exponent has no place in region = \"volume\": the force is proportional to the volume", name));
  if (input.stiffness && (input.young || input.thickness))
    throw InputError(fmt::format("{}: give stiffness [N/m^3], or young, poisson and thickness, not both", name));
  if (!input.stiffness && !input.young)
    throw InputError(fmt::format("{}: needs stiffness [N/m^3], or young, poisson and thickness", name));
  if (input.stiffness_b && !input.stiffness)
    throw InputError(fmt::format("{}: stiffness_b needs stiffness, that of the first body's layer", name));
  if (input.poisson.value_or(0.0) >= 0.5 || input.poisson_b.value_or(0.0) >= 0.5)
    throw InputError(
        fmt::format("{}: a confined layer cannot be pressed in at poisson = 0.5; take at most 0.49", name));

  std::vector<ResolvedValue> values;
  NormalSpec linear = input;
  linear.stiffness = input.stiffness ? resolve_given(input, values) : resolve_layers(input, values);
  linear.young = linear.poisson = linear.young_b = linear.poisson_b = std::nullopt;
  linear.exponent = 1.0;
  NormalResolution resolution = resolve_normal(linear);
  for (ResolvedValue& value : resolution.values) {
    if (value.key == "exponent" || value.key == "stiffness") continue;
    if (value.key == "damping") value.unit = "N s/m^4";
    values.push_back(std::move(value));
  }
  resolution.values = std::move(values);
  return resolution;
}

}  // namespace abut
