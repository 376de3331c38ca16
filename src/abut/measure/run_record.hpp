#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "abut/scene/record.hpp"
#include "abut/sim/run_summary.hpp"

namespace abut {

/// A measure that the run cannot answer: "ball and floor touched 3 times, not 5".
class MeasureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One contact of a pair from touch to lift.
struct ContactSpan {
  double touch_time = 0.0;   ///< [s]
  double touch_speed = 0.0;  ///< of approach [m/s]
  bool has_lifted = false;
  double lift_time = 0.0;   ///< [s]
  double lift_speed = 0.0;  ///< of separation [m/s]
};

/// What all patches of one pair do at one instant, seen from body a.
struct PairState {
  double depth = 0.0;                    ///< largest [m]
  double normal_force = 0.0;             ///< sum [N]
  Vec3 force = Vec3::Zero();             ///< sum, on a [N]
  Vec3 tangential_force = Vec3::Zero();  ///< sum, on a [N]
  Vec3 normal = Vec3::Zero();            ///< of the deepest patch, from b into a
  Vec3 point = Vec3::Zero();             ///< of the deepest patch [m]
  double slip_speed = 0.0;               ///< largest [m/s]
  double misalignment = 0.0;             ///< of the most loaded patch: from friction to against the slip [rad]
  double dwell = 0.0;                    ///< largest
  Vec3 torque = Vec3::Zero();            ///< sum, on a: rolling and spinning of volumetric patches [N m]
  double volume = 0.0;                   ///< of interference, sum [m^3]
  double area = 0.0;                     ///< of contact, sum [m^2]
  double gyration_radius = 0.0;          ///< of the deepest patch [m]
};

/// A whole run in memory: every sample, every event and the summary.
/// Between samples positions and joint coordinates with one rate each are cubic (Hermite, from the recorded rates), so
/// their error is of order (interval)^4 where no impact lies between; everything else is a straight line.
class RunRecord : public RecordSink {
 public:
  void begin(const RecordLayout& layout) override { layout_ = layout; }
  void sample(const Sample& sample) override;
  void event(const ContactEvent& event) override { events_.push_back(event); }
  void finish(const std::string&) override {}

  void set_summary(RunSummary summary) { summary_ = std::move(summary); }
  const RunSummary& summary() const { return summary_; }
  const RecordLayout& layout() const { return layout_; }
  const std::vector<Sample>& samples() const { return samples_; }
  const std::vector<ContactEvent>& events() const { return events_; }
  double duration() const { return samples_.empty() ? 0.0 : samples_.back().time; }
  /// Recorded times within [t0, t1], with both ends.
  std::vector<double> times_between(double t0, double t1) const;

  Vec3 calc_position(int body, double t) const;
  Vec3 calc_velocity(int body, double t) const;
  Vec3 calc_angular_velocity(int body, double t) const;
  /// World components of the body-fixed unit vector along `axis`.
  Vec3 calc_direction(int body, int axis, double t) const;
  double calc_joint(int joint, int index, double t) const;
  double calc_joint_rate(int joint, int index, double t) const;
  double calc_joint_force(int joint, int index, double t) const;
  /// Of a sensor, by its number; between two recorded times what it showed at the first.
  double calc_sensor(int sensor, int index, double t) const;
  double calc_energy(int column, double t) const;
  PairState calc_pair(int a, int b, double t) const;

  /// In order of touch. A pair with several points at once has one span for each.
  std::vector<ContactSpan> calc_spans(int a, int b) const;
  /// Null when the pair never touched.
  const PairSummary* find_pair(int a, int b) const;

 private:
  /// Samples around t and how far between them, 0 to 1.
  struct Place {
    const Sample* before;
    const Sample* after;
    double fraction;
    double interval;  ///< [s]
  };
  Place find_place(double t) const;

  RecordLayout layout_;
  std::vector<Sample> samples_;
  std::vector<ContactEvent> events_;
  RunSummary summary_;
};

}  // namespace abut
