#pragma once

#include <atomic>
#include <functional>

#include "abut/scene/record.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// What a caller may want from a run besides its record.
struct RunOptions {
  /// Called now and then with the simulated time [s].
  std::function<void(double time)> on_progress;
  /// Set from elsewhere (a signal handler) to end the run after the current step, with a complete record.
  const std::atomic<bool>* stop = nullptr;
};

/// Runs a model from its initial state to the end of its duration with the method its scene asks for, and hands samples
/// and events to the sink in order of time. Failures of the numerics are data in the summary, never exceptions. The
/// caller calls sink.begin(make_record_layout(...)) before and sink.finish(...) afterwards.
RunSummary simulate(const Model& model, RecordSink& sink, const RunOptions& options = {});

/// Names and sizes for the record of this model.
RecordLayout make_record_layout(const Model& model, const std::string& scene_text, const std::string& version);

}  // namespace abut
