#pragma once

#include <optional>
#include <vector>

#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/contact/law/normal_law.hpp"
#include "abut/contact/law/resolved_value.hpp"
#include "abut/scene/normal_spec.hpp"

namespace abut {

struct NormalResolution {
  NormalLawParameters parameters;
  std::optional<double> contact_modulus;  ///< E* [Pa] when the stiffness is to come from it and the local curvature
  std::vector<ResolvedValue> values;
  std::vector<std::string> notes;
};

/// Fills in what the scene does not give, by the law's row and the table of fields of NormalSpec, and checks everything
/// that can be checked without geometry. Throws InputError for missing, contradictory or impossible values.
NormalResolution resolve_normal(const NormalSpec& spec);

}  // namespace abut
