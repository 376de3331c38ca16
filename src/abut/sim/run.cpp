#include "abut/sim/run.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "abut/contact/contact_failure.hpp"
#include "abut/scene/scene_digest.hpp"
#include "abut/sim/control/controller_bank.hpp"
#include "abut/sim/equilibrium.hpp"
#include "abut/sim/method_row.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

namespace {

/// Scenes below this size run faster on one thread.
constexpr std::size_t kCollidersForThreads = 500;

int choose_threads(const Model& model, int wanted) {
  if (wanted > 0) return wanted;
  if (model.scene.run.threads > 0) return model.scene.run.threads;
  if (model.colliders.size() < kCollidersForThreads) return 1;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// What saved bytes begin with; the number changes with what they hold.
constexpr std::array<char, 8> kMagic = {'a', 'b', 'u', 't', ' ', 'r', 'u', 'n'};
constexpr std::uint32_t kFormat = 6;

struct Heading {
  std::uint64_t digest = 0;  ///< of the scene
  double time = 0.0;         ///< [s]
};

void write_heading(Heading heading, ByteWriter& archive) {
  std::array<char, 8> magic = kMagic;
  std::uint32_t format = kFormat;
  archive(magic, format, heading);
}

Heading read_heading(ByteReader& archive) {
  std::array<char, 8> magic{};
  std::uint32_t format = 0;
  archive(magic, format);
  if (magic != kMagic) throw InputError("these bytes are no saved run");
  if (format != kFormat)
    throw InputError(fmt::format("the saved run has format {}, this program reads {}", format, kFormat));
  Heading heading;
  archive(heading);
  return heading;
}

}  // namespace

std::unique_ptr<Method> make_method(Dynamics& dynamics, State& state, RunBook& book, RunClock& clock) {
  return method_row(dynamics.model().scene.run.method).make(dynamics, state, book, clock);
}

namespace {

/// All that moves a run on. Made from a model, and from saved bytes where it stands elsewhere than at the start: what
/// the bytes do not hold must not matter (Run::drop_scratch).
struct Machinery {
  Machinery(const Model& model, ThreadPool& threads, RecordSink& sink)
      : dynamics(model, threads),
        state(dynamics.make_initial_state()),
        book((dynamics.bind(state), dynamics), state, sink) {}

  Dynamics dynamics;
  State state;
  RunBook book;
  std::unique_ptr<Method> method;  ///< none once the run has failed
};

}  // namespace

struct Run::Parts {
  Parts(const Model& model_in, RecordSink& sink_in, const RunOptions& options, int threads_in)
      : model(model_in),
        sink(sink_in),
        threads(choose_threads(model, threads_in)),
        clock(options, model.scene.run.step.value_or(0.0)),
        controllers(model) {
    make_machinery();
  }

  void make_machinery() {
    machinery = std::make_unique<Machinery>(model, threads, sink);
    machinery->state.controllers = controllers.make_states();
  }
  void make_method() {
    Machinery& m = *machinery;
    m.method = abut::make_method(m.dynamics, m.state, m.book, clock);
  }

  /// False where the scene asks for an equilibrium and there is none.
  bool start_at_rest() {
    if (model.scene.run.start != RunSpec::Start::equilibrium) return true;
    // With machinery of its own: contacts that were met on the way are none of the run's.
    Dynamics scratch(model, threads);
    State rest = scratch.make_initial_state();
    scratch.bind(rest);
    scratch.contacts().set_step(model.scene.run.step.value_or(0.0));
    Equilibrium found = find_equilibrium(scratch, rest);
    if (!found.is_found) {
      end.status = RunStatus::failed;
      end.message = fmt::format("nothing was run: {}.", found.text);
      end.advice = "Start nearer to rest, hold what can fall, or leave run.start out.";
      return false;
    }
    std::copy_n(rest.y.begin(), scratch.num_q() + scratch.num_v(), state().y.begin());
    dynamics().enforce_prescribed(0.0, state().y.data());
    if (dynamics().loops() != nullptr) dynamics().close_loops(0.0, state().y.data());
    end.notes.push_back(std::move(found.text));
    return true;
  }

