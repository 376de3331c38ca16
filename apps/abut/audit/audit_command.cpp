#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_reader.hpp"
#include "abut/io/text_file.hpp"
#include "audit/audit.hpp"
#include "commands.hpp"
#include "load_scene.hpp"
#include "result_page.hpp"
#include "version.hpp"

namespace abut {

namespace {

struct AuditArguments {
  std::string scene, trajectory, forces, html;
  std::vector<std::string> set, columns;
  bool is_spin_in_body_axes = false, json = false, quiet = false;
};

int audit(const AuditArguments& arguments) {
  TrajectoryOptions options;
  options.is_spin_in_body_axes = arguments.is_spin_in_body_axes;
  for (const std::string& column : arguments.columns) options.columns.push_back(parse_column_name(column));
  const SceneSpec scene = load_scene(arguments.scene, arguments.set, arguments.quiet || arguments.json).scene;
  Trajectory trajectory = read_trajectory(arguments.trajectory, scene, options);
  if (!arguments.forces.empty()) read_forces(arguments.forces, scene, options, trajectory);
  const std::string name = std::filesystem::path(arguments.trajectory).filename().string() + " under " +
                           std::filesystem::path(arguments.scene).filename().string();
  const Audit result = make_audit(scene, trajectory, name);
  if (arguments.json) fmt::print("{}", audit_to_json(result, kVersion));
  const bool shows_text = !arguments.json && !arguments.quiet;
  if (shows_text) fmt::print("{}", audit_to_text(result));
  if (!arguments.html.empty()) write_page(arguments.html, audit_to_html(result), !shows_text);
  return 0;
}

}  // namespace

void add_audit_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<AuditArguments>();
  CLI::App* command = app.add_subcommand("audit", "say what another simulator made of contact, from its trajectory");
  command->add_option("scene", arguments->scene, "scene file (TOML): bodies, masses, shapes, and the laws asked for")
      ->required();
  command->add_option("trajectory", arguments->trajectory, "CSV of poses, of every body but those that are fixed")
      ->required();
  command->add_option("--forces", arguments->forces, "CSV of contact forces at the same instants");
  command->add_option("--column", arguments->columns, "what a column is called there: position_x=px (may be repeated)")
      ->allow_extra_args(false);
  command->add_flag("--spin-in-body-axes", arguments->is_spin_in_body_axes,
                    "angular velocities are in the axes of the body, as in qvel of MuJoCo");
  command->add_option("--set", arguments->set, "change a value of the scene (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--html", arguments->html, "also write a page");
  command->add_flag("--json", arguments->json, "print everything as JSON");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = audit(*arguments); });
}

}  // namespace abut
