#pragma once

#include <map>
#include <string>
#include <vector>

#include "abut/contact/region/perimeter_guard.hpp"
#include "abut/contact/region/perimeter_memory.hpp"
#include "abut/sim/rebound_watch.hpp"
#include "abut/sim/run_book.hpp"
#include "abut/sim/runs.hpp"
#include "abut/sim/weak_damping.hpp"

namespace abut {

/// Contacts whose forces are held over a fixed step: weakened where they gave back more than they held, settled once
/// the step has been taken, and told of where the step is too long for them.
class HeldContacts {
 public:
  HeldContacts(Dynamics& dynamics, State& state, RunBook& book, double step);

  bool are_any() const { return dynamics_.contacts().holds_forces() && !state_.pool.active.empty(); }

  /// Before a step of length h: what to go back to.
  void begin(double h);
  /// After it: false where forces are weaker now and the step, taken back, must be taken again.
  bool accept();
  /// Takes the step back whatever came of it.
  void take_back();
  /// Peaks of forces and what their springs have made, once the step is accepted.
  void settle();

  long num_weakened() const { return guard_.num_weakened(); }  ///< steps that had to be taken again
  /// What the summary should say of them.
  void tell(RunEnd& end) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(weak_damping_, rebounds_, judged_, guard_, shortest_, made_);
  }

 private:
  void note_time_constant(const Patch& patch, const PerimeterHold& hold);
  void note_blow(int place, const Patch& patch, const PerimeterHold& hold);
  void tell_time_constants(RunEnd& end) const;
  void tell_made(RunEnd& end) const;

  Dynamics& dynamics_;
  State& state_;
  RunBook& book_;
  double step_;  ///< [s]
  WeakDamping weak_damping_;
  ReboundWatch rebounds_;
  std::vector<double> judged_;  ///< touch of the impact that was judged last at each place of the pool [s]
  PerimeterGuard guard_;
  std::vector<double> y_before_, works_before_;
  std::map<std::string, double> shortest_;  ///< time constants below the step, by pair [s]
  double made_ = 0.0;                       ///< beyond what their springs held [J]
};

}  // namespace abut
