#include "abut/multibody/effective_mass.hpp"

#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

/// n . J M^-1 J' . n with dense matrices over the speeds that forces can change.
double calc_dense(const Tree& tree, const Kinematics& k, int a, int b, const Vec3& point, const Vec3& n) {
  const VecX row = (calc_point_jacobian(tree, k, a, point) - calc_point_jacobian(tree, k, b, point)).transpose() * n;
  const MatX M = calc_mass_matrix(tree, k);
  std::vector<int> active;
  for (int i = 0; i < tree.num_links(); ++i) {
    const Link& link = tree.link(i);
    for (int c = 0; c < link.num_v && !link.prescribed; ++c) active.push_back(link.v_start + c);
  }
  const VecX reduced_row = row(active);
  const MatX reduced_M = M(active, active);
  return reduced_row.dot(reduced_M.ldlt().solve(reduced_row));
}

class EffectiveMassTrees : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, EffectiveMassTrees, testing::Range(300u, 312u));

TEST_P(EffectiveMassTrees, EqualsTheDenseFormForEveryPair) {
  const Tree tree(test::make_random_specs(GetParam(), 10, GetParam() % 2 == 0));
  const test::RandomState state(tree, GetParam() + 1);
  test::Random random(GetParam() + 2);
  for (int a = kWorld; a < tree.num_links(); ++a) {
    for (int b = kWorld; b < a; ++b) {
      const Vec3 point = 2.0 * random.vector(), n = random.vector().normalized();
      const double expected = calc_dense(tree, state.kinematics, a, b, point, n);
      // Condition of the mass matrix (below 1e5) times rounding.
      EXPECT_NEAR(calc_inverse_effective_mass(tree, state.kinematics, a, b, point, n), expected,
                  1e-10 * (1.0 + expected))
          << a << " " << b;
      EXPECT_GE(expected, -1e-12);
    }
  }
}

TEST(EffectiveMass, ClosedFormsOfFreeBodies) {
  LinkSpec ball{.name = "ball", .mass = {2.0, Vec3::Zero(), 0.4 * Mat3::Identity()}};
  LinkSpec brick{.name = "brick", .mass = {4.0, Vec3::Zero(), Vec3(1.0, 2.0, 2.5).asDiagonal()}};
  LinkSpec wall{.name = "wall", .joint = JointType::fixed};
  const Tree tree({ball, brick, wall});
  const VecX q = make_neutral_q(tree), v = VecX::Zero(tree.num_v());
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  const Vec3 x = Vec3::UnitX(), center = Vec3::Zero(), above(0.0, 0.0, 0.5);
  EXPECT_DOUBLE_EQ(calc_inverse_effective_mass(tree, k, 0, kWorld, center, x), 0.5);
  EXPECT_DOUBLE_EQ(calc_inverse_effective_mass(tree, k, 0, 1, center, x), 0.5 + 0.25);
  EXPECT_DOUBLE_EQ(calc_inverse_effective_mass(tree, k, 0, 2, above, x), 0.5 + 0.25 / 0.4);
  EXPECT_DOUBLE_EQ(calc_inverse_effective_mass(tree, k, 2, 1, above, x), 0.25 + 0.25 / 2.0);
  EXPECT_EQ(calc_inverse_effective_mass(tree, k, 2, kWorld, above, x), 0.0);
  EXPECT_EQ(calc_inverse_effective_mass(tree, k, 1, 1, above, x), 0.0);
}

TEST(EffectiveMass, DependsOnTheConfigurationNotOnSpeeds) {
  const Tree tree(test::make_floating_chain(320));
  const test::RandomState moving(tree, 321);
  Kinematics resting;
  const VecX zero = VecX::Zero(tree.num_v());
  calc_kinematics(tree, as_span(moving.q), as_span(zero), resting);
  const Vec3 point(0.1, 0.2, 0.3), n = Vec3::UnitY();
  EXPECT_DOUBLE_EQ(calc_inverse_effective_mass(tree, moving.kinematics, 7, kWorld, point, n),
                   calc_inverse_effective_mass(tree, resting, 7, kWorld, point, n));
}

}  // namespace
}  // namespace abut
