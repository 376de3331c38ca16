#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/law/restitution.hpp"

namespace abut {

/// Rules that choose the coefficients of f = max(0, k x^p + lambda x^r v) at the first instant of a contact, with
/// v0 = max(approach speed, v_small) and e the requested restitution:
///   hertz                lambda = 0
///   kelvin_voigt         r = 0; exact for e through the law's own impact        [Azad and Featherstone 2014 (1)]
///   hunt_crossley        r = p; lambda = 3/2 (1 - e) k / v0                  [Gonthier 2007 (3.11); Moisio 2013 (3.6)]
///   lee_wang             r = 1; exact for e through the law's own impact        [Azad and Featherstone 2014 (1)]
///   lankarani_nikravesh  r = p; lambda = 3/4 (1 - e^2) k / v0                   [Moisio 2013 (3.7)]
///   flores               r = p; lambda = 8 (1 - e) / (5 e) k / v0               [Moisio 2013 (3.9)]
///   gonthier             r = p; lambda = d(e) k / (e v0), exact for any e       [Gonthier 2007 (3.23)-(3.25), (3.43)]
///   azad_featherstone    r = 1/2; exact for e through the law's own impact      [Azad and Featherstone 2014 (8)]
/// hunt_crossley, lankarani_nikravesh and flores are approximations: the restitution obtained differs from e
/// (calc_impact tells by how much). The exact rules hold for an isolated impact; lee_wang, azad_featherstone and
/// kelvin_voigt need the effective mass, the others do not.
enum class NormalLaw {
  hertz,
  kelvin_voigt,
  hunt_crossley,
  lee_wang,
  lankarani_nikravesh,
  flores,
  gonthier,
  azad_featherstone
};

inline constexpr std::array<NormalLaw, 8> kAllNormalLaws = {
    NormalLaw::hertz,    NormalLaw::kelvin_voigt,        NormalLaw::hunt_crossley,
    NormalLaw::lee_wang, NormalLaw::lankarani_nikravesh, NormalLaw::flores,
    NormalLaw::gonthier, NormalLaw::azad_featherstone};

/// The name in scenes and records, e.g. "kelvin-voigt".
std::string_view normal_law_name(NormalLaw law);
std::optional<NormalLaw> find_normal_law(std::string_view name);

/// True when the law meets a requested restitution exactly (isolated impact).
bool has_exact_restitution(NormalLaw law);

struct NormalLawParameters {
  NormalLaw law = NormalLaw::gonthier;
  std::optional<double> stiffness;  ///< k [N/m^p]; absent: from material data and the curvature at each contact
  double exponent = 1.5;            ///< p [-]
  std::optional<double> damping;    ///< lambda [N s/m^(r+1)], used as it is; absent: from the restitution
  Restitution restitution;
  double v_small = 1e-3;  ///< floor of the impact speed in every rule [m/s]
  bool renews = true;     ///< the damping follows the blow that acts (blow.hpp); otherwise it stays that of the touch
};

/// The exponent r that goes with a law, e.g. 1/2 for azad_featherstone.
double calc_damping_exponent(NormalLaw law, double exponent);

/// Throws InputError when a value is outside what the law can represent, naming value and range.
void validate(const NormalLawParameters& parameters);

/// Coefficients for one contact, at its first instant. stiffness k [N/m^p] > 0; impact_speed [m/s], the approach
/// speed at touch (a negative one counts as zero); effective_mass [kg] along the normal, 1 / (1/m_a + 1/m_b) for
/// central impact. Parameters must have passed validate().
NormalCoefficients make_normal_coefficients(const NormalLawParameters& parameters, double stiffness,
                                            double impact_speed, double effective_mass);

}  // namespace abut
