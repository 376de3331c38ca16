#include "abut/contact/law/normal_law.hpp"

#include <algorithm>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/contact/law/impact.hpp"

namespace abut {

namespace {

/// The first instant of a contact.
struct Touch {
  const NormalCoefficients& c;  ///< without damping
  double restitution;           ///< e [1]
  double speed;                 ///< v0 [m/s]
  double effective_mass;        ///< [kg]
};

/// lambda [N s/m^(r+1)] that meets e exactly, by the law's own impact.
double calc_from_own_impact(const Touch& t) {
  return dimensionless_damping(t.c.exponent, t.c.damping_exponent, t.restitution) *
         calc_damping_scale(t.c, t.speed, t.effective_mass);
}

/// How a law makes lambda from a restitution. Where the rule needs no effective mass it is k / v0 times a function of
/// e.
struct DampingRule {
  NormalLaw law;
  double (*calc_damping)(const Touch& touch);  ///< null: none
};

/// In the order of NormalLaw. Rules without exponents of their own are approximations, but for that of gonthier: the
/// restitution obtained differs from e (calc_impact tells by how much).
constexpr auto kDampingRules = std::to_array<DampingRule>({
    {NormalLaw::hertz, nullptr},
    {NormalLaw::kelvin_voigt, calc_from_own_impact},
    // [Gonthier 2007, 2.2.2; Moisio 2013 (3.6)]
    {NormalLaw::hunt_crossley, [](const Touch& t) { return 1.5 * (1.0 - t.restitution) * (t.c.stiffness / t.speed); }},
    {NormalLaw::lee_wang, calc_from_own_impact},
    // [Moisio 2013 (3.7)]
    {NormalLaw::lankarani_nikravesh,
     [](const Touch& t) { return 0.75 * (1.0 - t.restitution * t.restitution) * (t.c.stiffness / t.speed); }},
    // [Moisio 2013 (3.9)]
    {NormalLaw::flores,
     [](const Touch& t) { return 1.6 * (1.0 - t.restitution) / t.restitution * (t.c.stiffness / t.speed); }},
    // [Gonthier 2007 (3.23)-(3.25)]
    {NormalLaw::gonthier,
     [](const Touch& t) { return gonthier_damping(t.restitution) / t.restitution * (t.c.stiffness / t.speed); }},
    // [Azad and Featherstone 2014 (8)]
    {NormalLaw::azad_featherstone, calc_from_own_impact},
});

static_assert([] {
  if (kDampingRules.size() != kNormalLaws.size()) return false;
  for (std::size_t i = 0; i < kNormalLaws.size(); ++i) {
    const NormalLawRow& row = kNormalLaws[i];
    if (kDampingRules[i].law != row.law || row.has_damping != (kDampingRules[i].calc_damping != nullptr)) return false;
    // Below it no impact is tabulated.
    if (row.meets_restitution && row.least_restitution < kMinRestitution) return false;
  }
  return true;
}());

}  // namespace

void validate(const NormalLawParameters& parameters) {
  const NormalLawRow& row = normal_law_row(parameters.law);
  const auto require = [&row](bool good, std::string_view key, double value, std::string_view rule) {
    if (!good) throw InputError(fmt::format("{}: {} is {}, must be {}", row.text.name, key, value, rule));
  };
  const double p = parameters.exponent;
  if (parameters.stiffness) {
    const double k = *parameters.stiffness;
    require(k > 0.0 && std::isfinite(k), "stiffness", k, "positive and finite");
  }
  require(p >= row.least_exponent && p <= kMostExponent, "exponent", p,
          fmt::format("from {} to {}", row.least_exponent, kMostExponent));
  require(parameters.v_small > 0.0 && std::isfinite(parameters.v_small), "v_small", parameters.v_small,
          "positive and finite");
  if (parameters.damping) {
    const double lambda = *parameters.damping;
    require(lambda >= 0.0 && std::isfinite(lambda), "damping", lambda, "finite and not negative");
    require(row.has_damping || lambda == 0.0, "damping", lambda, "absent: the law has none");
    return;
  }
  const double e_min = parameters.restitution.min_coefficient();
  require(takes_restitution(row, e_min), "restitution", e_min,
          fmt::format("{} {} {} 1", row.excludes_least ? "above" : "from", row.least_restitution,
                      row.excludes_least ? "and at most" : "to"));
}

NormalCoefficients make_normal_coefficients(const NormalLawParameters& parameters, double stiffness,
                                            double impact_speed, double effective_mass) {
  NormalCoefficients c;
  c.stiffness = stiffness;
  c.exponent = parameters.exponent;
  c.damping_exponent = calc_damping_exponent(parameters.law, parameters.exponent);
  const auto calc_damping = kDampingRules[static_cast<std::size_t>(parameters.law)].calc_damping;
  if (calc_damping == nullptr) return c;
  if (parameters.damping) {
    c.damping = *parameters.damping;
    return c;
  }
  const double v0 = std::max(impact_speed, parameters.v_small);
  c.damping = calc_damping({c, parameters.restitution.calc_coefficient(v0), v0, effective_mass});
  return c;
}

}  // namespace abut
