#pragma once

#include <span>
#include <vector>

#include "abut/sim/dynamics.hpp"

namespace abut {

/// Speeds at the end of a step without contacts and without the loads of joints that depend on speeds (JointRows).
///
/// Gravity, springs and applied forces act as they are at the start of the step. Inertia that depends on speeds acts at
/// the mean of the speeds at start and end, where a step makes and loses nothing by it:
///   a body by itself, in its own axes    I (W+ - W) = h (I Wm) x Wm + h torque        (calc_turned_spin)
///   mechanisms                           M (v+ - v) = h (f - bias(q, (v + v+) / 2))
/// Body vectors W+ are those of the world's w+ before and after the step, which turns about w+ itself. Coordinates
/// follow with the speeds of the end: with q at the steps and v between them both rules are symmetric in time, so that
/// energy swings by what moves within half a step, and does not drift. Prescribed joints get (rate(t + h) - rate(t)) /
/// h, with which the work of their forces at the mean rate is exact.
/// Loops: coordinates move along v+, so that J v+ = -h J' v / 2 leads them along the bend of what the loops allow to
/// the second order, and what is left of the bend of the step before, J v = +h J' v / 2, makes the work of the
/// multipliers zero to that order.
class FreeMotion {
 public:
  /// At the motion of (t, y). `tau`: generalised forces that do not depend on the speeds to be found [N, N m].
  /// `is_explicit`: for steps whose coordinates follow with the speeds of the start, inertia acts as at the start too.
  void calc(Dynamics& dynamics, double t, const double* y, std::span<const double> tau, double h,
            bool is_explicit = false);

  const std::vector<double>& speeds() const { return v_free_; }
  /// Rates of the state as Dynamics gave them at the start.
  const std::vector<double>& rates() const { return rates_; }
  /// Work that gyroscopic and centrifugal forces do in a step that ends with the speeds v_end instead, at the mean
  /// of start and end [J]. Without contacts that of single bodies is zero to rounding.
  double calc_turning_work(const Dynamics& dynamics, std::span<const double> v_end) const;
  /// Forces of prescribed joints without contacts [N, N m], num_v.
  const std::vector<double>& prescribed_forces() const { return prescribed_force_; }
  /// Their work in the step [J].
  double prescribed_work() const { return prescribed_work_; }
  /// Work of what closes loops, which acts at the mean of the speeds at both ends and so does almost none [J].
  double loop_work() const { return loop_work_; }
  /// Mechanisms with the mean speeds at the poses of the start, as their inertia acted; nothing of free bodies.
  const Kinematics& mechanisms_at_mean() const { return at_mean_; }

 private:
  void turn_bodies(const Dynamics& dynamics, bool is_explicit);
  void move_mechanisms(Dynamics& dynamics, double t, const double* y, std::span<const double> tau, int most);

  double h_ = 0.0;
  std::vector<double> v_start_, v_free_, rates_, vdot_;
  std::vector<Vec3> gyroscopic_;  ///< impulses on free bodies, world axes [N m s]
  std::vector<double> mean_, prescribed_acceleration_, prescribed_force_;
  double prescribed_work_ = 0.0, loop_work_ = 0.0;
  std::vector<VecX> loop_speeds_;  ///< J v at the start
  Kinematics at_mean_;             ///< of mechanisms, with the mean speeds at the poses of the start
  Kinematics at_end_;
  DynamicsWorkspace workspace_;
};

}  // namespace abut
