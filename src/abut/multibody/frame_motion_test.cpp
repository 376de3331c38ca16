#include "abut/multibody/frame_motion.hpp"

#include <gtest/gtest.h>

#include "abut/multibody/configuration.hpp"
#include "abut/multibody/jacobian.hpp"
#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

TEST(FrameMotion, MatchesPointJacobianAndFiniteDifferences) {
  const Tree tree(test::make_random_specs(11, 14));
  test::Random random(5);
  VecX q = make_neutral_q(tree);
  const VecX v = random.vector(tree.num_v());
  move_coordinates(tree, as_span(random.vector(tree.num_v())), 0.7, as_span(q));
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  for (int link = 0; link < tree.num_links(); ++link) {
    const Vec3 p_BQ = random.vector(), p_WQ = k.X_WB[link] * p_BQ;
    const MatX J = calc_frame_jacobian(tree, k, link, p_WQ);
    EXPECT_TRUE(J.topRows(3).isApprox(calc_point_jacobian(tree, k, link, p_WQ), 1e-14) || J.topRows(3).isZero(0.0));
    EXPECT_LT((J.bottomRows(3) * v - k.w_WB[link]).norm(), 1e-13);
    // Velocities a moment before and after at the same speeds; second order in h.
    const double h = 1e-5;
    const auto velocity_at = [&](double dt) {
      VecX moved = q;
      move_coordinates(tree, as_span(v), dt, as_span(moved));
      Kinematics there;
      calc_kinematics(tree, as_span(moved), as_span(v), there);
      Vec6 velocity;
      velocity << there.calc_point_velocity(link, there.X_WB[link] * p_BQ), there.w_WB[link];
      return velocity;
    };
    const Vec6 expected = (velocity_at(h) - velocity_at(-h)) / (2.0 * h);
    EXPECT_LT((calc_frame_bias(tree, k, link, p_WQ) - expected).norm(), 1e-7 * (1.0 + expected.norm())) << link;
  }
}

}  // namespace
}  // namespace abut
