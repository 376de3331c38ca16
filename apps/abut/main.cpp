#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "commands.hpp"
#include "version.hpp"

namespace {

/// Exit status of the command, the same for every subcommand.
enum ExitStatus { kDone = 0, kInputWrong = 1, kCouldNotGoOn = 2, kSystemError = 3 };

int report(const char* text, int status) {
  fmt::print(stderr, "{}\n", text);
  return status;
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
  CLI::App app{"abut: contact dynamics that can be trusted", "abut"};
  app.set_version_flag("--version", std::string("abut ") + abut::kVersion);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done, 1 the input is wrong and nothing was run, 2 the simulation could not go on (what was "
      "recorded\n"
      "is kept), 3 a file or system error. Start with: abut run examples/ball-on-incline.toml");
  int status = kDone;
  abut::add_run_command(app, status);
  abut::add_check_command(app, status);
  abut::add_validate_command(app, status);
  abut::add_models_command(app, status);
  abut::add_schema_command(app, status);
  try {
    app.parse(argc, argv);
    return flush_output(status);
  } catch (const CLI::Success& done) {
    return flush_output(app.exit(done));
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return kInputWrong;
  } catch (const abut::InputError& error) {
    return report(error.what(), kInputWrong);
  } catch (const abut::SystemError& error) {
    return report(error.what(), kSystemError);
  } catch (const std::bad_alloc&) {
    return report("abut: not enough memory", kSystemError);
  } catch (const std::exception& error) {
    return report(error.what(), kSystemError);
  }
}
