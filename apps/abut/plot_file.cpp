#include "plot_file.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "abut/base/error.hpp"
#include "abut/io/text_file.hpp"
#include "abut/serve/svg_plot.hpp"

extern "C" char** environ;

namespace abut {

namespace {

/// -1 when the program is not there.
int run_program(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

void convert_to_png(const std::string& svg, const std::string& png) {
  const int status = run_program({"rsvg-convert", "--zoom=2", "--format=png", "--output=" + png, svg});
  std::error_code ignored;
  std::filesystem::remove(svg, ignored);
  if (status == 0) return;
  throw SystemError(status < 0 || status == 127
                        ? fmt::format("{}: a PNG needs rsvg-convert (Debian: apt-get install librsvg2-bin "
                                      "fonts-dejavu-core); an SVG needs nothing: --plot {}",
                                      png, std::filesystem::path(png).replace_extension(".svg").string())
                        : fmt::format("{}: rsvg-convert could not write it (exit status {})", png, status));
}

}  // namespace

void require_plot_name(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".svg" || extension == ".png") return;
  throw InputError(fmt::format("--plot {}: the name must end in .svg or .png.\nNothing was run.", path));
}

void write_plot(const std::string& path, const ResultFile& file, const std::string& title) {
  const std::string svg = make_svg(title, make_result_panels(file));
  if (std::filesystem::path(path).extension() == ".svg") return write_text_file_atomically(path, svg);
  const std::string between = path + ".svg";
  write_text_file_atomically(between, svg);
  convert_to_png(between, path);
}

}  // namespace abut
