#include "abut/io/scene_reader.hpp"

#include <cctype>
#include <functional>
#include <iterator>
#include <map>

#include "abut/base/error.hpp"
#include "abut/io/detail/load_meshes.hpp"
#include "abut/io/detail/load_series.hpp"
#include "abut/io/detail/scene_override.hpp"
#include "abut/io/detail/spec_reader.hpp"
#include "abut/io/problem_report.hpp"
#include "abut/io/robot/expand_robots.hpp"
#include "abut/io/text_file.hpp"
#include "abut/scene/scene_path.hpp"
#include "abut/scene/validate.hpp"

namespace abut {
namespace {

/// Tables in tables are followed by recursion, and a dotted key makes as many as it has parts.
constexpr int kMostKeyParts = 256;

void require_flat_keys(const std::string& text, const std::string& name) {
  int line = 1, column = 0, dots = 0;
  for (const char c : text) {
    ++column;
    const bool is_of_key = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ' ' ||
                           c == '\t' || c == '"' || c == '\'' || (static_cast<unsigned char>(c) & 0x80) != 0;
    dots = c == '.' ? dots + 1 : is_of_key ? dots : 0;
    if (dots > kMostKeyParts) {
      const Problem problem{{name, line, column, 1}, fmt::format("a key of more than {} parts", kMostKeyParts), ""};
      throw make_input_error({problem}, text);
    }
    if (c == '\n') ++line, column = 0;
  }
}

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

namespace {

SceneSpec read_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                    const std::function<void(SceneSpec& scene, ProblemList& problems)>& load) {
  require_flat_keys(text, name);
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
  load(scene, context.problems);
  std::vector<Problem> problems = context.problems.take();
  for (Problem& problem : validate(scene)) problems.push_back(std::move(problem));
  if (!problems.empty()) throw make_input_error(std::move(problems), text, robots);
  return scene;
}

}  // namespace

SceneSpec read_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                          const MeshProgress& progress) {
  return read_text(text, name, overrides, [&](SceneSpec& scene, ProblemList& problems) {
    load_meshes(scene, name, problems, progress);
    load_series(scene, name, problems);
  });
}

SceneSpec read_scene_text(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                          const std::vector<RecordedMesh>& meshes) {
  return read_text(text, name, overrides, [&](SceneSpec& scene, ProblemList& problems) {
    take_meshes(scene, meshes, problems);
    load_series(scene, name, problems);
  });
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
