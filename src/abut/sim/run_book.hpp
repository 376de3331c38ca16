#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "abut/contact/patch_shape.hpp"
#include "abut/scene/record.hpp"
#include "abut/sim/dynamics.hpp"
#include "abut/sim/face_spin_watch.hpp"
#include "abut/sim/joint_pair_watch.hpp"
#include "abut/sim/run_summary.hpp"
#include "abut/sim/sensor_bank.hpp"
#include "abut/sim/uncovered_pair_watch.hpp"

namespace abut {

/// Keeps the books of a run, whatever the method: hands samples and events to the sink, follows peaks and sticking of
/// each patch, moves the work of ended patches to their pairs, and sums all up at the end.
class RunBook {
 public:
  RunBook(Dynamics& dynamics, State& state, RecordSink& sink);

  /// Gives the place of a new patch its continuous states and reports the touch.
  void begin_patch(int place, double gap_rate, const PatchKin& kin = {});
  /// Takes the work of a patch that has ended out of its place and reports the lift.
  void end_patch(const Patch& patch, int place, double gap_rate, const PatchKin& kin = {});
  /// Whether the scene is small enough for a person to follow each stick and slip.
  bool reports_sticking() const { return reports_sticking_; }
  /// Updates peaks from the responses at time t and reports what begins to stick or slip.
  void observe(double t, const std::vector<PatchResponse>& responses);

  /// Enters the largest force of a patch where a method has found it between the instants that observe() sees.
  void note_peak(int place, double time, const PatchResponse& response);

  /// True when the next sample is due at or before t.
  bool is_sample_due(double t) const { return next_sample_time() <= t; }
  double next_sample_time() const;
  /// Records the state at (t, y, works); the patches are those of the bound state.
  void sample(double t, const double* y, const double* works);
  /// What such a sample shows, without a trace in the books; the last of its energies is the residual.
  EnergyBalance look(double t, const double* y, const double* works, Sample& out);

  /// Energy that has come from nowhere, at the last sample [J]; far more than the run ever had means that it diverges.
  double energy_gained() const { return last_energy_.total() - energy_at_start_; }
  /// At two samples in a row: a step from rest moves before anything of it is booked as work.
  bool has_diverged() const { return num_gains_ > 1; }
  /// The largest kinetic energy, or what was dissipated and put in if that is more, up to the last sample [J].
  double energy_turnover() const { return std::max(kinetic_max_, moved_max_); }

  /// Takes their samples as the method says.
  SensorBank& sensors() { return sensors_; }

  /// Everything but status, work and wall time.
  RunSummary make_summary();
  /// "ball-incline", or "box-floor#3" where a pair has several points.
  std::string describe_patch(const Patch& patch) const;

  /// What has been noted so far; the sink keeps its own record.
  template <class Archive>
  void visit(Archive& archive) {
    archive(joint_pairs_, uncovered_pairs_, face_spins_, num_samples_, num_gains_, has_start_, energy_at_start_,
            worst_residual_, kinetic_max_, moved_max_, volume_made_, shapes_, ended_peaks_, start_notes_, wave_notes_,
            first_energy_, last_energy_);
  }

 private:
  /// What a patch looked like under its largest force so far. Places of the pool are given anew as it is compacted, so
  /// that each says whose it is.
  struct NotedShape {
    PatchKey key;
    PatchShape shape;
  };

  bool is_gaining() const;
  PatchNumbers numbers();
  void fill_contact(double t, std::size_t index, const double* y, ContactSample& out);
  static void fill_patch(const HertzEllipse& hertz, ContactSample& out);
  void resize_contacts(std::size_t count, std::vector<ContactSample>& contacts);
  void fill_bodies(Sample& sample) const;
  std::vector<PairSummary> summarize_pairs();
  void note_shape(int place, const PatchResponse& response);
  const PatchShape* find_shape(const Patch& patch, int place) const;
  void take_peak(const Patch& patch, int place, bool has_ended, PairSummary& out) const;
  void judge_start();

  Dynamics& dynamics_;
  State& state_;
  RecordSink& sink_;
  JointPairWatch joint_pairs_;
  UncoveredPairWatch uncovered_pairs_;
  FaceSpinWatch face_spins_;
  SensorBank sensors_;
  Sample sample_;
  ContactMemory memory_;       ///< before a sample looks at the contacts
  std::vector<double> rates_;  ///< of the state, for the forces in joints
  std::vector<std::array<Vec3, 2>> curve_;
  std::vector<std::vector<CurveSegment>> spare_curves_;
  double interval_ = 0.0;
  long num_samples_ = 0;
  int num_gains_ = 0;  ///< last samples in a row at which far too much energy had come from nowhere
  bool reports_sticking_ = true;
  bool has_start_ = false;
  double energy_at_start_ = 0.0;
  double worst_residual_ = 0.0;
  double kinetic_max_ = 0.0, moved_max_ = 0.0;
  double volume_made_ = 0.0;  ///< by volumetric patches that have ended, gains only [J]
  std::vector<NotedShape> shapes_;
  std::map<std::pair<int, int>, PairSummary> ended_peaks_;  ///< by links; of patches that have ended
  std::vector<std::string> start_notes_;
  std::map<std::pair<int, int>, std::string> wave_notes_;  ///< by links; of the touch with the largest force
  EnergyBalance first_energy_;
  EnergyBalance last_energy_;
};

}  // namespace abut
