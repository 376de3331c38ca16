#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/async_sink.hpp"
#include "abut/io/checkpoint_file.hpp"
#include "abut/io/csv_recorder.hpp"
#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/multi_sink.hpp"
#include "abut/io/result_file.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/io/text_file.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/scene/null_sink.hpp"
#include "abut/sim/run.hpp"
#include "abut/sim/simulate.hpp"
#include "commands.hpp"
#include "duration_text.hpp"
#include "load_record.hpp"
#include "load_scene.hpp"
#include "plot_file.hpp"
#include "progress_bar.hpp"
#include "stop_signals.hpp"
#include "summary_text.hpp"
#include "tell.hpp"
#include "version.hpp"

namespace abut {

namespace {

struct RunArguments {
  std::string scene;
  std::string out;
  std::vector<std::string> set;
  std::string method;
  std::string duration;
  std::string threads;
  std::string plot;
  bool csv = false;
  bool json = false;
  bool quiet = false;
  bool realtime = false;
  std::string checkpoint;  ///< interval
  bool drops_scratch = false;
  std::string resume;  ///< folder of the run to go on with
};

std::vector<std::string> make_overrides(const RunArguments& arguments) {
  std::vector<std::string> overrides = arguments.set;
  if (!arguments.method.empty()) overrides.push_back("run.method=" + arguments.method);
  if (!arguments.duration.empty()) overrides.push_back("run.duration=" + arguments.duration);
  if (!arguments.threads.empty()) overrides.push_back("run.threads=" + arguments.threads);
  return overrides;
}

std::filesystem::path make_out_folder(const RunArguments& arguments, const std::string& name) {
  std::filesystem::path folder =
      arguments.out.empty() ? std::filesystem::path("out") / name : std::filesystem::path(arguments.out);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw SystemError(
        fmt::format("{}: cannot create this folder: {}\nNothing was run.", folder.string(), error.message()));
  return folder;
}

constexpr const char* kCheckpointName = "checkpoint.bin";
/// Between two checkpoints, where none is asked for [s].
constexpr double kUsualInterval = 60.0;

/// A run that goes on does so as it began: only how far may be said anew.
void check_resume(const RunArguments& arguments) {
  if (arguments.resume.empty()) {
    if (arguments.scene.empty())
      throw InputError("run needs a scene file, or --resume with the folder of a run.\nNothing was run.");
    return;
  }
  const bool is_changed = !arguments.scene.empty() || !arguments.out.empty() || !arguments.set.empty() ||
                          !arguments.method.empty() || !arguments.threads.empty() || arguments.csv ||
                          arguments.realtime;
  if (is_changed)
    throw InputError(
        "--resume goes on with a run as it began, in its folder: of the other options only --duration, --checkpoint, "
        "--plot, --json and --quiet go with it.\nNothing was run.");
}

/// Of a scene file, of a record that is to be run again, or of one that is to be gone on with.
Model load_model(const RunArguments& arguments) {
  const std::string record = !arguments.resume.empty()         ? arguments.resume
                             : is_result_path(arguments.scene) ? arguments.scene
                                                               : "";
  if (record.empty()) return load_scene(arguments.scene, make_overrides(arguments), arguments.quiet);
  return load_record(read_result_file(record), make_overrides(arguments));
}

/// What a run leaves beside its record.
constexpr const char* kCompanions[] = {"summary.json", "body.csv",   "joint.csv",   "contact.csv",
                                       "event.csv",    "energy.csv", "report.html", kCheckpointName};

/// What an earlier run has left must not lie beside the record of this one.
void remove_companions(const std::filesystem::path& folder, bool is_resumed, bool has_csv) {
  std::error_code ignored;
  for (const std::string name : kCompanions) {
    const bool is_kept = (is_resumed && name == kCheckpointName) || (has_csv && name.ends_with(".csv"));
    if (!is_kept) std::filesystem::remove(folder / name, ignored);
  }
}

constexpr const char* kPlainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";

/// Words of the command that started this process; nothing where the system does not tell.
std::vector<std::string> read_own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

/// As a shell takes it back.
std::string quote_command() {
  std::string text;
  for (const std::string& word : read_own_arguments()) {
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlainLetters) == std::string::npos;
    if (!text.empty()) text += ' ';
    if (is_plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    text += '\'';
  }
  return text;
}

/// What the record is gone on with must be sound before the first of its rows is dropped.
void check_saved_run(const Model& model, const CheckpointFile& checkpoint, const std::string& folder) {
  RunOptions options;
  options.resume_from = checkpoint.run;
  NullSink nobody;
  double time = 0.0;
  try {
    time = Run(model, nobody, options).time();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}/{}: {}.\nNothing was run.", folder, kCheckpointName, error.what()));
  }
  if (time <= model.scene.run.duration) return;
  throw InputError(
      fmt::format("{}: the run was saved at {:.9g} s, and is to end at {:.9g} s: give a longer --duration.\n"
                  "Nothing was run.",
                  folder, time, model.scene.run.duration));
}

/// "out/stack" and "out/stack/" are called stack.
std::string find_run_name(const RunArguments& arguments) {
  if (arguments.resume.empty()) return std::filesystem::path(arguments.scene).stem().string();
  const std::filesystem::path folder = std::filesystem::absolute(arguments.resume).lexically_normal();
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

int run(const RunArguments& arguments) {
  if (!arguments.plot.empty()) require_plot_name(arguments.plot);
  check_resume(arguments);
  const bool is_resumed = !arguments.resume.empty();
  // Saving takes longer than a step: not while keeping pace with the clock.
  const double interval = !arguments.checkpoint.empty() ? parse_duration("--checkpoint", arguments.checkpoint)
                          : arguments.realtime          ? 0.0
                                                        : kUsualInterval;
  if (interval > 0.0 && arguments.realtime)
    throw InputError("--checkpoint would hold up a run that keeps pace with the clock.\nNothing was run.");
  CheckpointFile checkpoint;
  if (is_resumed)
    checkpoint = read_checkpoint_file((std::filesystem::path(arguments.resume) / kCheckpointName).string());
  const Model model = load_model(arguments);
  if (arguments.realtime) require_fixed_steps(model);
  if (is_resumed) {
    check_saved_run(model, checkpoint, arguments.resume);
    CsvRecorder::require_files(arguments.resume, checkpoint.csv_sizes);
  }
  const bool has_csv = arguments.csv || !checkpoint.csv_sizes.empty();
  const std::string name = find_run_name(arguments);
  const std::filesystem::path folder =
      is_resumed ? std::filesystem::path(arguments.resume) : make_out_folder(arguments, name);

  MultiSink sink;
  const std::filesystem::path result = folder / "result.h5";
  auto owned_recorder = std::make_unique<Hdf5Recorder>(result.string());
  Hdf5Recorder& recorder = *owned_recorder;
  recorder.set_command(quote_command());
  if (is_resumed) recorder.resume_after(checkpoint.rows);
  sink.add(std::move(owned_recorder));
  CsvRecorder* csv = nullptr;
  if (has_csv) {
    auto owned_csv = std::make_unique<CsvRecorder>(folder.string());
    csv = owned_csv.get();
    if (is_resumed) csv->resume_after(checkpoint.csv_sizes);
    sink.add(std::move(owned_csv));
  }
  // The clock does not wait for the disk.
  AsyncSink async(sink);
  RecordSink& record = arguments.realtime ? static_cast<RecordSink&>(async) : sink;

  const bool shows_text = !arguments.quiet && !arguments.json;
  if (shows_text) fmt::print("{}\n", describe_model(name, model));
  std::fflush(stdout);
  ProgressBar bar(model.scene.run.duration, arguments.quiet);
  RunOptions options;
  options.on_progress = [&, looks_at_tables = csv != nullptr && !arguments.realtime](double time) {
    bar.update(time);
    if (looks_at_tables) csv->flush_when_due();
  };
  options.on_notice = [&bar, &arguments](const std::string& text) {
    bar.clear();
    if (!arguments.quiet) tell("note     {}.\n", text);
  };
  options.stop = &watch_stop_signals();
  options.is_realtime = arguments.realtime;
  options.drops_scratch = arguments.drops_scratch;
  options.resume_from = checkpoint.run;
  options.checkpoint_interval = interval;
  options.on_checkpoint = [&](const Bytes& saved) {
    CheckpointFile file{recorder.count_rows(), csv != nullptr ? csv->count_bytes() : CsvRecorder::Sizes{}, saved};
    try {
      write_checkpoint_file((folder / kCheckpointName).string(), file);
    } catch (const SystemError& error) {
      if (!arguments.checkpoint.empty()) throw;
      // Nobody has asked for it, and the record goes on.
      options.on_notice(fmt::format("the run cannot be saved: {}", error.what()));
    }
  };

  // First the record, which refuses a second run in the same folder.
  record.begin(make_record_layout(model, scene_to_toml(model.scene), kVersion));
  remove_companions(folder, is_resumed, has_csv);
  const RunSummary summary = simulate(model, record, options);
  bar.clear();
  const std::string json = summary_to_json(summary, model, name, kVersion);
  if (summary.realtime) record.realtime(*summary.realtime);
  record.finish(json);
  write_text_file_atomically((folder / "summary.json").string(), json);
  // One that nobody has asked for is of no use behind the end. From that of a run that was gone on with it can be made
  // longer once more.
  std::error_code ignored;
  if (arguments.checkpoint.empty() && !is_resumed && summary.status == RunStatus::done)
    std::filesystem::remove(folder / kCheckpointName, ignored);

  if (!arguments.plot.empty())
    write_plot(arguments.plot, read_result_file(result.string()), model.scene.title.empty() ? name : model.scene.title);
  if (arguments.json) fmt::print("{}", json);
  if (shows_text) {
    fmt::print("{}\n", describe_summary(summary, model));
    fmt::print("written  {} \u00b7 summary.json{}{}        look at it: abut report {}\n", result.string(),
               has_csv ? " \u00b7 *.csv" : "", arguments.plot.empty() ? "" : " \u00b7 " + arguments.plot,
               folder.string());
  }
  if (summary.status == RunStatus::failed) {
    tell("{}\n{}\nEverything until {:.9g} s is in {}.\n", summary.message, summary.advice, summary.time_reached,
         result.string());
    return 2;
  }
  if (summary.status == RunStatus::interrupted) {
    tell("interrupted at {:.9g} s. Everything until then is in {}.{}\n", summary.time_reached, result.string(),
         interval > 0.0 ? fmt::format("\nTo go on: abut run --resume {}", folder.string()) : "");
    return 2;
  }
  return 0;
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "simulate a scene and record it");
  command->add_option("scene", arguments->scene, "scene file (TOML), or a result to run again");
  command->add_option("--out", arguments->out, "folder for the results (default out/NAME)");
  command
      ->add_option("--set", arguments->set,
                   "change a value of the scene, e.g. --set body.ball.mass=3 (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--method", arguments->method, "run.method of the scene");
  command->add_option("--duration", arguments->duration, "run.duration of the scene [s]");
  command->add_option("--threads", arguments->threads, "number of threads; the result does not depend on it");
  command->add_option("--plot", arguments->plot, "also write plots, as SVG or PNG by the name's ending");
  command->add_flag("--realtime", arguments->realtime,
                    "keep pace with the clock, and report steps that were late (methods with a fixed step)");
  command->add_option("--checkpoint", arguments->checkpoint,
                      "save the run beside its record every so often (default 1min) and where it is stopped");
  command->add_option("--resume", arguments->resume, "go on with the run in this folder from its last checkpoint");
  // For tools/result_hashes: of no use to anybody who wants a result.
  command->add_flag("--drop-scratch", arguments->drops_scratch, "make all that is not saved anew after each step")
      ->group("");
  command->add_flag("--csv", arguments->csv, "also write flat tables");
  command->add_flag("--json", arguments->json, "print the summary as JSON");
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace abut
