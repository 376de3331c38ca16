#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/contact/patch_shape.hpp"
#include "abut/contact/region/region_traits.hpp"
#include "abut/scene/realtime_report.hpp"
#include "abut/sim/energy.hpp"

namespace abut {

enum class RunStatus { done, interrupted, failed };

/// Steps and evaluations of a run, whatever the method.
struct RunWork {
  long accepted = 0;
  long rejected = 0;
  long events = 0;  ///< restarts at located contact begins, ends and table corners
  long rate_evaluations = 0;
  long jacobians = 0;
  long contact_evaluations = 0;  ///< patches evaluated, summed over all rate evaluations
};

/// What one pair of bodies went through.
struct PairSummary {
  std::string body_a, body_b;
  std::string rule;
  RegionKind region = RegionKind::point;
  int touches = 0;
  bool in_contact = false;     ///< at the end
  double contact_since = 0.0;  ///< [s], when in contact at the end
  double peak_force = 0.0;     ///< [N]
  double peak_time = 0.0;      ///< [s]
  double peak_depth = 0.0;     ///< [m]
  double peak_duration = 0.0;  ///< of the touch with the largest force [s]; 0 while it lasts
  double flatness = 0.0;       ///< of volumetric patches: the most they stood out of their plane over their width [1]
  PatchPeak patch;
  double damping = 0.0;   ///< dissipated [J]
  double friction = 0.0;  ///< dissipated [J]
  double viscous = 0.0;   ///< dissipated [J]
  bool sticking = false;  ///< at the end
};

/// What one channel of a sensor came to.
struct SensorPeak {
  std::string sensor, channel, unit;
  double value = 0.0;  ///< of largest magnitude
  double time = 0.0;   ///< [s]
};

/// The outcome of a run as data: what the terminal prints and summary.json holds.
struct RunSummary {
  RunStatus status = RunStatus::done;
  std::string message;                     ///< why it stopped, when it did not reach the end
  std::string advice;                      ///< what to try then
  double time_reached = 0.0;               ///< [s]
  double wall_time = 0.0;                  ///< [s]
  std::optional<RealtimeReport> realtime;  ///< of a run paced by the clock
  RunWork work;
  double energy_at_start = 0.0;  ///< stored [J]
  EnergyBalance energy;          ///< at the end
  double residual = 0.0;         ///< of the balance at the end [J]
  double worst_residual = 0.0;   ///< largest over the samples, by magnitude [J]
  double volume_made = 0.0;      ///< by volumetric contacts that gave back more than they took up, each by itself [J]
  double energy_turnover = 0.0;  ///< scale of the energies involved, for the relative residual [J]
  std::vector<PairSummary> pairs;
  std::vector<SensorPeak> sensors;  ///< every channel of every sensor
  std::vector<std::string> notes;   ///< assumptions broken, parameters outside their rules
};

}  // namespace abut
