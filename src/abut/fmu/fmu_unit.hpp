#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abut/fmu/fmu_model.hpp"
#include "abut/math/archive.hpp"
#include "abut/sim/world.hpp"

namespace abut {

/// How far a communication step came.
struct FmuAdvance {
  double time = 0.0;       ///< reached, by the importer's clock [s]
  bool has_event = false;  ///< something touched or lifted
  bool is_early = false;   ///< it ended before its end was reached
  std::string message;     ///< why it cannot go on; empty while it can
};

/// One instance of a unit, whatever version of the standard it is driven by: values of its variables, and a world that
/// is made when it is first looked at. What is wrong throws InputError and leaves all as it was; what calls are allowed
/// when is the business of those who call. Its time is the importer's: that of the world, from the start time on.
class FmuUnit {
 public:
  explicit FmuUnit(std::shared_ptr<const FmuModel> model);

  const FmuModel& model() const { return *model_; }
  const std::shared_ptr<const FmuModel>& shared_model() const { return model_; }
  double time() const { return time_; }
  /// Of steps to come: the time of the start [s], the relative error allowed (adaptive only).
  void start(double time, std::optional<double> tolerance);
  /// As it was made.
  void reset();

  /// Numbers of a port from `first` on, as many as `values` has.
  void read(std::size_t port, std::size_t first, std::span<double> values);
  /// Finite numbers only. Of parameters before the first step alone.
  void write(std::size_t port, std::size_t first, std::span<const double> values);

  /// Flags stand still while `holds`; latch() brings them up to date.
  void hold_flags(bool holds);
  void latch();

  struct Hooks {
    bool stops_at_events = false;  ///< returns from the first step in which something touches or lifts
    /// Called after each step of the method with the time; answers when to return at the latest, if early.
    std::function<std::optional<double>(double time)> on_step;
  };
  /// From the present time to `until` (the importer's clock).
  FmuAdvance advance(double until, const Hooks& hooks);

  /// Everything, and a note of the caller's, as bytes that another process can go on from. InputError where the world
  /// has failed, or where bytes are damaged or of another unit; nothing has changed then.
  Bytes save(const Bytes& note);
  /// The note.
  Bytes load(std::span<const std::byte> bytes);

 private:
  struct Content;  // of the saved bytes
  World& world();
  std::shared_ptr<const Model> make_model() const;
  void apply_inputs();
  void apply_motions(double until);
  void read_numbers(std::size_t port, std::vector<double>& numbers);

  std::shared_ptr<const FmuModel> model_;
  std::vector<std::vector<double>> values_;  ///< of parameters and inputs; empty for outputs
  std::vector<char> is_written_;             ///< since the start
  std::vector<char> is_new_;                 ///< written and not yet handed to the world
  std::vector<double> written_at_;           ///< when [s]
  std::vector<char> flags_;                  ///< of ports, as they were latched
  bool holds_flags_ = false;
  double start_time_ = 0.0, time_ = 0.0;
  std::optional<double> tolerance_;
  std::unique_ptr<World> world_;  ///< null until it is needed, and once a parameter has changed
  std::vector<double> scratch_;
};

}  // namespace abut
