#include "abut/io/recorded_scene.hpp"

#include "abut/io/scene_reader.hpp"

namespace abut {

SceneSpec read_recorded_scene(const ResultFile& file, const std::vector<std::string>& overrides,
                              const std::string& name) {
  return read_scene_text(file.scene_text, name, overrides, file.meshes);
}

}  // namespace abut
