#pragma once

#include <optional>

#include "abut/contact/law/normal_force.hpp"
#include "abut/contact/law/restitution.hpp"
#include "abut/scene/normal_law_list.hpp"

namespace abut {

/// A law of scene/normal_law_list.hpp with its numbers. At the first instant of a contact it chooses the coefficients
/// of f = max(0, k x^p + lambda x^r v), with v0 = max(approach speed, v_small) and e the requested restitution.
struct NormalLawParameters {
  NormalLaw law = NormalLaw::gonthier;
  std::optional<double> stiffness;  ///< k [N/m^p]; absent: from material data and the curvature at each contact
  double exponent = 1.5;            ///< p [-]
  std::optional<double> damping;    ///< lambda [N s/m^(r+1)], used as it is; absent: from the restitution
  Restitution restitution;
  double v_small = 1e-3;  ///< floor of the impact speed in every rule [m/s]
  bool renews = true;     ///< the damping follows the blow that acts (blow.hpp); otherwise it stays that of the touch
};

/// Throws InputError when a value is outside what the law can represent, naming value and range.
void validate(const NormalLawParameters& parameters);

/// Coefficients for one contact, at its first instant. stiffness k [N/m^p] > 0; impact_speed [m/s], the approach
/// speed at touch (a negative one counts as zero); effective_mass [kg] along the normal, 1 / (1/m_a + 1/m_b) for
/// central impact. Parameters must have passed validate().
NormalCoefficients make_normal_coefficients(const NormalLawParameters& parameters, double stiffness,
                                            double impact_speed, double effective_mass);

}  // namespace abut
