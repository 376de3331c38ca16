#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "abut/scene/field.hpp"
#include "abut/scene/law_text.hpp"

namespace abut {

/// Normal force laws, all of the family
///
///   f = max(0, k x^p + lambda x^r v)
///
/// with depth x [m] and its rate v [m/s], > 0 approaching. What all rooms ask about a law stands in its row below:
/// keys, exponents, range of the restitution, words. The rule that makes lambda from a restitution is code and stands
/// in contact/law/normal_law.cpp. A new law needs a name here, a row here and a rule there (CONTRIBUTING.md).
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

inline constexpr double kLeastExponent = 0.5, kMostExponent = 5.0;  ///< p [1]

struct NormalLawRow {
  NormalLaw law;
  LawText text;
  bool has_damping = true;                      ///< takes a restitution
  bool takes_coefficient = false;               ///< takes lambda itself, key `damping`
  bool meets_restitution = false;               ///< exactly, in an isolated impact
  bool takes_exponent = true;                   ///< key `exponent`; false: derived for its own exponent alone
  double exponent = 1.5;                        ///< p where none is given [1]
  double least_exponent = kLeastExponent;       ///< [1]
  std::optional<double> damping_exponent = {};  ///< r [1]; none: r = p, damping in proportion to the spring's force
  double least_restitution = 0.0;               ///< [1]
  bool excludes_least = false;                  ///< the least restitution is itself too small
};

/// In the order of NormalLaw.
inline constexpr auto kNormalLaws = std::to_array<NormalLawRow>({
    {.law = NormalLaw::hertz,
     .text = {.name = "hertz",
              .doc = "Elastic contact without loss; quasi-static work.",
              .equation = "f = k x^p,  k = 4/3 E* sqrt(R) for p = 3/2",
              .limits = "homogeneous, isotropic, linear elastic, smooth, non-conformal; patch small against the bodies",
              .source = "Gonthier 2007 (2.1)-(2.4); Johnson 1985, 4.2 for elliptical patches"},
     .has_damping = false},
    {.law = NormalLaw::kelvin_voigt,
     .text = {.name = "kelvin-voigt",
              .doc = "Linear spring and damper; restitution independent of speed.",
              .equation = "f = max(0, k x^p + lambda v),  lambda from the exact impact for the requested e",
              .limits = "force jumps to lambda v at touch; wants the effective mass to meet e",
              .source = "Azad and Featherstone 2014 (1) with n = q = 1, p = 0"},
     .takes_coefficient = true,
     .meets_restitution = true,
     .exponent = 1.0,
     .damping_exponent = 0.0,
     .least_restitution = 0.01},
    {.law = NormalLaw::hunt_crossley,
     .text = {.name = "hunt-crossley",
              .doc = "The classical hysteretic damper.",
              .equation = "f = max(0, k x^p + lambda x^p v),  lambda = 3/2 (1 - e) k / v0",
              .limits = "obtained restitution is right only near e = 1 (0.663 for 0.5)",
              .source = "Gonthier 2007 (3.11); Moisio 2013 (3.5)-(3.6)"},
     .takes_coefficient = true},
    {.law = NormalLaw::lee_wang,
     .text = {.name = "lee-wang",
              .doc = "Between hunt-crossley and azad-featherstone in its dependence on speed.",
              .equation = "f = max(0, k x^p + lambda x v),  lambda from the exact impact for the requested e",
              .limits = "wants the effective mass to meet e; exponent at least 1",
              .source = "Azad and Featherstone 2014 (1) with p = q = 1"},
     .takes_coefficient = true,
     .meets_restitution = true,
     .least_exponent = 1.0,
     .damping_exponent = 1.0,
     .least_restitution = 0.01},
    {.law = NormalLaw::lankarani_nikravesh,
     .text = {.name = "lankarani-nikravesh",
              .doc = "Widely used in multibody codes; for comparison.",
              .equation = "f = max(0, k x^p + lambda x^p v),  lambda = 3/4 (1 - e^2) k / v0",
              .limits = "obtained restitution is right only near e = 1 (0.725 for 0.5)",
              .source = "Moisio 2013 (3.7)-(3.8)"}},
    {.law = NormalLaw::flores,
     .text = {.name = "flores",
              .doc = "Usable at low restitution, close to e everywhere.",
              .equation = "f = max(0, k x^p + lambda x^p v),  lambda = 8 (1 - e) / (5 e) k / v0",
              .limits = "off by up to 0.05 (0.470 for 0.5); e = 0 impossible; stiff at small e",
              .source = "Moisio 2013 (3.9)-(3.10)"},
     .excludes_least = true},
    {.law = NormalLaw::gonthier,
     .text = {.name = "gonthier",
              .doc = "Meets the requested restitution exactly for any mass, stiffness and exponent.",
              .equation = "f = max(0, k x^p + lambda x^p v),  lambda = d(e) k / (e v0),  "
                          "(1 + d/e)/(1 - d) = exp(d (1 + 1/e))",
              .limits = "isolated impact; e = 0 is not representable; stiff at small e",
              .source = "Gonthier 2007 (3.19)-(3.25), (3.43)"},
     .meets_restitution = true,
     .least_restitution = 0.01},
    {.law = NormalLaw::azad_featherstone,
     .text = {.name = "azad-featherstone",
              .doc = "Viscoelastic spheres and plates; e falls almost linearly with the logarithm of speed, as "
                     "measured.",
              .equation = "f = max(0, k x^p + lambda x^(1/2) v),  lambda given, or from the exact impact for the "
                          "requested e",
              .limits = "linear viscoelastic solids with one recovery time; wants the effective mass to meet e; "
                        "exponent 3/2",
              .source = "Azad and Featherstone 2014 (8), (11)"},
     .takes_coefficient = true,
     .meets_restitution = true,
     .takes_exponent = false,
     .damping_exponent = 0.5,
     .least_restitution = 0.01},
});

constexpr const NormalLawRow& normal_law_row(NormalLaw law) { return kNormalLaws[static_cast<std::size_t>(law)]; }

/// "kelvin-voigt".
constexpr std::string_view normal_law_name(NormalLaw law) { return normal_law_row(law).text.name; }

/// r of damping that goes with x^r, beside a spring with x^exponent [1].
constexpr double calc_damping_exponent(NormalLaw law, double exponent) {
  return normal_law_row(law).damping_exponent.value_or(exponent);
}

/// Only then may the measure be another than depth: what the law says is a ratio of two forces, which volumes and
/// perimeters have as well.
constexpr bool is_proportional(const NormalLawRow& row) { return !row.damping_exponent; }

/// "hertz, hunt-crossley, lankarani-nikravesh, flores or gonthier".
std::string list_proportional_laws();

constexpr bool takes_restitution(const NormalLawRow& row, double e) {
  return e <= 1.0 && (row.excludes_least ? e > row.least_restitution : e >= row.least_restitution);
}

/// Sentences of the table of fields that name laws, made from the rows.
struct NormalDocs {
  std::string exponent, damping;
};
const NormalDocs& normal_docs();

template <>
struct EnumNames<NormalLaw> {
  static constexpr EnumTable<NormalLaw, kNormalLaws.size()> values = [] {
    EnumTable<NormalLaw, kNormalLaws.size()> names{};
    for (std::size_t i = 0; i < kNormalLaws.size(); ++i) names[i] = {kNormalLaws[i].law, kNormalLaws[i].text.name};
    return names;
  }();
  static constexpr PlannedNames<0> planned{};
};

static_assert([] {
  for (std::size_t i = 0; i < kNormalLaws.size(); ++i) {
    if (static_cast<std::size_t>(kNormalLaws[i].law) != i) return false;
  }
  return true;
}());

}  // namespace abut
