#include "load_scene.hpp"

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/text_file.hpp"
#include "abut/sim/compile.hpp"

namespace abut {

namespace {

std::string read_scene_source(const std::string& path) {
  try {
    return read_text_file(path);
  } catch (const SystemError& error) {
    throw SystemError(fmt::format("{}\nNothing was run.", error.what()));
  }
}

}  // namespace

Model load_scene(const std::string& path, const std::vector<std::string>& overrides) {
  const std::string text = read_scene_source(path);
  const SceneSpec scene = read_scene_text(text, path, overrides);
  try {
    return compile(scene);
  } catch (const InputError& error) {
    throw InputError(add_source_line(error.what(), path, text));
  }
}

}  // namespace abut
