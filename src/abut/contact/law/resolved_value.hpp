#pragma once

#include <string>
#include <vector>

namespace abut {

/// A parameter as a run will use it and where it came from: "given", "rule: ..." or "default: ...".
struct ResolvedValue {
  std::string key;  ///< the key in the scene
  double value = 0.0;
  std::string unit;  ///< empty when dimensionless
  std::string origin;
};

/// Parameters of one law with everything that is to be reported about them.
template <class Parameters>
struct Resolved {
  Parameters parameters;
  std::vector<ResolvedValue> values;  ///< in the order of the law's catalogue entry
  std::vector<std::string> notes;     ///< legal but worth a word, e.g. damping far from critical
};

}  // namespace abut
