#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace abut {

void add_validate_command(CLI::App&, int&) {}

}  // namespace abut
