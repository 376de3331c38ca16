#pragma once

#include <string>
#include <vector>

#include "abut/io/result_file.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// The scene a record was made with, to its last digit, and with the meshes as they were then: the files may have gone
/// or changed. Overrides as for read_scene_text(). Throws as that does.
SceneSpec read_recorded_scene(const ResultFile& file, const std::vector<std::string>& overrides = {},
                              const std::string& name = "scene of the record");

}  // namespace abut
