#pragma once

#include <span>
#include <vector>

#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"
#include "abut/scene/joint_control_spec.hpp"
#include "abut/sim/control/control_law.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// What a model-based controller knows of the mechanism that its joints belong to: a tree of its own with the bodies
/// that hang together with them, and no others, with the masses that it believes in.
class ArmModel {
 public:
  ArmModel(const ControlSite& site, std::span<const NominalMassSpec> nominal);

  const Tree& tree() const { return tree_; }
  const Kinematics& kinematics() const { return kinematics_; }
  /// Where a link of the model is in tree(); -1 where it is none of the mechanism.
  int find_link(int model_link) const;
  /// Place of each motor among the speeds of tree().
  const std::vector<int>& motor_speeds() const { return motor_speeds_; }

  /// To the coordinates and speeds of the whole model.
  void update(const ControlInput& input);
  /// Generalised forces that bring about these accelerations of the motors' joints, in their order, against inertia,
  /// gravity, and the springs, dampers and viscous friction of the joints; other joints keep their speeds, or follow
  /// their prescribed motion.
  VecX calc_forces(const VecX& motor_accelerations) const;
  const VecX& v() const { return v_; }
  /// Of joints whose motion is prescribed; zero elsewhere.
  const VecX& prescribed_acceleration() const { return prescribed_; }

 private:
  /// Spring, damper and viscous friction of one coordinate, without its motor.
  struct PassiveLoad {
    int q = -1, v = 0;  ///< in the model
    int own_v = 0;
    JointLoad load;
  };

  Tree tree_;
  Vec3 gravity_;
  std::vector<int> model_links_;         ///< of each link
  std::vector<IndexRange> q_of_, v_of_;  ///< of each link, in the model
  std::vector<int> motor_speeds_;
  std::vector<PassiveLoad> passive_;
  VecX q_, v_, passive_force_, prescribed_;
  Kinematics kinematics_;
};

}  // namespace abut
