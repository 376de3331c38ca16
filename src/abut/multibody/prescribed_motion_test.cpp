#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

const Vec3 kGravity(0.0, 0.0, -9.81);

class PrescribedTrees : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, PrescribedTrees, testing::Range(200u, 215u));

TEST_P(PrescribedTrees, ForceAndMotionAgreeWithInverseDynamics) {
  const Tree tree(test::make_random_specs(GetParam(), 14, true));
  const test::RandomState state(tree, GetParam() + 1);
  test::Random random(GetParam() + 2);
  const VecX tau = random.vector(tree.num_v()), given = random.vector(tree.num_v());
  const std::vector<Wrench> wrenches = test::make_random_wrenches(tree, GetParam() + 3);
  const AppliedLoads loads{kGravity, wrenches, as_span(tau)};
  VecX vdot(tree.num_v()), force = VecX::Constant(tree.num_v(), NAN);
  DynamicsWorkspace workspace;
  calc_forward_dynamics(tree, state.kinematics, loads, as_span(given), workspace, as_span(vdot), as_span(force));
  // What inverse dynamics asks beside tau must be the prescribed force and nothing at the other joints.
  const VecX needed = calc_inverse_dynamics(tree, state.kinematics, loads, as_span(vdot));
  EXPECT_LT((needed - force).norm(), 1e-10 * (1.0 + force.norm()));  // condition of the mass matrix times rounding
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    for (int c = link.v_start; c < link.v_start + link.num_v; ++c) {
      if (link.prescribed) {
        EXPECT_EQ(vdot[c], given[c]);
      } else {
        EXPECT_EQ(force[c], 0.0);
      }
    }
  }
}

TEST(PrescribedMotion, HeldCartCarriesTheWeightAlongItsAxis) {
  LinkSpec cart{.name = "cart", .joint = JointType::prismatic, .axis = Vec3(0.0, 0.6, 0.8), .prescribed = true};
  cart.mass = {3.0, Vec3(0.1, 0.2, 0.3), Mat3::Identity()};
  const Tree tree({cart});
  const VecX q = VecX::Zero(1), v = VecX::Zero(1), given = VecX::Constant(1, 2.0);
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  VecX vdot(1), force(1);
  DynamicsWorkspace workspace;
  calc_forward_dynamics(tree, k, {kGravity, {}, {}}, as_span(given), workspace, as_span(vdot), as_span(force));
  EXPECT_NEAR(force[0], 3.0 * (2.0 + 9.81 * 0.8), 1e-13);
}

TEST(PrescribedMotion, SpringOnAPrescribedJointRelievesTheDrive) {
  LinkSpec cart{.name = "cart", .joint = JointType::prismatic, .prescribed = true};
  cart.mass = {3.0, Vec3::Zero(), Mat3::Identity()};
  const Tree tree({cart});
  const VecX zero = VecX::Zero(1), tau = VecX::Constant(1, 5.0);
  Kinematics k;
  calc_kinematics(tree, as_span(zero), as_span(zero), k);
  VecX vdot(1), force(1);
  DynamicsWorkspace workspace;
  calc_forward_dynamics(tree, k, {kGravity, {}, as_span(tau)}, {}, workspace, as_span(vdot), as_span(force));
  EXPECT_EQ(vdot[0], 0.0);
  EXPECT_NEAR(force[0], 3.0 * 9.81 - 5.0, 1e-13);
}

TEST(PrescribedMotion, DrivenFreeBodyNeedsNewtonAndEuler) {
  LinkSpec body{.name = "body", .prescribed = true};
  body.mass = {2.0, Vec3(0.1, 0.0, 0.0), Vec3(1.0, 2.0, 2.5).asDiagonal()};
  const Tree tree({body});
  EXPECT_EQ(tree.num_free_leaves(), 0);
  const VecX q = make_neutral_q(tree);
  VecX v(6), given(6), vdot(6), force(6), expected(6);
  v << 0.0, 0.0, 0.0, 1.0, 2.0, 3.0;
  given << 1.0, -1.0, 0.5, 0.1, 0.2, 0.3;
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  DynamicsWorkspace workspace;
  calc_forward_dynamics(tree, k, {kGravity, {}, {}}, as_span(given), workspace, as_span(vdot), as_span(force));
  // Euler: I alpha + w x I w with I w = (1, 4, 7.5), w x I w = (2*7.5-3*4, 3*1-1*7.5, 1*4-2*1).
  expected << 2.0, -2.0, 1.0 + 2.0 * 9.81, 0.1 + 3.0, 0.4 - 4.5, 0.75 + 2.0;
  EXPECT_EQ(vdot, given);
  EXPECT_LT((force - expected).norm(), 1e-13);
}

}  // namespace
}  // namespace abut
