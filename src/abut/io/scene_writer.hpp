#pragma once

#include <string>

#include "abut/scene/scene_spec.hpp"

namespace abut {

/// The scene as TOML that reads back to the same numbers, bit for bit. Values equal to their defaults are left out.
std::string scene_to_toml(const SceneSpec& scene);

}  // namespace abut
