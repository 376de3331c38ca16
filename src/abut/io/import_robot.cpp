#include "abut/io/import_robot.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/robot/add_robot.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/io/text_file.hpp"
#include "abut/scene/validate.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

/// From the folder of the scene; absolute where there is no way between them.
std::string make_relative(const std::string& path, const std::string& scene) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  const fs::path folder = fs::absolute(scene, error).lexically_normal().parent_path();
  const fs::path relative = fs::path(path).is_absolute() ? absolute : absolute.lexically_relative(folder);
  return relative.empty() ? absolute.string() : relative.string();
}

/// A word about a file must not end the comment it stands in.
std::string make_comment(const std::string& text) {
  std::string comment = "# ";
  for (const char c : text) {
    if (c == '\n') {
      comment += "\n# ";
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
      comment += c;
    }
  }
  return comment + "\n";
}

ImportedRobot make_imported(const SceneSpec& scene, const std::string& file) {
  ImportedRobot imported;
  imported.notes = scene.notes;
  imported.num_bodies = scene.body.size();
  imported.num_joints = scene.joint.size();
  imported.text = make_comment(fmt::format("Made by abut from {}.", file));
  for (const std::string& note : imported.notes) imported.text += make_comment(note);
  imported.text += "\n";
  return imported;
}

}  // namespace

ImportedRobot import_robot(const RobotImport& request, const RobotModel& robot, const Vec3& gravity) {
  SceneSpec scene;
  scene.run.duration = request.duration;
  scene.gravity = gravity;
  scene.title = request.robot.name.empty() ? robot.name : request.robot.name;
  ProblemList problems;
  add_robot(robot, request.robot, request.out, scene, problems);
  std::vector<Problem> found = problems.take();
  if (found.empty()) found = validate(scene);
  if (!found.empty()) throw to_input_error(found);
  ImportedRobot imported = make_imported(scene, make_relative(request.robot.file, request.out));
  imported.text += scene_to_toml(scene);
  return imported;
}

ImportedRobot import_robot(const RobotImport& request) {
  read_text_file(request.robot.file);  // its own words, when there is none
  SceneSpec scene;
  scene.run.duration = request.duration;
  RobotSpec& robot = scene.robot.emplace_back(request.robot);
  robot.file = make_relative(request.robot.file, request.out);
  for (std::string& entry : robot.packages) {
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == entry.size())
      throw InputError(fmt::format("--package {}: it is written NAME=FOLDER\nNothing was written.", entry));
    entry = entry.substr(0, equals + 1) + make_relative(entry.substr(equals + 1), request.out);
  }
  scene.title = robot.name.empty() ? fs::path(robot.file).stem().string() : robot.name;
  const std::string linked = scene_to_toml(scene);
  const SceneSpec expanded = read_scene_text(linked, request.out);
  ImportedRobot imported = make_imported(expanded, robot.file);
  imported.text += request.as_link ? linked : scene_to_toml(expanded);
  return imported;
}

}  // namespace abut
