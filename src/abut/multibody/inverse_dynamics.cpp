#include "abut/multibody/inverse_dynamics.hpp"

#include "abut/multibody/joint_wrenches.hpp"
#include "abut/multibody/spatial.hpp"

namespace abut {

VecX calc_inverse_dynamics(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                           std::span<const double> vdot) {
  JointWrenches joints;
  calc_joint_wrenches(tree, kinematics, loads, vdot, joints);
  VecX joint_force = VecX::Zero(tree.num_v());
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    if (link.num_v == 0) continue;
    joint_force.segment(link.v_start, link.num_v) =
        spatial::calc_joint_columns(link, kinematics).transpose() * joints.wrench[static_cast<std::size_t>(i)];
  }
  if (!loads.tau.empty()) joint_force -= Eigen::Map<const VecX>(loads.tau.data(), tree.num_v());
  return joint_force;
}

}  // namespace abut
