#pragma once

#include <optional>
#include <span>
#include <vector>

#include "abut/sim/dynamics.hpp"

namespace abut {

/// How a step turns bodies.
enum class TurningRule {
  velocities,  ///< M(q) v+ = M(q) v + h (f - bias(q, v)): gyroscopic and centrifugal forces act as at the start
  momenta,     ///< I(q+) w+ = I(q) w + h torque for free bodies; mechanisms as above
};

/// The ledger of a step on velocities, but for contacts.
///
/// Gravity, springs, forces and joint loads act as they are at the start of the step. They change momenta by h f, and
/// so kinetic energy by h f times the mean of the velocities of start and end, exactly. What is stored changes along
/// the displacement instead; the difference of the two is what the stepping itself loses, `time_stepping`. So is what
/// turning costs: bodies turn with constant kinetic energy when nothing acts on them, but a step changes it, under the
/// first rule by the work of the bias forces at the mean of the velocities and the change of M along the displacement,
/// under the second by half of w+ . I(q) w - w . I(q+) w+.
class StepWorks {
 public:
  explicit StepWorks(TurningRule rule) : rule_(rule) {}

  /// At the motion of the start of a step: takes what gravity and springs store, and books its change since last time.
  void book_stored_change(const Dynamics& dynamics, State& state);
  /// At the same motion: the works of the coming step, which ends with the speeds v_end.
  void book(const Dynamics& dynamics, State& state, std::span<const double> v_end, double h);

 private:
  double calc_gravity_work(const Dynamics& dynamics, std::span<const double> v_end, double h) const;
  double calc_bias_work(const Dynamics& dynamics, std::span<const double> v_start, std::span<const double> v_end,
                        double h) const;
  double calc_spin_term(const Dynamics& dynamics) const;
  void keep_turning(const Dynamics& dynamics, std::span<const double> v_end);

  TurningRule rule_;
  std::optional<double> stored_;  ///< [J]
  Kinematics end_;                ///< velocities of the end at the poses of the start
  /// Of free bodies, w+ . I(q) w+ / 2 or w+ . I(q) w, q that of the start [J]; none before the first step.
  std::optional<double> turning_;
  double carried_ = 0.0;     ///< kinetic energy of mechanisms with the end's speeds at the start's pose [J]
  std::vector<Vec3> spins_;  ///< of free bodies at the start of the step [rad/s]
};

}  // namespace abut
