#pragma once

#include <functional>
#include <map>
#include <string>

#include "abut/scene/problem_list.hpp"
#include "abut/scene/scene_spec.hpp"

namespace abut {

/// Content of a text file; throws InputError or SystemError.
using ReadText = std::function<std::string(const std::string& path)>;

/// Reads the files of all robots of a scene and puts their bodies and joints in the place of scene.robot, which is
/// empty afterwards. Every mistake is added to `problems`; the bodies of the scene then count as unknown, so that
/// nobody complains about names that were to come from a robot. Returns the texts by the names of the files, for
/// messages.
std::map<std::string, std::string> expand_robots(SceneSpec& scene, const std::string& scene_path,
                                                 const ReadText& read_text, ProblemList& problems);

}  // namespace abut
