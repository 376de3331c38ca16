#pragma once

#include <functional>
#include <string>
#include <vector>

#include "abut/scene/scene_spec.hpp"

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

}  // namespace abut
