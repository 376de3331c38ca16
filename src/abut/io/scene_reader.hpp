#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "abut/scene/record.hpp"
#include "abut/scene/scene_spec.hpp"
#include "abut/scene/set_value.hpp"

namespace abut {

/// Called now and then while a mesh file is read, with its name and the part done, 0 to 1.
using MeshProgress = std::function<void(const std::string& file, double part)>;

/// Reads and validates a scene in TOML. Each override is "path=value", applied before reading: "run.step=1e-4",
/// "body.ball.mass=3", "contact[0].normal.restitution=0.7", "contact.ball-incline.friction.mu_c=0.3",
/// "gravity[2]=-1.62". Throws InputError whose text is the whole report of mistakes, SystemError when the file cannot
/// be read.
SceneSpec read_scene_file(const std::string& path, const std::vector<std::string>& overrides = {});

/// The same from memory; `name` stands for the file in messages.
SceneSpec read_scene_text(const std::string& text, const std::string& name,
                          const std::vector<std::string>& overrides = {}, const MeshProgress& progress = {});

/// The same for the scene of a record: meshes are those of the record, and no file is opened.
SceneSpec read_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                          const std::vector<RecordedMesh>& meshes);

/// Reads the files of the meshes that have no triangles, as after set() of a mesh's file, scale or weld. `path` is that
/// of the scene. Throws InputError.
void read_missing_meshes(SceneSpec& scene, const std::string& path);

/// "path=value" as --set takes it, for set(); nothing where only reading can tell what is meant: not of that form, or
/// the value a table or a list of lists.
std::optional<SceneChange> parse_scene_change(const std::string& text);

}  // namespace abut
