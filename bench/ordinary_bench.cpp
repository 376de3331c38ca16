// Scenes of every day at the defaults of the adaptive method: processor time on one core, beside the same work of a
// baseline (a heap of balls at fixed steps) in the same run, and how well the ledger closes on the way.
//
//   ordinary_bench [WORD]     only the scenes whose name holds the word
//
// A scene that has not ended after thirty times what it should take is given up and shown with the time it reached.

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "abut/io/scene_reader.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "bench_tools.hpp"
#include "ordinary_scenes.hpp"

namespace {

using namespace abut;

/// Processor time of 10,000 steps of 27 balls in a box [s]: what this machine does in a unit of work.
double calc_baseline() {
  std::string text =
      "[run]\nduration = 1.0\nmethod = \"explicit\"\nstep = 1e-4\nthreads = 1\nrecord_interval = 1.0\n"
      "[[body]]\nname = \"floor\"\nfixed = true\nshape = { type = \"half-space\", normal = [0, 0, 1] }\n"
      "[contact_default]\nnormal = { law = \"gonthier\", stiffness = 1e6, restitution = 0.5 }\n";
  for (int i = 0; i < 27; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"ball{}\"\nmass = 1.0\nshape = {{ type = \"sphere\", radius = 0.05 }}\n"
        "position = [{}, {}, {}]\n",
        i, 0.11 * (i % 3), 0.11 * (i / 3 % 3), 0.06 + 0.11 * (i / 9));
  }
  const Model model = compile(read_scene_text(text, "baseline"));
  NullSink sink;
  return calc_cpu_time([&] { simulate(model, sink); });
}

void run_scene(const OrdinaryScene& scene, double baseline) {
  SceneSpec spec = read_scene_text(scene.text, scene.name);
  spec.run.threads = 1;
  const Model model = compile(spec);
  NullSink sink;
  std::atomic<bool> stop = false, has_ended = false;
  std::thread watch([&] {
    // Processor time of all threads, of which this one takes next to none.
    const auto limit = std::clock() + static_cast<std::clock_t>(30.0 * scene.target_s * CLOCKS_PER_SEC);
    while (!has_ended && std::clock() < limit) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  RunSummary summary;
  RunOptions options;
  options.stop = &stop;
  const double time = calc_cpu_time([&] { summary = simulate(model, sink, options); });
  has_ended = true;
  watch.join();
  const std::string verdict =
      summary.status != RunStatus::done
          ? fmt::format("{} at {:.3g} s", summary.message.empty() ? "given up" : summary.message, summary.time_reached)
      : time <= scene.target_s ? "met"
                               : "late";
  fmt::print("{:<28} {:>9.3g} {:>9.3g} {:>9.3g} {:>9.2g} {:>9.1e} {:>8} {:>9}  {}\n", scene.name, spec.run.duration,
             time, scene.target_s, time / baseline,
             std::abs(summary.worst_residual) / std::max(summary.energy_turnover, 1e-300), summary.work.accepted,
             summary.work.contact_evaluations, verdict);
  for (const std::string& note : summary.notes) fmt::print("    note: {}\n", note);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "";
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("abut-ordinary-{}", std::rand());
  std::filesystem::create_directories(folder);
  const double baseline = calc_baseline();
  fmt::print("baseline: {:.3g} s of processor time (27 balls, 10,000 steps of rk4)\n\n", baseline);
  fmt::print("{:<28} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8} {:>9}\n", "scene", "simulated", "cpu [s]", "bar [s]",
             "baselines", "residual", "steps", "looks");
  for (const OrdinaryScene& scene : make_ordinary_scenes(folder.string())) {
    if (scene.name.find(wanted) != std::string::npos) run_scene(scene, baseline);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
