#include "abut/multibody/forward_dynamics.hpp"

#include <algorithm>
#include <iterator>

#include "abut/base/error.hpp"
#include "abut/multibody/spatial.hpp"

namespace abut {
namespace {

void check_sizes(const Tree& tree, const AppliedLoads& loads, std::span<const double> vdot) {
  ABUT_REQUIRE(loads.wrenches.empty() || std::ssize(loads.wrenches) == tree.num_links(), "{} wrenches for {} links",
               loads.wrenches.size(), tree.num_links());
  ABUT_REQUIRE(loads.tau.empty() || std::ssize(loads.tau) == tree.num_v(), "{} joint forces for {} speeds",
               loads.tau.size(), tree.num_v());
  ABUT_REQUIRE(std::ssize(vdot) == tree.num_v(), "{} accelerations for {} speeds", vdot.size(), tree.num_v());
}

/// Angular acceleration in world axes: Euler's equations in the body's axes, where the inertia is constant.
Vec3 calc_angular_acceleration(const FreeLeaf& leaf, const Mat3& R_WB, const Vec3& w_WB, const Vec3& torque) {
  const Vec3 w_B = R_WB.transpose() * w_WB;
  const Vec3 momentum_B = leaf.inertia * w_B;
  const Vec3 torque_B = R_WB.transpose() * torque;
  const Vec3 alpha_B = leaf.inverse_inertia * (torque_B - w_B.cross(momentum_B));
  return R_WB * alpha_B;
}

/// The link's own force at zero acceleration: gyroscopic torque less the applied loads.
Vec6 calc_own_force(const Link& link, int index, const Kinematics& k, const AppliedLoads& loads, const Mat6& inertia) {
  const Vec3& w = k.w_WB[static_cast<std::size_t>(index)];
  const Vec3 momentum = inertia.bottomRightCorner<3, 3>() * w;
  Vec6 p;
  p.head<3>() = -link.mass.mass * loads.gravity;
  p.tail<3>() = w.cross(momentum);
  if (!loads.wrenches.empty()) {
    const Wrench& wrench = loads.wrenches[static_cast<std::size_t>(index)];
    p.head<3>() -= wrench.force;
    p.tail<3>() -= wrench.torque;
  }
  return p;
}

}  // namespace

void calc_forward_dynamics(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                           std::span<const double> prescribed_acceleration, DynamicsWorkspace& workspace,
                           std::span<double> vdot, std::span<double> prescribed_force) {
  std::fill(prescribed_force.begin(), prescribed_force.end(), 0.0);
  calc_free_leaf_accelerations(tree, 0, tree.num_free_leaves(), kinematics, loads, vdot);
  calc_articulated_accelerations(tree, kinematics, loads, prescribed_acceleration, workspace, vdot, prescribed_force);
}

void calc_free_leaf_accelerations(const Tree& tree, int begin, int end, const Kinematics& kinematics,
                                  const AppliedLoads& loads, std::span<double> vdot) {
  check_sizes(tree, loads, vdot);
  const std::span<const FreeLeaf> leaves = tree.free_leaf_data();
  for (int k = begin; k < end; ++k) {
    const FreeLeaf& leaf = leaves[static_cast<std::size_t>(k)];
    const std::size_t i = static_cast<std::size_t>(leaf.link);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    if (!loads.wrenches.empty()) {
      force = loads.wrenches[i].force;
      torque = loads.wrenches[i].torque;
    }
    if (!loads.tau.empty()) {
      force += Eigen::Map<const Vec3>(loads.tau.data() + leaf.v_start);
      torque += Eigen::Map<const Vec3>(loads.tau.data() + leaf.v_start + 3);
    }
    const Vec3 a = loads.gravity + leaf.inverse_mass * force;
    Vec3 alpha = leaf.inverse_moment * torque;
    if (!leaf.isotropic) {
      alpha = calc_angular_acceleration(leaf, kinematics.X_WB[i].R, kinematics.w_WB[i], torque);
    }
    std::copy_n(a.data(), 3, vdot.data() + leaf.v_start);
    std::copy_n(alpha.data(), 3, vdot.data() + leaf.v_start + 3);
  }
}

void calc_articulated_accelerations(const Tree& tree, const Kinematics& kinematics, const AppliedLoads& loads,
                                    std::span<const double> prescribed_acceleration, DynamicsWorkspace& workspace,
                                    std::span<double> vdot, std::span<double> prescribed_force) {
  check_sizes(tree, loads, vdot);
  ABUT_REQUIRE(prescribed_acceleration.empty() || std::ssize(prescribed_acceleration) == tree.num_v(),
               "{} prescribed accelerations for {} speeds", prescribed_acceleration.size(), tree.num_v());
  const IndexRange all{0, static_cast<int>(tree.articulated_links().size())};
  workspace.bodies.resize(tree.articulated_links().size());
  set_rigid_bodies(tree, kinematics, all, workspace.bodies);
  for (int n = 0; n < all.end; ++n) {
    const int index = tree.articulated_links()[static_cast<std::size_t>(n)];
    ArticulatedBody& body = workspace.bodies[static_cast<std::size_t>(n)];
    body.p = calc_own_force(tree.link(index), index, kinematics, loads, body.I);
  }
  const JointInput input{loads.tau, prescribed_acceleration, true};
  reduce_bodies(tree, kinematics, all, input, workspace.bodies);
  expand_bodies(tree, kinematics, all, input, workspace.bodies, vdot, prescribed_force);
}

}  // namespace abut
