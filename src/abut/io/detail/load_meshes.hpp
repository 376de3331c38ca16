#pragma once

#include <string>

#include "abut/io/scene_reader.hpp"
#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Reads the files of all mesh shapes of a scene, each once; relative paths are relative to the folder of `scene_path`.
/// What cannot be read is reported at the key that names it.
void load_meshes(SceneSpec& scene, const std::string& scene_path, ProblemList& problems, const MeshProgress& progress);

/// Those of a record instead. A mesh that the record has not is reported; no file is opened.
void take_meshes(SceneSpec& scene, const std::vector<RecordedMesh>& meshes, ProblemList& problems);

}  // namespace abut
