#include "world_object.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <pthread.h>

#include "arrays.hpp"

namespace abut {

namespace {

/// How often the process was forked on the way here.
unsigned count_forks() {
  static unsigned count = 0;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++count; });
  static_cast<void>(registered);
  return count;
}

/// A world that cannot go on is no error of C++, but in Python a loop that overlooks it would never end.
[[noreturn]] void raise_step_error(const v0::StepReport& report) {
  const py::object type = py::module_::import("abut.errors").attr("StepError");
  PyErr_SetObject(type.ptr(), type(report.message, report.time, report.advice).ptr());
  throw py::error_already_set();
}

}  // namespace

WorldObject::WorldObject(const v0::Model& model, int threads)
    : world_([&] {
        const py::gil_scoped_release free;
        return v0::World(model, threads);
      }()),
      inner_(&v0::Inside::parts(world_).inner()),
      threads_(threads),
      fork_count_(count_forks()) {
  inner_->set_pause([interrupt = interrupt_] { return interrupt->is_wanted(); });
}

WorldObject::WorldObject(WorldObject& other) : WorldObject(other.world_.model(), other.threads_) {
  world_.set_state(other.door().state());
}

void WorldObject::require_usable() const {
  if (is_busy_) throw InputError("this world is being stepped by another thread: give each thread a world of its own");
  if (inner_->num_threads() > 1 && fork_count_ != count_forks())
    throw InputError(
        "this world was made before the process was forked, and its threads stayed behind: save it before the fork and "
        "load it into a new world afterwards, or make it with threads=1");
}

abut::World& WorldObject::look() {
  require_usable();
  return *inner_;
}

v0::World& WorldObject::door() {
  require_usable();
  return world_;
}

template <class Act>
double WorldObject::move(const Act& act) {
  require_usable();
  is_busy_ = true;
  v0::StepReport report;
  try {
    const py::gil_scoped_release free;
    report = act();
  } catch (...) {
    is_busy_ = false;
    throw;
  }
  is_busy_ = false;
  interrupt_->rethrow();
  if (!report.is_ok()) raise_step_error(report);
  return report.time;
}

double WorldObject::step() {
  return move([&] { return world_.step(); });
}

double WorldObject::advance(double time) {
  return move([&] { return world_.advance(time); });
}

void WorldObject::load(const v0::State& state) { door().set_state(state); }

const std::vector<double>& WorldObject::coordinates() {
  const std::span<const double> q = look().coordinates();
  if (coordinates_.size() != q.size()) coordinates_.resize(q.size());  // once
  std::copy(q.begin(), q.end(), coordinates_.begin());
  return coordinates_;
}

const std::vector<double>& WorldObject::velocities() {
  const std::span<const double> v = look().velocities();
  if (velocities_.size() != v.size()) velocities_.resize(v.size());
  std::copy(v.begin(), v.end(), velocities_.begin());
  return velocities_;
}

const std::vector<BodyRow>& WorldObject::bodies() {
  const std::vector<BodySample>& samples = look().bodies();
  if (bodies_.size() != samples.size()) bodies_.resize(samples.size());
  std::transform(samples.begin(), samples.end(), bodies_.begin(), to_row);
  return bodies_;
}

void WorldObject::start_recording(const std::string& path) { recorder_.emplace(door(), path); }

void WorldObject::stop_recording() {
  require_usable();
  if (!recorder_) return;
  v0::Recorder recorder = std::move(*recorder_);
  recorder_.reset();
  recorder.close();
}

}  // namespace abut
