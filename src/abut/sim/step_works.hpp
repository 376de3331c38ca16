#pragma once

#include <optional>
#include <span>

#include "abut/sim/dynamics.hpp"

namespace abut {

/// The ledger of a step on velocities, but for contacts.
///
/// Gravity, springs, forces and joint loads act as they are at the start of the step. They change momenta by h f, and
/// so kinetic energy by h f times the mean of the velocities of start and end, exactly. What is stored changes along
/// the displacement instead; the difference of the two is what the stepping itself loses, `time_stepping`.
class StepWorks {
 public:
  /// At the motion of the start of a step: takes what gravity and springs store, and books its change since last time.
  void book_stored_change(const Dynamics& dynamics, State& state);
  /// At the same motion: the works of the coming step, which ends with the speeds v_end.
  void book(const Dynamics& dynamics, State& state, std::span<const double> v_end, double h);

 private:
  double calc_gravity_work(const Dynamics& dynamics, std::span<const double> v_end, double h) const;

  std::optional<double> stored_;  ///< [J]
  Kinematics end_;                ///< velocities of the end at the poses of the start
};

}  // namespace abut
