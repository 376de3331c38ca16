#include <atomic>
#include <filesystem>
#include <string>

#include <pybind11/stl.h>

#include "abut/door/guard.hpp"
#include "abut/door/parts.hpp"
#include "abut/io/hdf5_recorder.hpp"
#include "abut/io/result_file.hpp"
#include "abut/io/scene_writer.hpp"
#include "abut/io/text_file.hpp"
#include "abut/measure/summary_json.hpp"
#include "abut/sim/simulate.hpp"
#include "abut/version.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "interrupt.hpp"

namespace abut {

namespace {

const char* status_name(RunStatus status) {
  return status == RunStatus::done ? "done" : status == RunStatus::interrupted ? "interrupted" : "failed";
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SystemError(fmt::format("{}: cannot create this folder: {}", folder.string(), error.message()));
}

/// As `abut run` does: result.h5 and summary.json in the folder, also of a run that was interrupted.
py::tuple run_model(const v0::Model& model_of_door, const std::string& path, const std::string& name,
                    const py::object& progress) {
  const Model& model = *v0::Inside::parts(model_of_door).model;
  const std::filesystem::path folder(path);
  make_folder(folder);
  std::error_code ignored;
  std::filesystem::remove(folder / "summary.json", ignored);
  Hdf5Recorder recorder((folder / "result.h5").string());
  Interrupt interrupt;
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.on_progress = [&](double time) {
    const py::gil_scoped_acquire lock;
    interrupt.look();
    if (!progress.is_none()) interrupt.guard([&] { progress(time); });
    stop = interrupt.has_raised();
  };
  recorder.begin(make_record_layout(model, scene_to_toml(model.scene), ABUT_VERSION));
  RunSummary summary;
  {
    const py::gil_scoped_release free;
    summary = guard_door([&] { return simulate(model, recorder, options); });
  }
  const std::string json = summary_to_json(summary, model, name, ABUT_VERSION);
  recorder.finish(json);
  write_text_file_atomically((folder / "summary.json").string(), json);
  interrupt.rethrow();
  return py::make_tuple(status_name(summary.status), summary.message, summary.time_reached, summary.advice);
}

/// (title, version, scene, summary, is_complete, bodies, joints, (q_start, num_q, v_start, num_v) of the joints,
/// {name: (unit, rows of numbers)})
py::tuple read_record(const std::string& path) {
  ResultFile file = guard_door([&] { return read_result_file(path); });
  py::dict columns;
  for (ResultColumn& column : file.columns) {
    const auto rows = static_cast<py::ssize_t>(column.num_rows()), width = static_cast<py::ssize_t>(column.width);
    columns[column.name.c_str()] = py::make_tuple(column.unit, to_numpy(std::move(column.values), {rows, width}));
  }
  return py::make_tuple(
      file.title, file.version, file.scene_text, file.summary_json, file.is_complete, file.body_names, file.joint_names,
      py::make_tuple(file.joint_q_start, file.joint_num_q, file.joint_v_start, file.joint_num_v), columns);
}

}  // namespace

void bind_record(py::module_& m) {
  m.def("run", &run_model, py::arg("model"), py::arg("out"), py::arg("name"), py::arg("progress") = py::none());
  m.def("read_record", &read_record, py::arg("path"));
}

}  // namespace abut
