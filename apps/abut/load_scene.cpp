#include "load_scene.hpp"

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/text_file.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/sim/compile.hpp"
#include "progress_bar.hpp"
#include "text.hpp"

namespace abut {

namespace {

std::string read_scene_source(const std::string& path) {
  try {
    return read_text_file(path);
  } catch (const SystemError& error) {
    throw SystemError(fmt::format("{}\nNothing was run.", error.what()));
  }
}

/// Meshes below this are ready before anyone could read a line about them.
constexpr std::size_t kManyTriangles = 100000;

std::size_t count_triangles(const SceneSpec& scene) {
  std::size_t count = 0;
  for (const BodySpec& body : scene.body) {
    for (const ShapeSpec& shape : body.shape) {
      const auto* mesh = std::get_if<MeshSpec>(&shape.type);
      if (mesh != nullptr && mesh->data != nullptr) count += mesh->data->triangles.size();
    }
  }
  return count;
}

}  // namespace

Model load_scene(const std::string& path, const std::vector<std::string>& overrides, bool is_quiet) {
  const std::string text = read_scene_source(path);
  StatusLine line(is_quiet);
  const SceneSpec scene = read_scene_text(text, path, overrides, [&](const std::string& file, double part) {
    line.update(fmt::format("reading {}: {:.0f} %", file, 100.0 * part));
  });
  const std::size_t num_triangles = count_triangles(scene);
  if (num_triangles > kManyTriangles) {
    line.show(fmt::format("preparing {} triangles", format_count(static_cast<long>(num_triangles))));
  }
  try {
    return compile(scene);
  } catch (const InputError& error) {
    throw InputError(add_source_line(error.what(), path, text));
  }
}

}  // namespace abut
