#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/sim/control/control_law.hpp"
#include "abut/sim/control/controller_state.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/state.hpp"

namespace abut {

/// The controllers of a run: when they are sampled, and what they command in between. What changes is in State.
class ControllerBank {
 public:
  /// Those of the scene.
  explicit ControllerBank(const Model& model);

  /// One that stands in no scene, from the state's time on; its motors by the names of their joints.
  void add(const std::string& name, double rate, double delay, const std::vector<std::string>& joints,
           std::shared_ptr<ControlLaw> law, State& state);

  bool is_empty() const { return controllers_.empty(); }
  std::size_t size() const { return controllers_.size(); }
  /// Takes those over that were added to another bank.
  void adopt(const ControllerBank& other, State& state);
  std::vector<ControllerState> make_states() const;
  /// Throws InputError where the states are those of other controllers.
  void check(const std::vector<ControllerState>& states) const;

  /// The next instant of a sample, or at which commands take hold [s]; infinite where there are no controllers.
  double next_stop(const State& state) const;
  /// Fills in what all sensors show now, one number for each channel.
  using ReadSensors = FunctionView<void(std::vector<double>&)>;
  /// Samples what is due at the state's time. True where a command of the dynamics has changed.
  bool act(Dynamics& dynamics, State& state, const ReadSensors& read_sensors);
  /// Puts the commands that are held in place again.
  void hold(Dynamics& dynamics, const State& state) const;
  /// Name of the controller that commands this joint load, or an empty string.
  const std::string& commander(int load) const;
  void report(std::vector<std::string>& notes) const;

 private:
  struct Controller {
    std::string name;
    double rate = 0.0;       ///< [Hz]
    std::int64_t whole = 0;  ///< periods of delay
    double rest = 0.0;       ///< of the delay [s]
    std::vector<ControlledMotor> motors;
    std::shared_ptr<ControlLaw> law;
    std::vector<IndexRange> sensors;  ///< channels of those that the law reads, among all
    double delay = 0.0;               ///< as it was given [s]
    bool is_added = false;            ///< stands in no scene
  };
  void add(Controller controller);
  static double sample_time(const Controller& controller, std::int64_t sample) {
    return static_cast<double>(sample) / controller.rate;
  }
  static double effect_time(const Controller& controller, std::int64_t sample) {
    return sample_time(controller, sample + controller.whole) + controller.rest;
  }
  void sample(const Controller& controller, ControllerState& state, const State& now);
  static bool apply(const Controller& controller, const ControllerState& state, Inputs& inputs);
  void look(Dynamics& dynamics, const State& state, const ReadSensors& read_sensors);

  const Model& model_;
  std::vector<Controller> controllers_;
  std::vector<double> q_, v_, acceleration_;   ///< with prescribed joints in place
  std::vector<double> shown_;                  ///< by all sensors
  std::vector<std::span<const double>> read_;  ///< by one law
};

/// The motors with these names, or InputError that says which is missing.
std::vector<ControlledMotor> find_motors(const Model& model, const std::vector<std::string>& joints);

/// Fixed steps meet the samples: InputError at their place where a period or a delay is no whole number of steps.
void check_rates(const Model& model);

}  // namespace abut
