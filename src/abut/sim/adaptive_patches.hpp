#pragma once

#include <vector>

#include "abut/sim/repeat_watch.hpp"
#include "abut/sim/run_book.hpp"
#include "abut/sim/runs.hpp"

namespace abut {

/// Which patches begin, end, let go and grip again under error-controlled steps, always between two of them: at the
/// events that the integrator stops at, and where a look at the end of a step finds what no event could tell.
class AdaptivePatches {
 public:
  /// `end` is where a contact is told that makes it impossible to go on.
  AdaptivePatches(Dynamics& dynamics, State& state, RunBook& book, RunEnd& end);

  /// Poses and contact geometry of the present instant. Due before all that follows but compact() and is_any_inside().
  void update_geometry();
  /// Begins whatever overlaps, or touches to rounding and does not move apart, without a patch: bodies assembled in
  /// contact, and points that go from lift straight into contact. Such a point never was apart, so no event could fire
  /// for it. Whether there was any.
  bool begin_touching();
  /// Ends the patches of points that touched but came apart without ever having overlapped. Whether there was any.
  bool end_separated();
  /// What happens at the instant of these events, by their place: touches and lifts of points, then grips of patches.
  void handle_events(const std::vector<int>& events);
  /// A patch at the border of letting go may press again without its grip having been seen below zero; the ledger must
  /// know. Whether there was any; looks at the geometry itself.
  bool regain_grip();
  /// Whether some point without a patch is clearly inside, by these gaps of all points [m].
  bool is_any_inside(const VecX& gaps) const;
  /// Moves the patches together, and their states with them, so that the integrator carries no dead weight.
  void compact();

  template <class Archive>
  void visit(Archive& archive) {
    archive(lifted_, lift_time_, repeats_);
  }

 private:
  void begin(int point);
  void end(int point);
  void begin_deep();
  bool is_parting(int point) const;
  bool is_handed_over(const PatchKey& key) const;
  void take_over_from(int forerunner, int point);
  void inherit_grip(int point, double gap_rate, Patch* patch) const;
  void toggle_grip(int index);
  void check_repeats(const Patch& patch);
  void check_touch(const Patch& patch, double depth);

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  RunEnd& end_;
  std::vector<PatchKey> lifted_;  ///< at the last event
  double lift_time_ = -1.0;       ///< of the last of them [s]
  RepeatWatch repeats_;
};

}  // namespace abut
