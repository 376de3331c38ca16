#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/multibody/joint_load.hpp"
#include "abut/scene/controller_spec.hpp"

namespace abut {

struct Model;

/// A motor that a controller commands.
struct ControlledMotor {
  std::string joint;
  int q_index = 0, v_index = 0;
  int load = 0;  ///< among Model::joint_loads
  JointMotor motor;
};

/// What is known at a sample. Coordinates and speeds are those of the model's tree, with prescribed ones in place.
struct ControlInput {
  double time = 0.0;    ///< [s]
  double period = 0.0;  ///< of the controller [s]
  std::span<const double> q, v;
  std::span<const double> prescribed_acceleration;   ///< num_v, zero elsewhere; empty where nothing is prescribed
  std::span<const std::span<const double>> sensors;  ///< channels of each sensor that the law asked for, in its order
};

/// How commands follow from what was measured: the same measurement and memory give the same commands, so that a run
/// that was saved goes on to the same bits.
class ControlLaw {
 public:
  virtual ~ControlLaw() = default;
  /// One command for each motor, in the unit of its mode. `memory` is empty at the first sample; it is saved with the
  /// state. May throw ControlFailure.
  virtual void sample(const ControlInput& input, std::vector<double>& memory, std::span<double> commands) = 0;
  /// Names of the sensors that it reads.
  virtual std::vector<std::string> sensors() const { return {}; }
  /// What a person should be told at the end of a run.
  virtual void report(std::vector<std::string>&) const {}
};

/// A controller that cannot go on; ends the run with what was recorded.
class ControlFailure : public std::runtime_error {
 public:
  ControlFailure(const std::string& what, std::string advice) : std::runtime_error(what), advice_(std::move(advice)) {}
  const std::string& advice() const { return advice_; }

 private:
  std::string advice_;
};

/// Where a law is made for: the scene is checked, the model compiled.
struct ControlSite {
  const Model& model;
  const ControllerSpec& spec;
  std::vector<ControlledMotor> motors;
};

/// One for each kind of controller; ControllerKindSpec::type is their list.
std::unique_ptr<ControlLaw> make_law(const JointPidSpec& spec, const ControlSite& site);
std::unique_ptr<ControlLaw> make_law(const ComputedTorqueSpec& spec, const ControlSite& site);
std::unique_ptr<ControlLaw> make_law(const ImpedanceSpec& spec, const ControlSite& site);
std::unique_ptr<ControlLaw> make_law(const AdmittanceSpec& spec, const ControlSite& site);
std::unique_ptr<ControlLaw> make_law(const AccommodationSpec& spec, const ControlSite& site);
std::unique_ptr<ControlLaw> make_law(const LibraryControlSpec& spec, const ControlSite& site);
std::unique_ptr<ControlLaw> make_law(const SocketControlSpec& spec, const ControlSite& site);

}  // namespace abut
