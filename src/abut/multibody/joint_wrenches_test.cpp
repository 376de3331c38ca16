#include "abut/multibody/joint_wrenches.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

/// A random tree under random loads, with the accelerations that the articulated body algorithm finds.
struct Loaded {
  explicit Loaded(unsigned seed, int num_links = 14, bool with_prescribed = true)
      : tree(test::make_random_specs(seed, num_links, with_prescribed)),
        state(tree, seed + 1),
        wrenches(test::make_random_wrenches(tree, seed + 2)),
        vdot(VecX::Zero(tree.num_v())),
        prescribed_force(VecX::Zero(tree.num_v())) {
    test::Random random(seed + 3);
    tau = random.vector(tree.num_v());
    const VecX wanted = random.vector(tree.num_v());
    DynamicsWorkspace workspace;
    calc_forward_dynamics(tree, state.kinematics, loads(), as_span(wanted), workspace, as_span(vdot),
                          as_span(prescribed_force));
    calc_joint_wrenches(tree, state.kinematics, loads(), as_span(vdot), joints);
  }
  AppliedLoads loads() const { return {Vec3(0.3, -1.0, -9.81), wrenches, as_span(tau)}; }

  Tree tree;
  test::RandomState state;
  std::vector<Wrench> wrenches;
  VecX tau, vdot, prescribed_force;
  JointWrenches joints;
};

/// Newton and Euler for each body alone, with accelerations that no recursion has found: the velocities of all bodies
/// at (q + h q', v + h v') less those at (q - h q', v - h v').
TEST(JointWrenches, CloseNewtonEulerOfEachBody) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Loaded made(seed);
    const Tree& tree = made.tree;
    const double h = 1e-5;
    Kinematics side[2];
    for (int k = 0; k < 2; ++k) {
      const double step = k == 0 ? -h : h;
      VecX q = made.state.q, v = made.state.v + step * made.vdot,
           way = step * made.state.v + 0.5 * step * step * made.vdot;
      move_coordinates(tree, as_span(way), 1.0, as_span(q));
      calc_kinematics(tree, as_span(q), as_span(v), side[k]);
    }
    const Kinematics& now = made.state.kinematics;
    for (int i = 0; i < tree.num_links(); ++i) {
      const Link& link = tree.link(i);
      const auto momentum = [&](const Kinematics& at) {
        const Mat3& R = at.X_WB[i].R;
        return Vec3(R * link.mass.inertia * R.transpose() * at.w_WB[i]);
      };
      const Vec3 force = link.mass.mass * ((side[1].v_WCm[i] - side[0].v_WCm[i]) / (2.0 * h) - made.loads().gravity);
      const Vec3 torque = (momentum(side[1]) - momentum(side[0])) / (2.0 * h);
      Vec3 acting_force = made.wrenches[i].force + made.joints.wrench[i].head<3>();
      Vec3 acting_torque = made.wrenches[i].torque + made.joints.wrench[i].tail<3>();
      for (int child = 0; child < tree.num_links(); ++child) {
        if (tree.link(child).parent != i) continue;
        const Vec3 f = made.joints.wrench[child].head<3>(), m = made.joints.wrench[child].tail<3>();
        acting_force -= f;
        acting_torque -= m + (now.p_WCm[child] - now.p_WCm[i]).cross(f);
      }
      // The differences are exact to h^2 and to rounding over h: 1e-10 and 1e-11 of what is of order 10.
      const double scale = 1.0 + made.joints.wrench[i].norm();
      EXPECT_LT((force - acting_force).norm(), 2e-7 * scale) << seed << " " << tree.name(i);
      EXPECT_LT((torque - acting_torque).norm(), 2e-7 * scale) << seed << " " << tree.name(i);
    }
  }
}

