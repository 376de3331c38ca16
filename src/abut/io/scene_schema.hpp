#pragma once

#include <string>

namespace abut {

/// JSON Schema (2020-12) of a scene, from the tables of fields.
std::string make_scene_schema();

}  // namespace abut
