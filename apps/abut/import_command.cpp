#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/import_robot.hpp"
#include "abut/io/text_file.hpp"
#include "commands.hpp"
#include "mjcf/read_mjcf.hpp"

namespace abut {
namespace {

struct ImportArguments {
  RobotImport request;
  std::vector<double> position;
  std::string base = "fixed", collision = "hull";
  bool has_no_visual = false;
  bool is_quiet = false;
};

template <class Enum>
std::vector<std::string> list_words() {
  std::vector<std::string> words;
  for (const EnumName<Enum>& entry : EnumNames<Enum>::values) words.emplace_back(entry.name);
  return words;
}

/// The parser lets no other word through.
template <class Enum>
void set_word(Enum& value, const std::string& word) {
  for (const EnumName<Enum>& entry : EnumNames<Enum>::values) {
    if (word == entry.name) value = entry.value;
  }
}

/// Links of MJCF may touch each other, the ground among them, but for those at one joint; so may these.
ImportedRobot import_mjcf(RobotImport request, const std::string& text) {
  if (request.as_link)
    throw InputError(
        fmt::format("{}: --link is for URDF; MJCF is written out\nNothing was written.", request.robot.file));
  const MjcfRobot read = read_mjcf(request.robot.file, text);
  request.robot.self_contact = true;
  return import_robot(request, read.robot, read.gravity);
}

int import_robot_file(ImportArguments& arguments) {
  RobotImport& request = arguments.request;
  if (arguments.position.size() == 3)
    request.robot.position = Vec3(arguments.position[0], arguments.position[1], arguments.position[2]);
  request.robot.visual = !arguments.has_no_visual;
  set_word(request.robot.base, arguments.base);
  set_word(request.robot.collision, arguments.collision);
  const bool to_screen = request.out.empty();
  if (to_screen) request.out = "scene.toml";  // beside it the names of files are found
  const std::string text = read_text_file(request.robot.file);
  const ImportedRobot imported = is_mjcf(text) ? import_mjcf(request, text) : import_robot(request);
  if (to_screen) {
    fmt::print("{}", imported.text);
    return 0;
  }
  write_text_file_atomically(request.out, imported.text);
  if (arguments.is_quiet) return 0;
  for (const std::string& note : imported.notes) fmt::print("note     {}\n", note);
  fmt::print("written  {}: {} bodies, {} joints        run it: abut run {}\n", request.out, imported.num_bodies,
             imported.num_joints, request.out);
  return 0;
}

}  // namespace

void add_import_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ImportArguments>();
  RobotImport& request = arguments->request;
  RobotSpec& robot = request.robot;
  CLI::App* command = app.add_subcommand("import", "make a scene of a robot (URDF, MJCF)");
  command->footer(
      "The scene is complete: it has a run of one second, gravity and the robot, whose bodies and joints are called\n"
      "ROBOT/LINK and ROBOT/JOINT. What has no place in a scene is told, with lines, and stands as comments on its "
      "top.\n"
      "A scene may also hold [[robot]] file = \"arm.urdf\", with the same keys (docs/robots.md).");
  command->add_option("robot", robot.file, "URDF file; or MJCF, where abut was built with libmujoco")->required();
  command->add_option("-o,--out", request.out, "scene to write (default: to the screen)");
  command->add_option("--name", robot.name, "goes before the names of links and joints (default: that of the file)");
  command->add_option("--package", robot.packages, "NAME=FOLDER: where package://NAME/ is; may be given several times")
      ->allow_extra_args(false);
  command->add_option("--base", arguments->base, "the root link is held (default), or moves freely")
      ->check(CLI::IsMember(list_words<RobotSpec::Base>()));
  command->add_option("--position", arguments->position, "x y z of the root link [m]")->expected(3);
  command->add_option("--scale", robot.scale, "metres for each unit of length of the file")->check(CLI::PositiveNumber);
  command
      ->add_option("--collision", arguments->collision,
                   "convex hulls of collision meshes (default), the meshes themselves, or no collision shapes")
      ->check(CLI::IsMember(list_words<RobotSpec::Collision>()));
  command->add_flag("--no-visual", arguments->has_no_visual, "leave out what is only drawn");
  command->add_flag("--self-contact", robot.self_contact, "links of the robot may touch each other");
  command->add_flag("--repair", robot.repair, "replace masses and inertias that no body can have, and say so");
  command->add_option("--duration", request.duration, "of the run [s]")->check(CLI::PositiveNumber);
  command->add_flag("--link", request.as_link, "write a [[robot]] that names the file, not its bodies and joints");
  command->add_flag("--quiet", arguments->is_quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = import_robot_file(*arguments); });
}

}  // namespace abut
