#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// The numbers at one key of a scene, and what the table of fields says of it.
struct KeyNumbers {
  std::vector<double> values;
  std::string unit;
  std::string doc;
  bool is_array = false;
};

/// What stands at a path (scene_path.hpp); nothing where there is no such key, where it has not been given, or where it
/// holds no numbers.
std::optional<KeyNumbers> find_numbers(const SceneSpec& scene, std::string_view path);

}  // namespace abut
