#include "abut/io/scene_reader.hpp"

#include <iterator>

#include "abut/base/error.hpp"
#include "abut/io/detail/load_meshes.hpp"
#include "abut/io/detail/load_series.hpp"
#include "abut/io/detail/scene_override.hpp"
#include "abut/io/detail/spec_reader.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/text_file.hpp"
#include "abut/scene/validate.hpp"

namespace abut {
namespace {

toml::table parse_toml(const std::string& text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    SourceLocation where = locate(error.source(), name);
    where.length = 1;
    const Problem problem{where, fmt::format("this is not valid TOML: {}", error.description()), ""};
    throw make_input_error({problem}, text);
  }
}

}  // namespace

SceneSpec read_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                          const MeshProgress& progress) {
  toml::table document = parse_toml(text, name);
  ReadContext context{name, {}};
  for (const std::string& item : overrides) apply_override(document, item, context.problems);
  SceneSpec scene;
  SpecReader::read_spec(document, scene, "", context);
  load_meshes(scene, name, context.problems, progress);
  load_series(scene, name, context.problems);
  std::vector<Problem> problems = context.problems.take();
  for (Problem& problem : validate(scene)) problems.push_back(std::move(problem));
  if (!problems.empty()) throw make_input_error(std::move(problems), text);
  return scene;
}

void read_missing_meshes(SceneSpec& scene, const std::string& path) {
  ProblemList problems;
  load_meshes(scene, path, problems, {});
  if (std::vector<Problem> found = problems.take(); !found.empty()) throw to_input_error(found);
}

SceneSpec read_scene_file(const std::string& path, const std::vector<std::string>& overrides) {
  return read_scene_text(read_text_file(path), path, overrides);
}

}  // namespace abut
