#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "commands.hpp"
#include "tell.hpp"
#include "version.hpp"

namespace {

/// Exit status of the command, the same for every subcommand.
enum ExitStatus { kDone = 0, kInputWrong = 1, kCouldNotGoOn = 2, kSystemError = 3 };

int report(const char* text, int status) {
  abut::tell("{}\n", text);
  return status;
}

/// A file that is opened must not get the number of a closed output: what is printed would go into it. What is put
/// there refuses to be used, as a closed one does.
void hold_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) return;
  }
}

std::string suggest(const std::string& word, const std::vector<std::string>& allowed) {
  const std::string nearest = abut::nearest_spelling(word, allowed);
  return nearest.empty() ? "" : fmt::format(" Did you mean '{}'?", nearest);
}

std::vector<std::string> list_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> list_options(const CLI::App& app) {
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  return options;
}

/// The reason of the parser, with the nearest valid spelling where a word is unknown.
std::string describe_mistake(const CLI::App& app, const CLI::ParseError& error, const std::string& first) {
  const std::vector<std::string> commands = list_commands(app);
  const bool is_command = std::find(commands.begin(), commands.end(), first) != commands.end();
  const std::vector<std::string> known = list_options(app);
  if (!is_command && first.starts_with("--") && std::find(known.begin(), known.end(), first) == known.end())
    return fmt::format("'{}' was not expected.{}\nSee abut --help.", first, suggest(first, known));
  if (!is_command && (first.empty() || first[0] != '-')) {
    return fmt::format("{}{}\nCommands: {}. See abut --help.",
                       first.empty() ? "a command is missing." : fmt::format("there is no command '{}'.", first),
                       suggest(first, commands), fmt::join(commands, ", "));
  }
  const std::string help = fmt::format("See abut {}--help.", is_command ? first + " " : "");
  const bool has_extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::vector<std::string> extras = has_extras ? app.remaining(true) : std::vector<std::string>();
  if (extras.empty()) return fmt::format("{}\n{}", error.what(), help);
  const std::vector<std::string> options = list_options(is_command ? *app.get_subcommand(first) : app);
  return fmt::format("'{}' was not expected.{}\n{}", extras.front(), suggest(extras.front(), options), help);
}

/// What is printed counts as done only when it has arrived: a full disk shows at the last flush.
int flush_output(int status) {
  if (std::fflush(stdout) == 0) return status;
  return report(fmt::format("standard output cannot be written: {}", std::strerror(errno)).c_str(), kSystemError);
}

}  // namespace

int main(int argc, char** argv) {
  // A file that grows past the limit of the shell is then refused like one on a full disk, not by a signal.
  std::signal(SIGXFSZ, SIG_IGN);
  // Nor does a reader that goes away (| head) end it without a word.
  std::signal(SIGPIPE, SIG_IGN);
  hold_standard_descriptors();
  CLI::App app{"abut: contact dynamics that can be trusted", "abut"};
  app.set_version_flag("--version", std::string("abut ") + abut::kVersion);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done, 1 the input is wrong and nothing was run, 2 the simulation could not go on (what was "
      "recorded\n"
      "is kept), 3 a file or system error. Start with: abut run examples/ball-on-incline.toml");
  int status = kDone;
  abut::add_run_command(app, status);
  abut::add_rerun_command(app, status);
  abut::add_check_command(app, status);
  abut::add_validate_command(app, status);
  abut::add_models_command(app, status);
  abut::add_schema_command(app, status);
  abut::add_report_command(app, status);
  abut::add_view_command(app, status);
  abut::add_compare_command(app, status);
  abut::add_import_command(app, status);
  abut::add_export_fmu_command(app, status);
  abut::add_audit_command(app, status);
  abut::add_gains_command(app, status);
  try {
    app.parse(argc, argv);
    return flush_output(status);
  } catch (const CLI::Success& done) {
    return flush_output(app.exit(done));
  } catch (const CLI::ParseError& error) {
    return report(describe_mistake(app, error, argc > 1 ? argv[1] : "").c_str(), kInputWrong);
  } catch (const abut::InputError& error) {
    return report(error.what(), kInputWrong);
  } catch (const abut::SystemError& error) {
    return report(error.what(), kSystemError);
  } catch (const abut::InvariantError& error) {
    report(error.what(), 0);
    std::abort();
  } catch (const std::bad_alloc&) {
    return report("abut: not enough memory", kSystemError);
  } catch (const std::exception& error) {
    return report(error.what(), kSystemError);
  }
}
