#pragma once

#include <span>
#include <vector>

#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Where links are between the beginning and the end of a fixed step. Free bodies go straight on and turn about one
/// axis, by as many turns as their angular velocity says; links of mechanisms go where their joints take them, whose
/// coordinates grow evenly: a steady turn about a hinge is exact, however many turns it takes.
class StepPath {
 public:
  explicit StepPath(const Tree& tree) : tree_(tree) {}

  void begin(const Kinematics& motion, std::span<const double> q);
  /// The motion given at the end must stay as it is while poses are asked for.
  void end(const Kinematics& motion, std::span<const double> q, double h);

  /// Frame of a link at `part` of the step, 0 to 1.
  Pose calc_pose(int link, double part) const;

 private:
  Pose calc_free_pose(int link, double part) const;
  void bend(double part) const;

  const Tree& tree_;
  const Kinematics* end_ = nullptr;
  double h_ = 0.0;
  std::vector<Pose> poses_;    ///< of the links, at the beginning
  std::vector<Vec3> centers_;  ///< of mass, at the beginning [m]
  std::vector<double> q_begin_, q_end_;
  mutable std::vector<double> q_between_, v_between_;
  mutable Kinematics between_;  ///< of mechanisms, at part_ of the step
  mutable double part_ = -1.0;
};

}  // namespace abut