/// Along its ways a joint hands on what its loads and its prescribed motion exert; a free link is held by nobody
/// but its own load.
TEST(JointWrenches, AlongTheirWaysAreTheLoadsOfTheJoints) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Loaded made(seed);
    for (int i = 0; i < made.tree.num_links(); ++i) {
      const Link& link = made.tree.link(i);
      const Vec6& wrench = made.joints.wrench[i];
      const double rounding = 1e-11 * (10.0 + wrench.norm() + made.tau.norm());
      if (link.joint == JointType::free) {
        const VecX load = made.tau.segment(link.v_start, 6) + made.prescribed_force.segment(link.v_start, 6);
        EXPECT_LT((wrench - load).norm(), rounding) << seed;
        continue;
      }
      const MatX S = made.state.kinematics.S.middleCols(link.subspace_start, link.num_v);
      const VecX load =
          made.tau.segment(link.v_start, link.num_v) + made.prescribed_force.segment(link.v_start, link.num_v);
      EXPECT_LT((S.transpose() * wrench - load).norm(), rounding) << seed << " " << made.tree.name(i);
      const Vec6 actuated = calc_actuated_part(made.tree, made.state.kinematics, i, wrench);
      EXPECT_LT((S.transpose() * (wrench - actuated)).norm(), rounding) << seed << " " << made.tree.name(i);
    }
  }
}

/// What all joints to the world hand on is the rate of the momentum of everything, less weight and loads.
TEST(JointWrenches, OfTheRootsCarryEverything) {
  const Loaded made(7, 20, false);
  Vec3 force = Vec3::Zero(), expected = Vec3::Zero();
  for (int i = 0; i < made.tree.num_links(); ++i) {
    const Link& link = made.tree.link(i);
    if (link.parent == kWorld) force += made.joints.wrench[i].head<3>();
    expected +=
        link.mass.mass * (made.joints.acceleration[i].head<3>() - made.loads().gravity) - made.wrenches[i].force;
  }
  EXPECT_LT((force - expected).norm(), 1e-10);  // rounding of sums of order 100
}

/// A bob on a massless rod, let go at the angle a0: at the angle a all that its bearing feels is along the rod,
/// m g (3 cos a - 2 cos a0).
TEST(JointWrenches, OfAPendulumAreTheTensionOfItsRod) {
  const double m = 2.0, l = 0.7, g = 9.81, start = 1.1, angle = 0.4;
  LinkSpec bob;
  bob.joint = JointType::revolute;
  bob.axis = Vec3::UnitY();
  bob.X_BM.p = Vec3(0, 0, l);
  bob.mass.mass = m;
  const Tree tree({bob});
  const double speed = std::sqrt(2.0 * g / l * (std::cos(angle) - std::cos(start)));
  const VecX q = VecX::Constant(1, angle), v = VecX::Constant(1, speed);
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  VecX vdot = VecX::Zero(1);
  DynamicsWorkspace workspace;
  const AppliedLoads loads{Vec3(0, 0, -g), {}, {}};
  calc_forward_dynamics(tree, k, loads, {}, workspace, as_span(vdot));
  JointWrenches joints;
  calc_joint_wrenches(tree, k, loads, as_span(vdot), joints);
  const Vec3 along = -k.p_WCm[0].normalized();
  const Vec3 force = joints.wrench[0].head<3>();
  EXPECT_NEAR(force.dot(along), m * g * (3.0 * std::cos(angle) - 2.0 * std::cos(start)), 1e-12);
  EXPECT_LT(force.cross(along).norm(), 1e-12);
}

/// Of a revolute joint the part that acts is a torque about its axis and nothing else, wherever the centre of mass is.
TEST(JointWrenches, OfARevoluteJointActByATorqueAboutItsAxis) {
  const Loaded made(3, 12, false);
  int seen = 0;
  for (int i = 0; i < made.tree.num_links(); ++i) {
    const Link& link = made.tree.link(i);
    if (link.joint != JointType::revolute) continue;
    ++seen;
    const Vec6 actuated = calc_actuated_part(made.tree, made.state.kinematics, i, made.joints.wrench[i]);
    const Vec3 axis = made.state.kinematics.S.col(link.subspace_start).tail<3>();
    EXPECT_LT(actuated.head<3>().norm(), 1e-13);
    EXPECT_LT((actuated.tail<3>() - made.tau[link.v_start] * axis).norm(), 1e-12);
  }
  EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace abut
