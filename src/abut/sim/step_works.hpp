#pragma once

#include <optional>
#include <span>
#include <vector>

#include "abut/sim/dynamics.hpp"
#include "abut/sim/free_motion.hpp"
#include "abut/sim/joint_rows.hpp"

namespace abut {

/// The ledger of a step on velocities, but for contacts.
///
/// Gravity, springs and forces act as they are at the start of the step, loads of joints as JointRows finds them. They
/// change momenta by h f, and so kinetic energy by h f times the mean of the velocities of start and end, exactly. What
/// is stored changes along the displacement instead; the difference of the two is what the stepping itself loses,
/// `time_stepping`. So is what turning costs: gyroscopic and centrifugal forces do work at the mean of the velocities,
/// and the inertia changes along the displacement; in exact motion the two cancel. Of single bodies without contacts
/// both are zero to rounding.
class StepWorks {
 public:
  /// At the motion of the start of a step: takes what gravity and springs store, and books its change since last time.
  void book_stored_change(const Dynamics& dynamics, State& state);
  /// At the same motion, with the speeds of state.y as the step began: its works; it ends with the speeds v_end.
  void book(const Dynamics& dynamics, State& state, const FreeMotion& free, const JointRows& joints,
            std::span<const double> v_end, double h);

  template <class Archive>
  void visit(Archive& archive) {
    archive(stored_, turning_);
  }

 private:
  double calc_gravity_work(const Dynamics& dynamics, std::span<const double> v_end, double h) const;

  std::optional<double> stored_;  ///< [J]
  Kinematics end_;                ///< velocities of the end at the poses of the start
  /// Kinetic energy with the speeds of the end at the poses of the start: of what turns of free bodies, and of
  /// mechanisms [J]; none before the first step.
  std::optional<double> turning_;
};

}  // namespace abut
