#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "abut/math/archive.hpp"
#include "abut/scene/record.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// What a caller may want from a run besides its record.
struct RunOptions {
  /// Called now and then with the simulated time [s].
  std::function<void(double time)> on_progress;
  /// Called at once with what a person who waits should know: that the run will take hours, why, and what would do.
  std::function<void(const std::string& text)> on_notice;
  /// Set from elsewhere (a signal handler) to end the run after the current step, with a complete record.
  const std::atomic<bool>* stop = nullptr;
  /// Holds the steps to the wall clock; for methods with steps of fixed length only.
  bool is_realtime = false;
  /// Handed the saved run about every so many seconds of wall time, between two steps, and once more where the run is
  /// stopped; 0: never. It changes nothing in the run.
  double checkpoint_interval = 0.0;
  std::function<void(const Bytes& saved)> on_checkpoint;
  /// Throws everything away after each step that can be made again from what is saved of a run: it must not matter.
  bool drops_scratch = false;
  /// Goes on from a saved run of the same model instead of from the start. Must outlive the run.
  std::span<const std::byte> resume_from;
};

/// Runs a model from its initial state to the end of its duration with the method its scene asks for, and hands samples
/// and events to the sink in order of time. Failures inside the run are data in the summary, never exceptions (but for
/// trouble with the machine: no memory, a full disk). The
/// caller calls sink.begin(make_record_layout(...)) before and sink.finish(...) afterwards.
RunSummary simulate(const Model& model, RecordSink& sink, const RunOptions& options = {});

/// InputError that says what to use instead if the model's method has no steps of fixed length.
void require_fixed_steps(const Model& model);

/// Names and sizes for the record of this model.
RecordLayout make_record_layout(const Model& model, const std::string& scene_text, const std::string& version);

}  // namespace abut
