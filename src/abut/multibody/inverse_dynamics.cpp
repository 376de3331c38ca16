#include "abut/multibody/inverse_dynamics.hpp"

#include <iterator>
#include <vector>

#include "abut/base/error.hpp"
#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

Vec6 calc_acceleration(const Tree& tree, int index, const Kinematics& k, std::span<const double> vdot,
                       const std::vector<Vec6>& a) {
  const Link& link = tree.link(index);
  const Eigen::Map<const VecX> own(vdot.data() + link.v_start, link.num_v);
  if (link.joint == JointType::free) return own;
  Vec6 result = k.bias[static_cast<std::size_t>(link.articulated_index)];
  if (link.num_v > 0) result += k.S.middleCols(link.subspace_start, link.num_v) * own;
  if (link.parent == kWorld) return result;
  return result + spatial::shift_motion(a[static_cast<std::size_t>(link.parent)], spatial::calc_arm(link, index, k));
}

/// Rate of change of the link's momentum less gravity and applied load.
Vec6 calc_net_force(const Tree& tree, int index, const Kinematics& k, const AppliedLoads& loads, const Vec6& a) {
  const Link& link = tree.link(index);
  const std::size_t i = static_cast<std::size_t>(index);
  const Mat3 inertia = spatial::calc_world_inertia(link, index, k);
  const Vec3 momentum = inertia * k.w_WB[i];
  Vec6 force;
  force.head<3>() = link.mass.mass * (a.head<3>() - loads.gravity);
  force.tail<3>() = inertia * a.tail<3>() + k.w_WB[i].cross(momentum);
  if (!loads.wrenches.empty()) {
    force.head<3>() -= loads.wrenches[i].force;
    force.tail<3>() -= loads.wrenches[i].torque;
  }
  return force;
}

}  // namespace

VecX calc_inverse_dynamics(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                           std::span<const double> vdot) {
  ABUT_REQUIRE(std::ssize(vdot) == tree.num_v(), "{} accelerations for {} speeds", vdot.size(), tree.num_v());
  const std::size_t count = static_cast<std::size_t>(tree.num_links());
  std::vector<Vec6> a(count), force(count);
  for (int i = 0; i < tree.num_links(); ++i) {
    a[static_cast<std::size_t>(i)] = calc_acceleration(tree, i, kinematics, vdot, a);
    force[static_cast<std::size_t>(i)] = calc_net_force(tree, i, kinematics, loads, a[static_cast<std::size_t>(i)]);
  }
  VecX joint_force = VecX::Zero(tree.num_v());
  for (int i = tree.num_links() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    const Vec6& f = force[static_cast<std::size_t>(i)];
    if (link.num_v > 0) {
      joint_force.segment(link.v_start, link.num_v) = spatial::calc_joint_columns(link, kinematics).transpose() * f;
    }
    if (link.parent == kWorld) continue;
    force[static_cast<std::size_t>(link.parent)] += spatial::shift_force(f, spatial::calc_arm(link, i, kinematics));
  }
  if (!loads.tau.empty()) joint_force -= Eigen::Map<const VecX>(loads.tau.data(), tree.num_v());
  return joint_force;
}

}  // namespace abut
