#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "abut/base/error.hpp"
#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/sim/simulate.hpp"
#include "commands.hpp"
#include "load_record.hpp"
#include "progress_bar.hpp"
#include "stop_signals.hpp"
#include "tell.hpp"
#include "version.hpp"

namespace abut {

namespace {

struct RerunArguments {
  std::string result;
  bool quiet = false;
};

/// Gone with everything in it when this is.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "abut-rerun-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw SystemError(fmt::format("{}: cannot create this folder: {}", pattern, std::strerror(errno)));
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Ends the run once it has as many samples as the record.
class CountingSink : public RecordSink {
 public:
  CountingSink(RecordSink& target, std::size_t most, std::atomic<bool>& stop)
      : target_(target), most_(most), stop_(stop) {}
  void begin(const RecordLayout& layout) override { target_.begin(layout); }
  void sample(const Sample& sample) override {
    target_.sample(sample);
    if (++count_ >= most_) stop_ = true;
  }
  void event(const ContactEvent& event) override { target_.event(event); }
  void finish(const std::string& summary_json) override { target_.finish(summary_json); }

 private:
  RecordSink& target_;
  std::size_t count_ = 0, most_;
  std::atomic<bool>& stop_;
};

/// The first value that differs, in words; empty where all bits are the same. rows: at most so many of each.
std::string describe_difference(const ResultColumn& before, const ResultColumn& after, std::size_t rows) {
  if (before.width != after.width) return fmt::format("/{}: rows of {} and {}", before.name, before.width, after.width);
  const std::size_t count = std::min(rows, before.num_rows());
  if (after.num_rows() < count)
    return fmt::format("/{}: {} rows, now {}", before.name, before.num_rows(), after.num_rows());
  for (std::size_t i = 0; i < count * before.width; ++i) {
    if (std::memcmp(&before.values[i], &after.values[i], sizeof(double)) == 0) continue;
    return fmt::format("/{}: row {} holds {} and now {}", before.name, i / before.width, before.values[i],
                       after.values[i]);
  }
  return {};
}

struct Comparison {
  std::size_t num_datasets = 0, num_rows = 0;
  std::vector<std::string> differences;
};

Comparison compare_records(const ResultFile& before, const ResultFile& after) {
  Comparison result;
  // The last sample of a run that was stopped is where it was stopped, not where the next one would have been.
  const bool is_whole = before.is_complete && before.summary_json.find("\"status\": \"done\"") != std::string::npos;
  const std::size_t samples = before.find("time")->num_rows(),
                    common = is_whole || samples == 0 ? samples : samples - 1;
  const auto count_below = [common](const ResultFile& file, const char* starts) {
    const ResultColumn* column = file.find(starts);
    return column == nullptr || column->values.size() <= common ? 0 : static_cast<std::size_t>(column->values[common]);
  };
  const std::size_t contacts = count_below(before, "contact/row_start");
  const ResultColumn *events = before.find("event/time"), *times = before.find("time");
  std::size_t num_events = 0;
  while (events != nullptr && common > 0 && num_events < events->num_rows() &&
         events->values[num_events] < times->values[common - 1])
    ++num_events;
  if (is_whole && events != nullptr) num_events = events->num_rows();
  for (const ResultColumn& column : before.columns) {
    const bool is_of_contacts = column.name.rfind("contact/", 0) == 0 && column.name != "contact/row_start";
    const bool is_curve = column.name.rfind("curve/", 0) == 0;
    std::size_t rows = is_of_contacts ? contacts : column.name.rfind("event/", 0) == 0 ? num_events : common;
    if (is_curve && !is_whole) continue;
    if (is_curve) rows = column.num_rows();
    const ResultColumn* again = after.find(column.name);
    const std::string difference = again == nullptr ? fmt::format("/{}: is not there now", column.name)
                                                    : describe_difference(column, *again, rows);
    if (!difference.empty()) result.differences.push_back(difference);
    ++result.num_datasets;
    result.num_rows = common;
  }
  return result;
}

int rerun(const RerunArguments& arguments) {
  const ResultFile before = read_result_file(arguments.result);
  const Model model = load_record(before);
  const ScratchFolder folder;
  std::atomic<bool> has_enough{false};
  std::atomic<bool>& stop_wanted = watch_stop_signals();
  Hdf5Recorder recorder(folder / "result.h5");
  const std::size_t samples = before.find("time")->num_rows();
  CountingSink sink(recorder, std::max<std::size_t>(samples, 1), has_enough);
  ProgressBar bar(model.scene.run.duration, arguments.quiet);
  RunOptions options;
  options.on_progress = [&](double time) {
    bar.update(time);
    if (stop_wanted) has_enough = true;
  };
  options.stop = &has_enough;
  sink.begin(make_record_layout(model, scene_to_toml(model.scene), kVersion));
  const RunSummary summary = simulate(model, sink, options);
  bar.clear();
  sink.finish(summary_to_json(summary, model, "rerun", kVersion));
  if (stop_wanted) {
    tell("interrupted at {:.9g} s; nothing was compared.\n", summary.time_reached);
    return 2;
  }
  const Comparison result = compare_records(before, read_result_file(folder / "result.h5"));
  if (before.version != kVersion) tell("note     the record is of version {}, this is {}.\n", before.version, kVersion);
  if (result.differences.empty()) {
    if (!arguments.quiet)
      fmt::print("same bits: {} datasets up to sample {} of {}\n", result.num_datasets, result.num_rows, samples);
    return 0;
  }
  constexpr std::size_t kMostLines = 20;
  for (std::size_t i = 0; i < std::min(result.differences.size(), kMostLines); ++i) tell("{}\n", result.differences[i]);
  tell("{} of {} datasets differ.\n", result.differences.size(), result.num_datasets);
  return 2;
}

}  // namespace

void add_rerun_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<RerunArguments>();
  CLI::App* command = app.add_subcommand("rerun", "run the scene of a result again and compare every bit");
  command->add_option("result", arguments->result, "result.h5, or the folder it is in")->required();
  command->add_flag("--quiet", arguments->quiet, "print nothing but differences and errors");
  command->callback([arguments, &status] { status = rerun(*arguments); });
}

}  // namespace abut
