#include "abut/contact/law/normal_law.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/contact/law/impact.hpp"

namespace abut {

std::string_view normal_law_name(NormalLaw law) {
  switch (law) {
    case NormalLaw::hertz:
      return "hertz";
    case NormalLaw::kelvin_voigt:
      return "kelvin-voigt";
    case NormalLaw::hunt_crossley:
      return "hunt-crossley";
    case NormalLaw::lee_wang:
      return "lee-wang";
    case NormalLaw::lankarani_nikravesh:
      return "lankarani-nikravesh";
    case NormalLaw::flores:
      return "flores";
    case NormalLaw::gonthier:
      return "gonthier";
    case NormalLaw::azad_featherstone:
      return "azad-featherstone";
  }
  ABUT_REQUIRE(false, "unknown normal law {}", static_cast<int>(law));
  return {};
}

std::optional<NormalLaw> find_normal_law(std::string_view name) {
  for (NormalLaw law : kAllNormalLaws) {
    if (normal_law_name(law) == name) return law;
  }
  return std::nullopt;
}

bool has_exact_restitution(NormalLaw law) {
  return law == NormalLaw::gonthier || law == NormalLaw::kelvin_voigt || law == NormalLaw::lee_wang ||
         law == NormalLaw::azad_featherstone;
}

double calc_damping_exponent(NormalLaw law, double exponent) {
  switch (law) {
    case NormalLaw::kelvin_voigt:
      return 0.0;
    case NormalLaw::lee_wang:
      return 1.0;
    case NormalLaw::azad_featherstone:
      return 0.5;
    default:
      return exponent;
  }
}

void validate(const NormalLawParameters& parameters) {
  const std::string_view name = normal_law_name(parameters.law);
  const auto require = [&name](bool good, std::string_view key, double value, std::string_view rule) {
    if (!good) throw InputError(fmt::format("{}: {} is {}, must be {}", name, key, value, rule));
  };
  const double p = parameters.exponent;
  if (parameters.stiffness) {
    const double k = *parameters.stiffness;
    require(k > 0.0 && std::isfinite(k), "stiffness", k, "positive and finite");
  }
  const double r = calc_damping_exponent(parameters.law, p);
  const double lowest = std::max(0.5, r);
  require(p >= lowest && p <= 5.0, "exponent", p, fmt::format("from {} to 5", lowest));
  require(parameters.v_small > 0.0 && std::isfinite(parameters.v_small), "v_small", parameters.v_small,
          "positive and finite");
  if (parameters.damping) {
    const double lambda = *parameters.damping;
    require(lambda >= 0.0 && std::isfinite(lambda), "damping", lambda, "finite and not negative");
    require(parameters.law != NormalLaw::hertz || lambda == 0.0, "damping", lambda, "absent: the law has none");
    return;
  }
  const double e_min = parameters.restitution.min_coefficient();
  if (has_exact_restitution(parameters.law)) {
    require(e_min >= kMinRestitution, "restitution", e_min, fmt::format("from {} to 1", kMinRestitution));
  }
  require(parameters.law != NormalLaw::flores || e_min > 0.0, "restitution", e_min, "above 0 and at most 1");
}

NormalCoefficients make_normal_coefficients(const NormalLawParameters& parameters, double stiffness,
                                            double impact_speed, double effective_mass) {
  NormalCoefficients c;
  c.stiffness = stiffness;
  c.exponent = parameters.exponent;
  c.damping_exponent = calc_damping_exponent(parameters.law, parameters.exponent);
  if (parameters.law == NormalLaw::hertz) return c;
  if (parameters.damping) {
    c.damping = *parameters.damping;
    return c;
  }
  const double v0 = std::max(impact_speed, parameters.v_small);
  const double e = parameters.restitution.calc_coefficient(v0);
  const double k_over_v = stiffness / v0;
  switch (parameters.law) {
    case NormalLaw::hertz:
      break;
    case NormalLaw::hunt_crossley:
      c.damping = 1.5 * (1.0 - e) * k_over_v;
      break;
    case NormalLaw::lankarani_nikravesh:
      c.damping = 0.75 * (1.0 - e * e) * k_over_v;
      break;
    case NormalLaw::flores:
      c.damping = 1.6 * (1.0 - e) / e * k_over_v;
      break;
    case NormalLaw::gonthier:
      c.damping = gonthier_damping(e) / e * k_over_v;
      break;
    case NormalLaw::kelvin_voigt:
    case NormalLaw::lee_wang:
    case NormalLaw::azad_featherstone:
      c.damping = dimensionless_damping(c.exponent, c.damping_exponent, e) * calc_damping_scale(c, v0, effective_mass);
      break;
  }
  return c;
}

}  // namespace abut
