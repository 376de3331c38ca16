#pragma once

#include <string>
#include <vector>

namespace abut {

/// One entry of `abut compare --method`: "lcp:step=0.001:friction=cone" is the method lcp with two settings of its own.
struct MethodChoice {
  std::string label;                  ///< as written
  std::string name;                   ///< of the method or integrator
  std::vector<std::string> settings;  ///< "path=value", the paths of --set
  bool has_step = false;              ///< among its settings
};

/// A key without a dot is `step`, or belongs to the table of a method that has one ([lcp], [ncp]), or else to [run].
/// Throws InputError for a part that is not key=value.
MethodChoice parse_method_choice(const std::string& text);

/// Splits a list at commas outside of brackets and quotes, so that values may be arrays.
std::vector<std::string> split_choices(const std::vector<std::string>& texts);

/// Takes the last "run.step=..." out of a list of settings and returns its value as written; empty when there is none.
std::string take_step(std::vector<std::string>& settings);

/// Whether the method or integrator of this name steps by a length that the scene gives; unknown names do not.
bool takes_step(const std::string& name);

}  // namespace abut
