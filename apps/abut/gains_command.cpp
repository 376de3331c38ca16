#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/base/spelling.hpp"
#include "abut/io/text_file.hpp"
#include "commands.hpp"
#include "gain_study.hpp"
#include "load_scene.hpp"
#include "progress_bar.hpp"

namespace abut {

namespace {

struct GainArguments {
  std::string scene, controller, out, duration, threads;
  std::vector<std::string> set, vary;
  bool quiet = false;
};

std::atomic<bool> stop_wanted{false};

extern "C" void handle_gains_signal(int) { stop_wanted = true; }

const ControllerSpec& find_controller(const Model& model, const std::string& name) {
  const std::vector<ControllerSpec>& all = model.scene.controller;
  if (all.empty()) throw InputError("the scene has no [[controller]].\nNothing was run.");
  if (name.empty() && all.size() == 1) return all[0];
  std::vector<std::string> names;
  for (const ControllerSpec& controller : all) {
    if (controller.name == name) return controller;
    names.push_back(controller.name);
  }
  if (name.empty())
    throw InputError(
        fmt::format("the scene has {} controllers: say which by --controller.\nNothing was run.", all.size()));
  const std::string nearest = nearest_spelling(name, names);
  throw InputError(fmt::format("there is no controller '{}'{}.\nNothing was run.", name,
                               nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

/// For each combination of the other values, from where on the first one is stable.
void print_findings(const std::vector<GainAxis>& axes, const std::vector<GainResult>& results) {
  const std::size_t stride = results.size() / axes[0].values.size();
  for (std::size_t k = 0; k < stride; ++k) {
    std::vector<double> stable;
    std::string others;
    for (std::size_t i = 0; i < axes[0].values.size(); ++i) {
      const GainResult& result = results[i * stride + k];
      if (result.verdict == GainVerdict::stable) stable.push_back(axes[0].values[i]);
      if (i > 0) continue;
      for (std::size_t a = 1; a < axes.size(); ++a)
        others += fmt::format("{}{} = {:.4g}", a == 1 ? " at " : ", ", axes[a].key, result.values[a]);
    }
    if (stable.empty()) {
      fmt::print("none     no {} is stable{}\n", axes[0].key, others);
      continue;
    }
    const auto [least, most] = std::minmax_element(stable.begin(), stable.end());
    const auto inside = std::count_if(axes[0].values.begin(), axes[0].values.end(),
                                      [&](double value) { return value >= *least && value <= *most; });
    fmt::print("stable   {} from {:.4g} to {:.4g}{}{}\n", axes[0].key, *least, *most, others,
               static_cast<std::size_t>(inside) == stable.size() ? "" : " (with gaps)");
  }
}

int run(const GainArguments& arguments) {
  std::vector<std::string> overrides = arguments.set;
  if (!arguments.duration.empty()) overrides.push_back("run.duration=" + arguments.duration);
  const Model model = load_scene(arguments.scene, overrides, arguments.quiet);
  const ControllerSpec& controller = find_controller(model, arguments.controller);
  if (arguments.vary.empty())
    throw InputError("say what to vary, for example --vary b=1e3:1e5:9 --vary kv=10:100:5.\nNothing was run.");
  std::vector<GainAxis> axes;
  std::size_t count = 1;
  for (const std::string& text : arguments.vary) {
    axes.push_back(parse_gain_axis(text, model.scene, controller));
    count *= axes.back().values.size();
  }
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  if (!arguments.threads.empty()) threads = std::max(1, std::stoi(arguments.threads));
  const std::filesystem::path folder =
      arguments.out.empty()
          ? std::filesystem::path("out") / (std::filesystem::path(arguments.scene).stem().string() + "-gains")
          : std::filesystem::path(arguments.out);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw SystemError(
        fmt::format("{}: cannot create this folder: {}\nNothing was run.", folder.string(), error.message()));
  std::signal(SIGINT, handle_gains_signal);
  std::signal(SIGTERM, handle_gains_signal);
  ProgressBar bar(static_cast<double>(count), arguments.quiet);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<GainResult> results = study_gains(model, controller, axes, threads, stop_wanted,
                                                      [&](std::size_t done) { bar.update(static_cast<double>(done)); });
  bar.clear();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_text_file_atomically((folder / "gains.csv").string(), gains_to_csv(axes, results));
  const std::string title = fmt::format("{}: gains of '{}'", model.scene.title, controller.name);
  write_text_file_atomically((folder / "gains.svg").string(), make_svg(title, make_gain_panels(axes, results)));
  if (!arguments.quiet) {
    int counts[4] = {0, 0, 0, 0};
    for (const GainResult& result : results) ++counts[static_cast<int>(result.verdict)];
    print_findings(axes, results);
    fmt::print(
        "gains    {} runs of {:.4g} s in {:.3g} s on {} threads: {} stable, {} ringing, {} unstable, {} never "
        "touched\nwritten  {}/gains.csv \u00b7 gains.svg\n",
        count, model.scene.run.duration, wall, threads, counts[0], counts[1], counts[2], counts[3], folder.string());
  }
  if (!stop_wanted) return 0;
  fmt::print(stderr, "interrupted: runs that were not made have no verdict.\n");
  return 2;
}

}  // namespace

void add_gains_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<GainArguments>();
  CLI::App* command = app.add_subcommand("gains", "which gains of a controller of forces are stable");
  command->add_option("scene", arguments->scene, "scene file (TOML)")->required();
  command->add_option("--controller", arguments->controller, "name of the controller, where there are several");
  command
      ->add_option("--vary", arguments->vary,
                   "KEY=FROM:TO:COUNT, KEY=A,B or KEY=A, a key of the controller or a path (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--set", arguments->set, "change a value of the scene (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--duration", arguments->duration, "run.duration of the scene [s]");
  command->add_option("--threads", arguments->threads, "runs at a time; the result does not depend on it");
  command->add_option("--out", arguments->out, "folder for gains.csv and gains.svg (default out/NAME-gains)");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace abut
