#include "abut/scene/normal_spec.hpp"

#include <fmt/format.h>

namespace abut {
namespace {

using Law = NormalSpec::Law;

/// Laws whose definition is a relation between damping and restitution have no coefficient of their own.
bool takes_damping(Law law) {
  return law == Law::kelvin_voigt || law == Law::hunt_crossley || law == Law::lee_wang || law == Law::azad_featherstone;
}

}  // namespace

std::vector<std::string> normal_law_keys(NormalSpec::Law law) {
  std::vector<std::string> keys = {"law",         "stiffness", "young",       "poisson", "young_b", "poisson_b",
                                   "stiffness_b", "thickness", "thickness_b", "yield",   "yield_b"};
  // The dashpot of azad-featherstone is derived for the exponent 3/2 alone [Azad and Featherstone 2014 (3)-(8)].
  if (law != Law::azad_featherstone) keys.emplace_back("exponent");
  if (law == Law::hertz) return keys;
  if (takes_damping(law)) keys.emplace_back("damping");
  keys.insert(keys.end(), {"restitution", "restitution_slope", "restitution_table", "v_small", "damper"});
  return keys;
}

std::string describe_normal_law(NormalSpec::Law law) {
  std::string text = fmt::format("{} takes: stiffness or (young, poisson)", enum_name(law));
  if (law != Law::azad_featherstone) text += ", exponent";
  if (law != Law::hertz) {
    text += takes_damping(law) ? ", damping or restitution" : ", restitution";
    text += " (or restitution_slope, restitution_table), v_small, damper";
  }
  return text + fmt::format(". See `abut models {}`.", enum_name(law));
}

}  // namespace abut
