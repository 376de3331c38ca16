#pragma once

#include <map>
#include <utility>
#include <vector>

#include "abut/contact/contact_set.hpp"
#include "abut/sim/control/controller_state.hpp"
#include "abut/sim/layer_step.hpp"
#include "abut/sim/sensor_memory.hpp"
#include "abut/sim/step_friction.hpp"

namespace abut {

/// Powers that have no patch of their own, in the order of the integrator's first quadratures.
enum class GlobalWork { spring_damping, joint_friction, motor, applied_force, time_stepping, geometry };
inline constexpr int kNumGlobalWorks = 6;

/// What one pair of bodies has been through.
struct PairHistory {
  int touches = 0;
  PatchWork ended;          ///< work of patches that have ended [J]
  double peak_force = 0.0;  ///< largest normal force of one patch [N]
  double peak_time = 0.0;   ///< [s]
  double peak_depth = 0.0;  ///< [m]
  Patch last_patch;         ///< the one that ended last
};

/// Everything that changes during a run. Copying it is a checkpoint.
struct State {
  double time = 0.0;          ///< [s]
  std::vector<double> y;      ///< see Dynamics
  std::vector<double> works;  ///< kNumGlobalWorks, then kNumPatchWorks for each place of the pool [J]
  PatchPool pool;
  std::vector<StepContactMemory> step_contacts;      ///< of velocity-stepping methods, one for each place of the pool
  std::map<PatchKey, LayerMemory> layers;            ///< of method ncp: deflections outlast the touch
  PatchWork ended;                                   ///< work of all patches that have ended [J]
  std::map<std::pair<int, int>, PairHistory> pairs;  ///< by links (a, b)
  std::vector<ControllerState> controllers;          ///< in the order of ControllerBank
  std::vector<SensorMemory> sensors;                 ///< in the order of Model::sensors
};

}  // namespace abut
