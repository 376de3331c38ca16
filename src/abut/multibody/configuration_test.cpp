#include "abut/multibody/configuration.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

TEST(Configuration, NeutralHasUnitQuaternionsAndZerosOtherwise) {
  const Tree tree(test::make_floating_chain(20));
  const VecX q = make_neutral_q(tree);
  EXPECT_EQ(q.sum(), 2.0);  // one for the free, one for the spherical joint
  EXPECT_EQ(q[3], 1.0);
}

TEST(Configuration, QuaternionsAreOfUnitLengthToRounding) {
  const Tree tree(test::make_floating_chain(20));
  VecX q = make_neutral_q(tree);
  EXPECT_TRUE(has_unit_quaternions(tree, as_span(q)));
  q[3] = 1.0 + 4e-15;
  EXPECT_TRUE(has_unit_quaternions(tree, as_span(q)));
  for (const double length : {1.0 + 1e-13, 1.0 - 1e-13, std::nan("")}) {
    q[3] = length;
    EXPECT_FALSE(has_unit_quaternions(tree, as_span(q))) << length;
  }
  q[3] = 2.0;
  normalize_quaternions(tree, as_span(q));
  EXPECT_TRUE(has_unit_quaternions(tree, as_span(q)));
}

TEST(Configuration, QuaternionFollowsASteadyRotationInWorldAxes) {
  // At constant w the exact solution is exp(w t / 2) (x) q0; the rate is compared with its central difference.
  const Tree tree({LinkSpec{.name = "body", .mass = {1.0, Vec3::Zero(), Mat3::Identity()}}});
  test::Random random(21);
  const Quat start = random.rotation();
  const Vec3 w(0.4, -1.2, 2.0);
  VecX q(7), v(6), rate(7);
  q << 0.0, 0.0, 0.0, start.w(), start.x(), start.y(), start.z();
  v << 1.0, 2.0, 3.0, w;
  calc_q_dot(tree, as_span(q), as_span(v), as_span(rate));
  EXPECT_EQ(Vec3(rate.head<3>()), Vec3(1.0, 2.0, 3.0));
  constexpr double kStep = 1e-5;
  const auto rotated = [&](double t) { return Quat(Quat(Eigen::AngleAxisd(w.norm() * t, w.normalized())) * start); };
  const Quat after = rotated(kStep), before = rotated(-kStep);
  EXPECT_NEAR(rate[3], (after.w() - before.w()) / (2.0 * kStep), 1e-9);  // h^2 |w|^3 / 48
  EXPECT_NEAR(rate[4], (after.x() - before.x()) / (2.0 * kStep), 1e-9);
  EXPECT_NEAR(rate[5], (after.y() - before.y()) / (2.0 * kStep), 1e-9);
  EXPECT_NEAR(rate[6], (after.z() - before.z()) / (2.0 * kStep), 1e-9);
}

TEST(Configuration, RatesKeepQuaternionLength) {
  const Tree tree(test::make_floating_chain(22));
  const test::RandomState state(tree, 23);
  const VecX q = 1.3 * state.q;  // any length
  VecX rate(tree.num_q());
  calc_q_dot(tree, as_span(q), as_span(state.v), as_span(rate));
  for (int i = 0; i < tree.num_links(); ++i) {
    const int offset = quaternion_offset(tree.link(i).joint);
    if (offset < 0) continue;
    const int start = tree.q_start(i) + offset;
    EXPECT_GT(rate.segment<4>(start).norm(), 0.1);
    EXPECT_NEAR(q.segment<4>(start).dot(rate.segment<4>(start)), 0.0, 1e-15);
  }
}

TEST(Configuration, RangesCoverTheWhole) {
  std::vector<LinkSpec> specs = test::make_random_specs(24, 12);
  const Tree tree(specs);
  const test::RandomState state(tree, 25);
  VecX whole(tree.num_q()), parts = VecX::Constant(tree.num_q(), NAN);
  calc_q_dot(tree, as_span(state.q), as_span(state.v), as_span(whole));
  const int half = tree.num_free_leaves() / 2;
  calc_free_leaf_q_dot(tree, half, tree.num_free_leaves(), as_span(state.q), as_span(state.v), as_span(parts));
  calc_articulated_q_dot(tree, as_span(state.q), as_span(state.v), as_span(parts));
  calc_free_leaf_q_dot(tree, 0, half, as_span(state.q), as_span(state.v), as_span(parts));
  EXPECT_EQ(whole, parts);
}

TEST(Configuration, NormalizesQuaternionsOnly) {
  const Tree tree(test::make_floating_chain(26));
  const test::RandomState state(tree, 27);
  VecX q = state.q;
  q.segment<4>(3) *= 5.0;
  normalize_quaternions(tree, as_span(q));
  EXPECT_LT((q - state.q).norm(), 1e-15);
}

}  // namespace
}  // namespace abut