  Dynamics& dynamics() { return machinery->dynamics; }
  State& state() { return machinery->state; }
  RunBook& book() { return machinery->book; }
  std::unique_ptr<Method>& method() { return machinery->method; }

  const Model& model;
  RecordSink& sink;
  ThreadPool threads;
  RunClock clock;
  ControllerBank controllers;  ///< what they remember is in the state
  std::unique_ptr<Machinery> machinery;
  RunEnd end;

  /// Samples the controllers that are due; what they command is an event like any other change from outside.
  void control() {
    if (controllers.is_empty()) return;
    const auto read_sensors = [this](std::vector<double>& shown) {
      // Those that are sampled have their numbers; the others look at what is there now.
      const bool has_unsampled = std::any_of(model.sensors.begin(), model.sensors.end(),
                                             [](const SensorPlan& plan) { return !plan.is_sampled(); });
      if (has_unsampled) method()->show();
      book().sensors().read(state().time, state().y.data(), shown);
    };
    if (controllers.act(dynamics(), state(), read_sensors)) method()->note_change();
  }

  /// Meshes make it long to compute, and few runs are saved.
  std::uint64_t digest() {
    if (!known_digest) known_digest = calc_digest(model.scene);
    return *known_digest;
  }
  std::optional<std::uint64_t> known_digest;
};

Run::Run(const Model& model, RecordSink& sink, const RunOptions& options, int threads)
    : parts_(std::make_unique<Parts>(model, sink, options, threads)) {
  if (!options.resume_from.empty()) {
    load(options.resume_from);
    return;
  }
  guard([&] {
    if (!parts_->start_at_rest()) return false;
    parts_->make_method();
    parts_->method()->begin();
    return true;
  });
}

Run::~Run() = default;

/// Failures of laws and of geometry end a run in words.
template <class Act>
bool Run::guard(const Act& act) {
  RunEnd& end = parts_->end;
  try {
    return act();
  } catch (const ContactFailure& failure) {
    Patch patch;
    patch.key = failure.key();
    end.message = fmt::format("stopped at {:.9g} s: {} cannot touch: {}", time(), parts_->book().describe_patch(patch),
                              failure.what());
    end.advice = "Give that pair a normal law with `stiffness`.";
  } catch (const ControlFailure& failure) {
    end.message = fmt::format("stopped at {:.9g} s: {}.", time(), failure.what());
    end.advice = failure.advice();
  } catch (const InputError& error) {
    end.message = fmt::format("stopped at {:.9g} s: {}", time(), error.what());
    end.advice = "abut check tells what the scene asks for.";
  } catch (...) {
    end.status = RunStatus::failed;
    end.message = fmt::format("stopped at {:.9g} s by what was thrown there", time());
    parts_->method() = nullptr;
    throw;
  }
  end.status = RunStatus::failed;
  parts_->method() = nullptr;  // what it left half done is not to be used
  return false;
}

double Run::time() const { return parts_->state().time; }
int Run::num_threads() const { return parts_->threads.num_threads(); }
bool Run::is_stop_wanted() const { return parts_->clock.is_stop_wanted(); }
RunStatus Run::status() const { return parts_->end.status; }
const std::string& Run::message() const { return parts_->end.message; }
const std::string& Run::advice() const { return parts_->end.advice; }
Dynamics& Run::dynamics() { return parts_->dynamics(); }
ControllerBank& Run::controllers() { return parts_->controllers; }
void Run::add_controller(const std::string& name, double rate, double delay, const std::vector<std::string>& joints,
                         std::shared_ptr<ControlLaw> law) {
  parts_->controllers.add(name, rate, delay, joints, std::move(law), parts_->state());
}
void Run::adopt_controllers(Run& other) { parts_->controllers.adopt(other.controllers(), parts_->state()); }
void Run::hold_commands() { parts_->controllers.hold(parts_->dynamics(), parts_->state()); }
const State& Run::state() const { return parts_->state(); }

bool Run::step(double limit) {
  if (parts_->method() == nullptr || parts_->end.status != RunStatus::done) return false;
  return guard([&] {
    parts_->control();
    return parts_->method()->step(std::min(limit, parts_->controllers.next_stop(parts_->state())), parts_->end);
  });
}

void Run::look(Sample& out) {
  guard([&] {
    if (parts_->method() != nullptr) parts_->method()->show();
    parts_->book().look(time(), parts_->state().y.data(), parts_->state().works.data(), out);
    return true;
  });
}

void Run::note_change() {
  if (parts_->method() == nullptr) return;
  guard([&] {
    parts_->method()->note_change();
    return true;
  });
}

void Run::finish(bool is_interrupted) {
  if (parts_->method() == nullptr) return;
  if (is_interrupted && parts_->end.status == RunStatus::done) parts_->end.status = RunStatus::interrupted;
  guard([&] {
    parts_->method()->finish(parts_->end);
    parts_->method()->report(parts_->end);
    return true;
  });
}

RunSummary Run::make_summary() {
  const RunEnd& end = parts_->end;
  RunSummary summary = parts_->book().make_summary();
  summary.status = end.status;
  summary.message = end.message;
  summary.advice = end.advice;
  summary.work = end.work;
  summary.wall_time = parts_->clock.elapsed();
  summary.realtime = parts_->clock.make_realtime_report();
  summary.notes.insert(summary.notes.end(), end.notes.begin(), end.notes.end());
  constexpr double kOpen = 1e-9;  // of the size: far above rounding
  if (const double gap = parts_->dynamics().worst_gap(); gap > kOpen) {
    summary.notes.push_back(fmt::format(
        "loops were open by up to {:.2g} of their mechanism's size where nothing closed them: at a dead point, "
        "or driven against each other",
        gap));
  }
  parts_->controllers.report(summary.notes);
  for (const ContactRule& rule : parts_->model.rules) {
    if (!parts_->model.uses_normal_laws()) break;  // they are about the laws
    for (const std::string& note : rule.notes) summary.notes.push_back(fmt::format("{}: {}", rule.name, note));
  }
  return summary;
}

Bytes Run::save() {
  if (parts_->method() == nullptr || parts_->end.status != RunStatus::done)
    throw InputError("a run that has failed cannot be saved");
  ByteWriter archive;
  write_heading({parts_->digest(), time()}, archive);
  archive(parts_->state(), parts_->dynamics(), parts_->book());
  parts_->method()->exchange(archive);
  return archive.take();
}

void Run::drop_scratch() {
  const Bytes saved = save();
  parts_->make_machinery();
  load(saved);
}

double read_saved_time(std::span<const std::byte> bytes) {
  ByteReader archive(bytes);
  return read_heading(archive).time;
}

void Run::load(std::span<const std::byte> bytes) {
  ByteReader archive(bytes);
  if (read_heading(archive).digest != parts_->digest()) throw InputError("the saved run is one of another model");
  try {
    read(archive);
  } catch (const InputError& error) {
    // Half of it was read: there is nothing left to go on from.
    parts_->method() = nullptr;
    parts_->end.status = RunStatus::failed;
    parts_->end.message = fmt::format("a saved run could not be read: {}", error.what());
    parts_->end.advice = "Load one that is whole.";
    throw;
  }
}

void Run::read(ByteReader& archive) {
  parts_->end = {};
  if (parts_->method() == nullptr) parts_->make_method();
  archive(parts_->state(), parts_->dynamics());
  parts_->controllers.check(parts_->state().controllers);
  parts_->dynamics().bind(parts_->state());
  parts_->dynamics().calc_motion(parts_->state().time, parts_->state().y.data());
  parts_->dynamics().contacts().rematch(parts_->state().pool);
  archive(parts_->book());
  parts_->method()->exchange(archive);
  archive.finish();
}

}  // namespace abut
