#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/measure/evaluate.hpp"
#include "abut/measure/run_in_memory.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/sim/simulate.hpp"
#include "abut/version.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"
#include "looks.hpp"
#include "scene_values.hpp"

namespace abut {

namespace {

using Changes = std::vector<v0::Change>;

/// One run of a study. Each is a run of its own, on one thread, so that what comes out does not depend on how many are
/// at work.
struct StudyRun {
  RunStatus status = RunStatus::interrupted;
  std::string message, summary;
  double time = 0.0;  ///< reached [s]
  std::vector<double> measures;
  std::vector<BodyRow> bodies;  ///< at the end
};

struct StudyPlan {
  v0::Model model;
  std::vector<Changes> changes;
  std::vector<std::string> measures;
  std::string name;
};

double measure(const std::string& text, const Model& model, const RunRecord& record) {
  const MeasureNames names = make_measure_names(model);
  try {
    return evaluate_measure(parse_expression(text, &names), &record);
  } catch (const ExpressionError& error) {
    throw InputError(fmt::format("measure '{}': {}", text, error.what()));
  } catch (const MeasureError&) {
    return std::numeric_limits<double>::quiet_NaN();  // the run does not answer it
  }
}

StudyRun do_run(const StudyPlan& plan, std::size_t index, const std::atomic<bool>& stop) {
  Changes changes = plan.changes[index];
  changes.push_back({"run.threads", 1});
  const v0::Model model_of_door = plan.model.with(changes);
  const Model& model = *v0::Inside::parts(model_of_door).model;
  RunRecord record;
  RunOptions options;
  options.stop = &stop;
  record.begin(make_record_layout(model, "", ABUT_VERSION));
  RunSummary summary = simulate(model, record, options);
  StudyRun out;
  out.status = summary.status;
  out.message = summary.message;
  out.time = summary.time_reached;
  summary.wall_time = 0.0;  // the same summary from the same run
  out.summary = summary_to_json(summary, model, plan.name, ABUT_VERSION);
  record.set_summary(summary);
  for (const std::string& text : plan.measures) out.measures.push_back(measure(text, model, record));
  if (record.samples().empty()) return out;
  for (const BodySample& sample : record.samples().back().bodies) out.bodies.push_back(to_row(sample));
  return out;
}

/// The runs, dealt out to threads as they become free. The thread of Python waits, and looks after Ctrl-C.
class Study {
 public:
  explicit Study(const StudyPlan& plan) : plan_(plan), runs_(plan.changes.size()), failures_(plan.changes.size()) {}

  void run(int num_threads) {
    std::vector<std::thread> threads;
    for (int i = 0; i < num_threads; ++i) threads.emplace_back([this] { work(); });
    Interrupt interrupt;
    {
      const py::gil_scoped_release free;
      std::unique_lock lock(mutex_);
      while (!is_done_.wait_for(lock, std::chrono::milliseconds(50), [this] { return num_done_ == runs_.size(); })) {
        lock.unlock();
        if (interrupt.is_wanted()) stop_ = true;
        lock.lock();
        if (stop_) break;
      }
      lock.unlock();
      for (std::thread& thread : threads) thread.join();
    }
    interrupt.rethrow();
    for (std::size_t i = 0; i < failures_.size(); ++i) {
      if (failures_[i]) std::rethrow_exception(failures_[i]);
    }
  }
  std::vector<StudyRun>& runs() { return runs_; }

 private:
  void work() {
    for (std::size_t i = next_++; i < runs_.size() && !stop_; i = next_++) {
      try {
        runs_[i] = guard_door([&] { return do_run(plan_, i, stop_); });
      } catch (...) {
        failures_[i] = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      ++num_done_;
      is_done_.notify_one();
    }
  }

  const StudyPlan& plan_;
  std::vector<StudyRun> runs_;
  std::vector<std::exception_ptr> failures_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable is_done_;
  std::size_t num_done_ = 0;
};

const char* status_name(RunStatus status) {
  return status == RunStatus::done ? "done" : status == RunStatus::interrupted ? "interrupted" : "failed";
}

/// (status, message, time, measures, bodies at the end, summaries), each with a row for each run.
py::tuple run_many(const v0::Model& model, const std::vector<py::dict>& values,
                   const std::vector<std::string>& measures, int num_threads, const std::string& name) {
  StudyPlan plan{model, {}, measures, name};
  for (const py::dict& one : values) plan.changes.push_back(to_changes(one));
  Study study(plan);
  if (num_threads <= 0) num_threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  study.run(std::min<int>(num_threads, std::max<int>(1, static_cast<int>(values.size()))));

  const auto count = static_cast<py::ssize_t>(values.size());
  py::list status, message, summaries;
  std::vector<double> time, measured;
  const std::size_t num_bodies = v0::Inside::parts(model).scene->spec.body.size();
  py::array_t<BodyRow> bodies({count, static_cast<py::ssize_t>(num_bodies)});
  BodyRow* row = bodies.mutable_data();
  for (StudyRun& run : study.runs()) {
    status.append(status_name(run.status));
    message.append(run.message);
    summaries.append(run.summary);
    time.push_back(run.time);
    measured.insert(measured.end(), run.measures.begin(), run.measures.end());
    run.bodies.resize(num_bodies);  // of a run that failed before its first sample
    row = std::copy(run.bodies.begin(), run.bodies.end(), row);
  }
  return py::make_tuple(status, message, to_numpy(std::move(time), {count}),
                        to_numpy(std::move(measured), {count, static_cast<py::ssize_t>(measures.size())}), bodies,
                        summaries);
}

}  // namespace

void bind_study(py::module_& m) {
  m.def("run_many", &run_many, py::arg("model"), py::arg("values"), py::arg("measures"), py::arg("threads"),
        py::arg("name"));
}

}  // namespace abut
