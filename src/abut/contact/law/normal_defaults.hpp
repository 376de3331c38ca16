#pragma once

#include <optional>
#include <vector>

#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/contact/law/normal_law.hpp"
#include "abut/contact/law/resolved_value.hpp"

namespace abut {

inline constexpr double kDefaultVSmall = 1e-3;  ///< [m/s]                                        [Gonthier 2007 (3.43)]

/// What a scene gives for a normal law. Names are the keys of the scene.
struct NormalInput {
  NormalLaw law = NormalLaw::gonthier;
  std::optional<double> stiffness;                           ///< [N/m^p], or:
  std::optional<double> young, poisson, young_b, poisson_b;  ///< [Pa], [-]; _b defaults to the first body's
  std::optional<double> yield, yield_b;                      ///< [Pa]; judged, never used by a law
  std::optional<double> exponent;                            ///< [-]
  std::optional<double> damping;                             ///< [N s/m^(r+1)], or one of the three:
  std::optional<double> restitution;                         ///< [-]
  std::optional<double> restitution_slope;                   ///< [s/m]
  std::vector<double> table_speed, table_restitution;        ///< [m/s], [-]
  std::optional<double> v_small;                             ///< [m/s]
  bool renews = true;                                        ///< the damping follows the blow that acts
};

struct NormalResolution {
  NormalLawParameters parameters;
  std::optional<double> contact_modulus;  ///< E* [Pa] when the stiffness is to come from it and the local curvature
  std::vector<ResolvedValue> values;
  std::vector<std::string> notes;
};

/// Fills in exponent (3/2; 1 for kelvin-voigt), poisson (0.3), restitution (1), v_small (1e-3 m/s) and
/// checks everything that can be checked without geometry. Throws InputError for missing,
/// contradictory or impossible values.
NormalResolution resolve_normal(const NormalInput& input);

}  // namespace abut
