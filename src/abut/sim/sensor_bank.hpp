#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/contact/contact_set.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

struct Sight;

/// The sensors of a model: takes their samples as they fall due and shows what they read (docs/sensors.md). Only looks:
/// the motion keeps every bit. What they remember stands in the state.
///
///   true value at k / rate -> low-pass -> gain, offset -> noise -> quantum -> can be read from k / rate + delay on
class SensorBank {
 public:
  SensorBank(Dynamics& dynamics, State& state);

  bool is_empty() const { return plans_.empty(); }
  int num_channels() const { return num_channels_; }
  /// Of the sample that falls due first [s]; infinite where no sensor is sampled.
  double next_sample_time() const;
  /// Whether it is due at t, or so near that steps of fixed length cannot come nearer.
  bool is_due(double t) const { return next_sample_time() <= t + slack_; }
  /// Takes all samples that are due at t, from the motion (t, y): responses of contacts are those of the bound state.
  void sample(double t, const double* y);
  /// What all sensors show at t, one number for each channel; those without a rate look at (t, y).
  void read(double t, const double* y, std::vector<double>& out);
  /// Takes note of what sensors without a rate show.
  void note_peaks(double t, std::span<const double> shown);
  std::vector<SensorPeak> list_peaks() const;

 private:
  void look(double t, const double* y);
  void take(const SensorPlan& plan, double t, SensorMemory& memory);
  void filter(const SensorPlan& plan, SensorMemory& memory);
  void make_reading(const SensorPlan& plan, std::int64_t sample, double* reading) const;
  static void note_peak(const SensorPlan& plan, double t, const double* reading, SensorMemory& memory);
  Sight sight(const double* y) const;

  Dynamics& dynamics_;
  State& state_;
  std::span<const SensorPlan> plans_;
  int num_channels_ = 0;
  double slack_ = 0.0;       ///< [s]
  bool has_forces_ = false;  ///< some sensor asks for more than the coordinates
  LinkForces forces_;        ///< of the instant looked at
  ContactMemory memory_;
  std::vector<double> rates_, value_;
};

}  // namespace abut
