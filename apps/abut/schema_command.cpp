#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/io/scene_reference.hpp"
#include "abut/io/scene_schema.hpp"
#include "commands.hpp"

namespace abut {

void add_schema_command(CLI::App& app, int& status) {
  auto as_markdown = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("schema", "JSON Schema of a scene");
  command->add_flag("--markdown", *as_markdown, "every key as Markdown tables instead");
  command->callback([as_markdown, &status] {
    fmt::print("{}\n", *as_markdown ? make_scene_reference() : make_scene_schema());
    status = 0;
  });
}

}  // namespace abut
