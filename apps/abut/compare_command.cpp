#include <algorithm>
#include <atomic>
#include <csignal>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "abut/base/error.hpp"
#include "abut/io/text_file.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/serve/page.hpp"
#include "abut/serve/run_info.hpp"
#include "abut/sim/advice.hpp"
#include "commands.hpp"
#include "load_scene.hpp"
#include "progress_bar.hpp"
#include "result_page.hpp"
#include "summary_text.hpp"
#include "tell.hpp"
#include "variant_run.hpp"
#include "variants.hpp"
#include "version.hpp"

namespace abut {

namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments {
  std::string scene;
  std::vector<std::string> set;
  std::vector<std::string> normal, friction, method;
  std::string out;
  int jobs = 0;
  bool json = false;
  bool quiet = false;
};

std::atomic<bool> stop_compare{false};

extern "C" void handle_compare_signal(int signal) {
  if (stop_compare.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

using Runs = std::vector<std::unique_ptr<VariantRun>>;

/// Longest step that every contact allows [s]; a thousandth of the run where nothing limits it.
double calc_step(const Model& model) {
  double step = model.scene.run.duration / 1000.0;
  for (const ContactAdvice& advice : make_contact_advice(model)) {
    if (advice.step_rk4 > 0.0) step = std::min(step, advice.step_rk4);
  }
  return step;
}

/// A combination that cannot be: a method that does not know the region, a law without its parameter.
struct RefusedVariant {
  std::string label, reason;
};

struct Prepared {
  Runs runs;
  std::vector<RefusedVariant> refused;
};

/// Compiles all before any is run. What is wrong with some of them is told and does not stop the others.
Prepared prepare(const Model& model, const VariantLists& lists, const std::string& path) {
  Prepared out;
  for (const Variant& variant : make_variants(model.scene, lists, calc_step(model), path)) {
    try {
      out.runs.push_back(std::make_unique<VariantRun>(variant.label, variant.scene, model));
    } catch (const InputError& error) {
      out.refused.push_back({variant.label, error.what()});
    }
  }
  if (out.runs.size() + out.refused.size() < 2) {
    throw InputError(
        "there is nothing to compare: give at least two names, e.g. --normal gonthier,hunt-crossley or "
        "--friction coulomb,bristle or --method adaptive,rk4.\nNothing was run.");
  }
  if (out.runs.empty())
    throw InputError(fmt::format("variant {}: {}\nNothing was run.", out.refused[0].label, out.refused[0].reason));
  return out;
}

void run_all(Runs& runs, int jobs, bool is_quiet) {
  std::signal(SIGINT, handle_compare_signal);
  std::signal(SIGTERM, handle_compare_signal);
  std::atomic<std::size_t> next{0}, finished{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;  // of the first run that could not be done
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        if (!stop_compare) runs[i]->run(stop_compare);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        stop_compare = true;
      }
      ++finished;
    }
  };
  const int wanted = jobs > 0 ? jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const std::size_t num_threads = std::min(runs.size(), static_cast<std::size_t>(wanted));
  const double total = static_cast<double>(runs.size()) * runs.front()->model().scene.run.duration;
  ProgressBar bar(total, is_quiet);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < num_threads; ++i) threads.emplace_back(work);
  while (finished < runs.size()) {
    double done = 0.0;
    for (const auto& run : runs) done += run->progress();
    bar.update(done / static_cast<double>(runs.size()) * total);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (std::thread& thread : threads) thread.join();
  bar.clear();
  if (failure) std::rethrow_exception(failure);
}

Json numbers_to_json(const VariantNumbers& numbers) {
  return {{"peak force [N]", numbers.peak_force},
          {"impulse [N s]", numbers.impulse},
          {"rest time [s]", numbers.rest_time ? Json(*numbers.rest_time) : Json()},
          {"energy lost [J]", numbers.energy_lost},
          {"steps", numbers.steps},
          {"wall time [s]", numbers.wall_time}};
}

std::string make_table(const Runs& runs) {
  std::size_t width = 7;
  for (const auto& run : runs) width = std::max(width, run->label().size());
  std::string text = fmt::format("  {:<{}}  {:>12} {:>13} {:>13} {:>15} {:>10} {:>13}\n", "variant", width,
                                 "peak force", "impulse", "at rest from", "energy lost", "steps", "wall time");
  for (const auto& run : runs) {
    const VariantNumbers& n = run->numbers();
    text += fmt::format("  {:<{}}  {:>10.5g} N {:>9.5g} N s {:>13} {:>13.5g} J {:>10} {:>11.3g} s\n", run->label(),
                        width, n.peak_force, n.impulse, n.rest_time ? fmt::format("{:.4g} s", *n.rest_time) : "moving",
                        n.energy_lost, n.steps, n.wall_time);
    if (run->summary().status != RunStatus::done)
      text += fmt::format("  {:<{}}  {}\n", "", width, run->summary().message);
  }
  return text;
}

std::string list_refused(const std::vector<RefusedVariant>& refused) {
  std::string text;
  for (const RefusedVariant& variant : refused)
    text += fmt::format("  {} was not run: {}\n", variant.label, variant.reason);
  return text;
}

std::string make_json(const Runs& runs, const std::vector<RefusedVariant>& refused, const std::string& name) {
  Json list = Json::array();
  for (const auto& run : runs) {
    const std::string summary = summary_to_json(run->summary(), run->model(), name, kVersion);
    list.push_back(
        {{"variant", run->label()}, {"numbers", numbers_to_json(run->numbers())}, {"summary", Json::parse(summary)}});
  }
  Json others = Json::array();
  for (const RefusedVariant& variant : refused)
    others.push_back({{"variant", variant.label}, {"reason", variant.reason}});
  return Json{{"name", name}, {"variants", list}, {"not_run", others}}.dump(2) + "\n";
}

std::string make_compare_page(Runs& runs, const std::vector<RefusedVariant>& refused, const std::string& name) {
  std::vector<PageRun> pages;
  for (const auto& run : runs) {
    run->columns().finish(summary_to_json(run->summary(), run->model(), name, kVersion));
    RunInfo info;
    info.name = name;
    info.description = fmt::format("{} \u00b7 {} variants", describe_model(name, runs.front()->model()), runs.size());
    info.variant = run->label();
    if (pages.empty()) {
      for (const RefusedVariant& variant : refused)
        info.warnings.push_back(fmt::format("variant {} was not run: {}", variant.label, variant.reason));
    }
    info.differences_json = numbers_to_json(run->numbers()).dump();
    const ResultFile& file = run->columns().file();
    pages.push_back(
        {make_run_info_json(info, file, &run->model()), make_fitting_chunk(file.columns, kPageDataSize / runs.size())});
  }
  return make_page(PageKind::compare, name, pages);
}

/// A step given for all goes to the methods that take one; the others could not be read with it. Returns what to tell.
std::string share_step(std::vector<std::string>& settings, std::vector<MethodChoice>& methods) {
  if (methods.empty()) return {};
  const std::string step = take_step(settings);
  if (step.empty()) return {};
  std::vector<std::string> users, others;
  for (MethodChoice& method : methods) {
    const bool takes_it = takes_step(method.name) && !method.has_step;
    if (takes_it) method.settings.push_back("run.step=" + step);
    (takes_it ? users : others).push_back(method.label);
  }
  if (users.empty()) {
    throw InputError(
        fmt::format("run.step={}: none of the methods {} takes it.\nNothing was run.", step, fmt::join(others, ", ")));
  }
  if (others.empty()) return {};
  return fmt::format("run.step = {} is for {}; not for {}", step, fmt::join(users, ", "), fmt::join(others, ", "));
}

int compare(const CompareArguments& arguments) {
  VariantLists lists{arguments.normal, arguments.friction, {}};
  for (const std::string& choice : split_choices(arguments.method)) lists.method.push_back(parse_method_choice(choice));
  std::vector<std::string> settings = arguments.set;
  const std::string note = share_step(settings, lists.method);
  const Model model = load_scene(arguments.scene, settings);
  auto [runs, refused] = prepare(model, lists, arguments.scene);
  require_page_bundle();
  const std::string name = std::filesystem::path(arguments.scene).stem().string();
  const std::filesystem::path folder =
      arguments.out.empty() ? std::filesystem::path("out") / (name + "-compare") : std::filesystem::path(arguments.out);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SystemError(fmt::format("{}: cannot create this folder: {}", folder.string(), error.message()));

  run_all(runs, arguments.jobs, arguments.quiet);
  if (stop_compare) {
    tell("interrupted; nothing was written.\n");
    return 2;
  }
  const std::string json = make_json(runs, refused, name);
  const bool shows_text = !arguments.quiet && !arguments.json;
  if (arguments.json) fmt::print("{}", json);
  if (shows_text)
    fmt::print("{} \u00b7 {} variants\n\n{}\n", name, runs.size(),
               make_table(runs) + list_refused(refused) + (note.empty() ? "" : fmt::format("  {}\n", note)));
  write_text_file_atomically((folder / "compare.json").string(), json);
  write_page((folder / "compare.html").string(), make_compare_page(runs, refused, name), !shows_text);
  const bool any_failed =
      std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run->summary().status != RunStatus::done; });
  return any_failed || !refused.empty() ? 2 : 0;
}

}  // namespace

void add_compare_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "run a scene under several laws and methods, side by side");
  command->add_option("scene", arguments->scene, "scene file (TOML)")->required();
  command->add_option("--normal", arguments->normal, "normal force laws, separated by commas")->delimiter(',');
  command->add_option("--friction", arguments->friction, "friction laws, separated by commas")->delimiter(',');
  command
      ->add_option("--method", arguments->method,
                   "methods or integrators, separated by commas; each may have settings: lcp:step=0.001:friction=cone")
      ->allow_extra_args(false);
  command->add_option("--set", arguments->set, "change a value of the scene (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "folder for compare.html and compare.json (default out/NAME-compare)");
  command->add_option("--jobs", arguments->jobs, "runs at a time (default: one for each core)")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--json", arguments->json, "print everything as JSON");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = compare(*arguments); });
}

}  // namespace abut
