#include "abut/multibody/joint_wrenches.hpp"

#include <iterator>

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

void calc_joint_wrenches(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                         std::span<const double> vdot, JointWrenches& out) {
  ABUT_REQUIRE(std::ssize(vdot) == tree.num_v(), "{} accelerations for {} speeds", vdot.size(), tree.num_v());
  const std::size_t count = static_cast<std::size_t>(tree.num_links());
  out.acceleration.resize(count);
  out.wrench.resize(count);
  for (int i = 0; i < tree.num_links(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    out.acceleration[at] = calc_acceleration(tree, i, kinematics, vdot, out.acceleration);
    out.wrench[at] = calc_net_force(tree, i, kinematics, loads, out.acceleration[at]);
  }
  for (int i = tree.num_links() - 1; i >= 0; --i) {
    const Link& link = tree.link(i);
    if (link.parent == kWorld) continue;
    out.wrench[static_cast<std::size_t>(link.parent)] +=
        spatial::shift_force(out.wrench[static_cast<std::size_t>(i)], spatial::calc_arm(link, i, kinematics));
  }
}

Vec6 calc_actuated_part(const Tree& tree, const Kinematics& kinematics, int index, const Vec6& wrench) {
  const Link& link = tree.link(index);
  if (link.num_v == 0 || link.joint == JointType::free) return Vec6::Zero();
  const std::size_t i = static_cast<std::size_t>(index);
  // From the origin of the joint's frame to the centre of mass [m].
  const Pose X_WM = kinematics.X_WB[i] * link.X_MB.inverse();
  const Vec3 arm = kinematics.p_WCm[i] - X_WM.p;
  const VecX tau = kinematics.S.middleCols(link.subspace_start, link.num_v).transpose() * wrench;
  Vec6 at_origin = Vec6::Zero();
  for (int k = 0; k < link.num_v; ++k) {
    const Vec6 column = kinematics.S.col(link.subspace_start + k);
    at_origin += tau[k] * spatial::shift_motion(column, -arm);
  }
  return spatial::shift_force(at_origin, -arm);
}

}  // namespace abut
