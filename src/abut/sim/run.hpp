#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/math/archive.hpp"
#include "abut/scene/record.hpp"
#include "abut/sim/model.hpp"
#include "abut/sim/run_summary.hpp"
#include "abut/sim/simulate.hpp"

namespace abut {

class ControlLaw;
class ControllerBank;
class Dynamics;
struct State;

/// A model on its way through time: the state, the method that moves it on, the books, and the sink they are for.
/// Whatever goes wrong on the way is data; only trouble with the machine (no memory, a full disk) is thrown.
class Run {
 public:
  /// Stands at time zero, with the contacts that are there from the start, or where `options.resume_from` was saved.
  /// All three must outlive it. `threads`: 0 for as many as the scene asks for.
  Run(const Model& model, RecordSink& sink, const RunOptions& options, int threads = 0);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  double time() const;
  int num_threads() const;
  /// One step of the method, ending at `limit` [s] or before. False when the run cannot go on.
  bool step(double limit);
  bool is_stop_wanted() const;
  /// The last sample. After that only make_summary().
  void finish(bool is_interrupted);
  RunSummary make_summary();

  RunStatus status() const;
  const std::string& message() const;
  const std::string& advice() const;

  /// Between steps. What was changed in dynamics().inputs() must be told.
  void note_change();
  Dynamics& dynamics();
  ControllerBank& controllers();
  /// From now on one more, which stands in no scene: it has to be added to another run too before that loads this one.
  void add_controller(const std::string& name, double rate, double delay, const std::vector<std::string>& joints,
                      std::shared_ptr<ControlLaw> law);
  /// Adds those that were added to another run of the same model.
  void adopt_controllers(Run& other);
  /// Puts the commands of controllers back into dynamics().inputs().
  void hold_commands();
  /// What a sample taken now would show; leaves no trace in what follows.
  void look(Sample& out);
  const State& state() const;

  /// Everything that the steps to come depend on, with what has been booked so far, as bytes: read by a run of the same
  /// model, in whatever process, it goes on to the same bits. InputError where the run has failed, or the bytes
  /// are not those of such a run; where they end too early nothing is left to step.
  Bytes save();
  void load(std::span<const std::byte> bytes);
  /// Saves, makes everything anew and loads: the steps to come keep their bits. For tests of that. InputError where the
  /// run has failed.
  void drop_scratch();

 private:
  struct Parts;
  template <class Act>
  bool guard(const Act& act);
  void read(ByteReader& archive);

  std::unique_ptr<Parts> parts_;
};

/// When a run was saved [s]. InputError when the bytes are none.
double read_saved_time(std::span<const std::byte> bytes);

}  // namespace abut
