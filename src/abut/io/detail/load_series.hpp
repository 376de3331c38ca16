#pragma once

#include <string>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Reads the CSV files of prescribed motions and of trajectories into the scene, and finds the libraries of
/// controllers; relative paths are relative to the folder of `scene_path`. What cannot be read is reported at the key
/// that names it.
void load_series(SceneSpec& scene, const std::string& scene_path, ProblemList& problems);

}  // namespace abut
