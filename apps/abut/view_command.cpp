#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/serve/page_server.hpp"
#include "commands.hpp"
#include "load_scene.hpp"
#include "result_page.hpp"
#include "summary_text.hpp"
#include "version.hpp"

namespace abut {

namespace {

struct ViewArguments {
  std::string path;
  std::vector<std::string> set;
  std::string host = "127.0.0.1";
  int port = 8765;
  double speed = 1.0;
};

std::atomic<bool> end_wanted{false};

/// The first Ctrl-C ends the view with what it began, the second at once.
extern "C" void handle_view_signal(int signal) {
  if (end_wanted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

bool is_result(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path) || path.extension() == ".h5";
}

LiveSource make_source(const ViewArguments& arguments) {
  const Model model = load_scene(arguments.path, arguments.set);
  LiveSource source;
  source.name = std::filesystem::path(arguments.path).stem().string();
  source.path = arguments.path;
  source.version = kVersion;
  source.scene_text = scene_to_toml(model.scene);
  source.describe = [name = source.name](const Model& m) { return describe_model(name, m); };
  source.summarize = [name = source.name](const RunSummary& s, const Model& m) {
    return summary_to_json(s, m, name, kVersion);
  };
  return source;
}

/// Until Ctrl-C, or the end of the program that started this one.
int serve(const ViewArguments& arguments, const std::string& page, LiveRun* live) {
  std::signal(SIGINT, handle_view_signal);
  std::signal(SIGTERM, handle_view_signal);
  PageServer server(page, live);
  const int port = server.start(arguments.host, arguments.port);
  const bool is_six = arguments.host.find(':') != std::string::npos;
  fmt::print("look at  http://{}{}{}:{}{}   (Ctrl-C ends it)\n", is_six ? "[" : "", arguments.host, is_six ? "]" : "",
             port, server.path());
  std::fflush(stdout);
  while (!end_wanted) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (live != nullptr) live->shut_down();
  server.stop();
  return 0;
}

int view(const ViewArguments& arguments) {
  if (is_result(arguments.path)) {
    const ResultFile file = read_result_file(arguments.path);
    const std::string name = name_of_result(arguments.path);
    const std::string title = file.title.empty() ? name : file.title;
    return serve(arguments, make_page(PageKind::report, title, {make_page_run(file, name)}), nullptr);
  }
  LiveSource source = make_source(arguments);
  const std::string page = make_page(PageKind::live, source.name, {});
  LiveRun live(std::move(source), arguments.speed);
  return serve(arguments, page, &live);
}

}  // namespace

void add_view_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "serve the page of a scene while it runs, or of a result");
  command->add_option("path", arguments->path, "scene file (TOML), result.h5, or the folder it is in")->required();
  command->add_option("--set", arguments->set, "change a value of the scene (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--speed", arguments->speed, "simulated seconds for each second (default 1)")
      ->check(CLI::Range(1e-6, 1e6));
  command->add_option("--port", arguments->port, "port (default 8765; 0 takes a free one)")
      ->check(CLI::Range(0, 65535));
  command->add_option(
      "--host", arguments->host,
      "address to bind (default 127.0.0.1; any other lets other machines in that know the printed address)");
  command->callback([arguments, &status] { status = view(*arguments); });
}

}  // namespace abut
