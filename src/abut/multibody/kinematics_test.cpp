#include "abut/multibody/kinematics.hpp"

#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

/// State after a small time h at given speeds and accelerations, to second order in the coordinates.
Kinematics calc_moved(const Tree& tree, const VecX& q, const VecX& v, const VecX& vdot, double h) {
  VecX rate(tree.num_q());
  const VecX middle_v = v + 0.5 * h * vdot;
  calc_q_dot(tree, as_span(q), as_span(middle_v), as_span(rate));
  VecX half = q + 0.5 * h * rate;
  calc_q_dot(tree, as_span(half), as_span(middle_v), as_span(rate));
  const VecX moved_q = q + h * rate, moved_v = v + h * vdot;
  Kinematics moved;
  calc_kinematics(tree, as_span(moved_q), as_span(moved_v), moved);
  return moved;
}

TEST(Kinematics, VelocitiesAreRatesOfPoses) {
  const Tree tree(test::make_floating_chain(5));
  const test::RandomState state(tree, 6);
  constexpr double kStep = 1e-5;  // central difference: h^2 times third derivatives of order 1e2
  const VecX none = VecX::Zero(tree.num_v());
  const Kinematics after = calc_moved(tree, state.q, state.v, none, kStep);
  const Kinematics before = calc_moved(tree, state.q, state.v, none, -kStep);
  for (std::size_t i = 0; i < after.X_WB.size(); ++i) {
    const Vec3 velocity = (after.p_WCm[i] - before.p_WCm[i]) / (2.0 * kStep);
    const Mat3 R_rate = (after.X_WB[i].R - before.X_WB[i].R) / (2.0 * kStep);
    EXPECT_LT((velocity - state.kinematics.v_WCm[i]).norm(), 1e-7) << i;
    EXPECT_LT((R_rate - skew(state.kinematics.w_WB[i]) * state.kinematics.X_WB[i].R).norm(), 1e-7) << i;
  }
}

TEST(Kinematics, BiasAndSubspaceGiveAccelerations) {
  const Tree tree(test::make_floating_chain(7));
  const test::RandomState state(tree, 8);
  test::Random random(9);
  const VecX vdot = random.vector(tree.num_v());
  constexpr double kStep = 1e-5;
  const Kinematics after = calc_moved(tree, state.q, state.v, vdot, kStep);
  const Kinematics before = calc_moved(tree, state.q, state.v, vdot, -kStep);
  const Kinematics& k = state.kinematics;
  std::vector<Vec6> a(static_cast<std::size_t>(tree.num_links()));
  for (int index = 0; index < tree.num_links(); ++index) {
    const Link& link = tree.link(index);
    const std::size_t i = static_cast<std::size_t>(index), p = static_cast<std::size_t>(link.parent);
    const VecX own = vdot.segment(link.v_start, link.num_v);
    if (link.joint == JointType::free) {
      a[i] = own;
    } else {
      a[i] = k.bias[static_cast<std::size_t>(link.articulated_index)] + a[p] +
             k.S.middleCols(link.subspace_start, link.num_v) * own;
      a[i].head<3>() += a[p].tail<3>().cross(k.p_WCm[i] - k.p_WCm[p]);
    }
    const Vec3 linear = (after.v_WCm[i] - before.v_WCm[i]) / (2.0 * kStep);
    const Vec3 angular = (after.w_WB[i] - before.w_WB[i]) / (2.0 * kStep);
    // As above, with derivatives one order higher.
    EXPECT_LT((a[i].head<3>() - linear).norm(), 1e-6) << index;
    EXPECT_LT((a[i].tail<3>() - angular).norm(), 1e-6) << index;
  }
}

TEST(Kinematics, FreeCoordinatesAreThoseOfTheCentreOfMass) {
  test::Random random(10);
  const Tree tree({test::make_random_link(random, JointType::free, kWorld)});
  VecX q = make_neutral_q(tree), v = random.vector(6);
  const Pose X_WB = random.pose();
  set_free_pose(tree, 0, X_WB, as_span(q));
  const Vec3 v_WB(1.0, 2.0, 3.0), w_WB(-1.0, 0.5, 2.0);
  set_free_velocity(tree, 0, v_WB, w_WB, as_span(q), as_span(v));
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  EXPECT_LT((k.X_WB[0].R - X_WB.R).norm() + (k.X_WB[0].p - X_WB.p).norm(), 1e-14);
  EXPECT_EQ(k.p_WCm[0], Vec3(q.head<3>()));
  EXPECT_EQ(k.v_WCm[0], Vec3(v.head<3>()));
  EXPECT_LT((k.calc_point_velocity(0, X_WB.p) - v_WB).norm(), 1e-14);
  EXPECT_EQ(k.calc_point_velocity(kWorld, X_WB.p), Vec3(Vec3::Zero()));
}

TEST(Kinematics, QuaternionLengthDoesNotMatter) {
  const Tree tree(test::make_floating_chain(11));
  const test::RandomState state(tree, 12);
  VecX longer = state.q;
  for (int i = 0; i < tree.num_links(); ++i) {
    const int offset = quaternion_offset(tree.link(i).joint);
    if (offset >= 0) longer.segment<4>(tree.q_start(i) + offset) *= 1.7;
  }
  Kinematics k;
  calc_kinematics(tree, as_span(longer), as_span(state.v), k);
  for (std::size_t i = 0; i < k.X_WB.size(); ++i) {
    EXPECT_LT((k.p_WCm[i] - state.kinematics.p_WCm[i]).norm(), 1e-13) << i;  // rounding along the chain
    EXPECT_LT((k.v_WCm[i] - state.kinematics.v_WCm[i]).norm(), 1e-13) << i;
  }
}

TEST(Kinematics, AnySplitOfFreeLeavesGivesTheSameBits) {
  std::vector<LinkSpec> specs;
  test::Random random(13);
  for (int i = 0; i < 11; ++i) specs.push_back(test::make_random_link(random, JointType::free, kWorld));
  specs.push_back(test::make_random_link(random, JointType::revolute, 4));
  const Tree tree(specs);
  ASSERT_EQ(tree.num_free_leaves(), 10);
  const test::RandomState state(tree, 14);
  Kinematics split;
  split.resize(tree);
  calc_free_leaf_kinematics(tree, 6, 10, as_span(state.q), as_span(state.v), split);
  calc_articulated_kinematics(tree, as_span(state.q), as_span(state.v), split);
  calc_free_leaf_kinematics(tree, 0, 6, as_span(state.q), as_span(state.v), split);
  for (std::size_t i = 0; i < split.X_WB.size(); ++i) {
    EXPECT_EQ(split.X_WB[i].R, state.kinematics.X_WB[i].R);
    EXPECT_EQ(split.X_WB[i].p, state.kinematics.X_WB[i].p);
    EXPECT_EQ(split.v_WCm[i], state.kinematics.v_WCm[i]);
  }
}

}  // namespace
}  // namespace abut
