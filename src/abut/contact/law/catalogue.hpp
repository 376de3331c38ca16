#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// What a person should know of each law before using it; printed by `abut models`. Keys are those of the scene.
struct LawParameterInfo {
  std::string key;
  std::string symbol;
  std::string unit;  ///< "-" when dimensionless
  std::string range;
  std::string otherwise;  ///< the rule or default when the key is absent
  std::string purpose;
};

struct LawInfo {
  std::string name;      ///< the value of `law`
  std::string family;    ///< "normal" or "friction"
  std::string equation;  ///< plain text
  std::string purpose;
  std::string limits;  ///< where it ceases to be valid
  std::string source;  ///< with equation numbers
  std::string page;    ///< of the documentation, relative to docs/
  std::vector<LawParameterInfo> parameters;
};

/// Normal laws in the order of NormalLaw, then none, coulomb, lugre, bristle.
const std::vector<LawInfo>& law_catalogue();

/// nullptr when there is no such law.
const LawInfo* find_law(std::string_view name);

}  // namespace abut
