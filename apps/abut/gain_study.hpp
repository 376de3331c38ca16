#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "abut/serve/svg_plot.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// One value of a controller that is varied.
struct GainAxis {
  std::string key;             ///< as it was given: "b", "kv", "delay"
  std::string path;            ///< in the scene
  std::vector<double> values;  ///< SI units
};

enum class GainVerdict { stable, ringing, unstable, untouched };
const char* verdict_name(GainVerdict verdict);

/// What the force did in one run.
struct GainResult {
  std::vector<double> values;  ///< of the axes
  GainVerdict verdict = GainVerdict::untouched;
  double mean = 0.0;          ///< force in the last third after the touch [N]
  double peak = 0.0;          ///< [N]
  double swing = 0.0;         ///< greatest less least in the last third [N]
  double swing_before = 0.0;  ///< in the middle third [N]
  int lifts = 0;              ///< times that the force went to nothing after the touch
  std::string message;        ///< why the run stopped early
};

/// "b=1e3:1e5:9" makes 9 values from the one to the other, evenly spaced in their logarithms where both are above zero
/// and more than a factor of 5 apart, else evenly; "kv=25" one; "delay=1e-3,2e-3" those. Throws InputError.
GainAxis parse_gain_axis(const std::string& text, const SceneSpec& scene, const ControllerSpec& controller);

/// Sensed force over time, judged: from the first touch to the end in three parts. Stable: in the last part it swings
/// by less than 5 % of its mean. Ringing: by more, but by less than 0.7 of what it did in the middle part. Unstable:
/// neither.
GainResult judge_force(const std::vector<double>& time, const std::vector<double>& force);

/// Runs all combinations on `threads` threads, the last axis fastest; results stand in this order whoever ran them.
std::vector<GainResult> study_gains(const Model& model, const ControllerSpec& controller,
                                    const std::vector<GainAxis>& axes, int threads, const std::atomic<bool>& stop,
                                    const std::function<void(std::size_t)>& on_done);

std::string gains_to_csv(const std::vector<GainAxis>& axes, const std::vector<GainResult>& results);
/// A map of the first axis against the second for each combination of the others.
std::vector<PlotPanel> make_gain_panels(const std::vector<GainAxis>& axes, const std::vector<GainResult>& results);

}  // namespace abut
