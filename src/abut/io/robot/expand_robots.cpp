#include "abut/io/robot/expand_robots.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/robot/add_robot.hpp"
#include "abut/io/robot/read_urdf.hpp"
#include "abut/scene/check_fields.hpp"

namespace abut {
namespace {

void move_problems(std::vector<Problem> from, ProblemList& to) {
  for (Problem& problem : from)
    to.add(problem.where, std::move(problem.message), std::move(problem.hint), std::move(problem.found),
           std::move(problem.allowed));
}

std::string find_robot_file(const RobotSpec& robot, const std::string& scene_path) {
  return (std::filesystem::path(scene_path).parent_path() / robot.file).lexically_normal().string();
}

/// Nothing when the file cannot be read, which is then reported at the key that names it.
std::optional<std::string> read_robot_text(const RobotSpec& robot, const std::string& path, const ReadText& read_text,
                                           ProblemList& problems) {
  try {
    return read_text(path);
  } catch (const InvariantError&) {
    throw;
  } catch (const std::exception& error) {
    problems.add(robot.location_of("file"), fmt::format("{} in [[robot]]", error.what()));
    return std::nullopt;
  }
}

}  // namespace

std::map<std::string, std::string> expand_robots(SceneSpec& scene, const std::string& scene_path,
                                                 const ReadText& read_text, ProblemList& problems) {
  std::map<std::string, std::string> texts;
  const std::vector<RobotSpec> robots = std::exchange(scene.robot, {});
  ProblemList found;
  for (const RobotSpec& robot : robots) {
    ProblemList own;
    FieldChecker checker(scene, "", own);
    checker(std::vector<RobotSpec>{robot}, FieldInfo{.key = "robot"});
    const bool is_readable = !robot.file.empty() && !robot.is_unusable("file");
    std::vector<Problem> mistakes = own.take();
    const bool is_sound = mistakes.empty() && robot.unusable_keys.empty();
    move_problems(std::move(mistakes), found);
    if (!is_sound || !is_readable) {
      scene.unusable_keys.insert("body");
      continue;
    }
    const std::string path = find_robot_file(robot, scene_path);
    const std::optional<std::string> text = read_robot_text(robot, path, read_text, own);
    std::optional<RobotModel> model = text ? parse_urdf(*text, path, own) : std::nullopt;
    std::vector<Problem> wrong = own.take();
    if (text) texts[path] = *text;
    if (wrong.empty() && model) {
      add_robot(*std::move(model), robot, scene_path, scene, own);
      wrong = own.take();
    }
    if (!wrong.empty()) scene.unusable_keys.insert("body");
    move_problems(std::move(wrong), found);
  }
  move_problems(found.take(), problems);
  return texts;
}

}  // namespace abut
