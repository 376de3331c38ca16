#pragma once

#include <string>
#include <vector>

#include "abut/sim/model.hpp"

namespace abut {

/// Reads, validates and compiles a scene. Every mistake, also one that only the compilation finds, is an InputError
/// whose text shows the line of the file; a file that cannot be read is a SystemError. Both close with "Nothing was
/// run.". Large meshes show on a terminal how far they are, unless quiet.
Model load_scene(const std::string& path, const std::vector<std::string>& overrides, bool is_quiet = false);

}  // namespace abut
