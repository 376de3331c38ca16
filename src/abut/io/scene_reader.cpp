#include "abut/io/scene_reader.hpp"

#include <map>

#include "abut/base/error.hpp"
#include "abut/io/detail/load_meshes.hpp"
#include "abut/io/detail/scene_override.hpp"
#include "abut/io/detail/spec_reader.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/robot/expand_robots.hpp"
#include "abut/io/text_file.hpp"
#include "abut/scene/scene_path.hpp"
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

/// Parts of robots can be changed only once they are there: "body.arm/link_1.mass=3".
bool is_about_robot(const std::string& override) {
  const std::vector<std::string> parts = split_path(override.substr(0, override.find('=')));
  return parts.size() > 2 && (parts[0] == "body" || parts[0] == "joint" || parts[0] == "contact") &&
         parts[1].find('/') != std::string::npos;
}

void change_robot(SceneSpec& scene, const std::string& override, ProblemList& problems) {
  const SourceLocation place{fmt::format("--set {}", override), 0, 0, 0};
  const std::optional<SceneChange> change = parse_scene_change(override);
  if (!change) return problems.add(place, "this is not path=value with a number, a word or a list of numbers");
  try {
    set(scene, change->path, change->value);
  } catch (const InputError& error) {
    problems.add(place, error.what());
  }
}

}  // namespace

SceneSpec read_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                          const MeshProgress& progress) {
  toml::table document = parse_toml(text, name);
  ReadContext context{name, {}};
  const bool has_robots = document.contains("robot");
  for (const std::string& item : overrides) {
    if (!has_robots || !is_about_robot(item)) apply_override(document, item, context.problems);
  }
  // The bodies of a scene may all be those of its robots.
  if (has_robots && !document.contains("body")) document.insert("body", toml::array());
  SceneSpec scene;
  SpecReader::read_spec(document, scene, "", context);
  const std::map<std::string, std::string> robots = expand_robots(scene, name, read_text_file, context.problems);
  for (const std::string& item : overrides) {
    if (has_robots && is_about_robot(item)) change_robot(scene, item, context.problems);
  }
  load_meshes(scene, name, context.problems, progress);
  std::vector<Problem> problems = context.problems.take();
  for (Problem& problem : validate(scene)) problems.push_back(std::move(problem));
  if (!problems.empty()) throw make_input_error(std::move(problems), text, robots);
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
