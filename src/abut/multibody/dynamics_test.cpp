#include "abut/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

const Vec3 kGravity(0.3, -0.2, -9.81);

struct Loaded {
  explicit Loaded(const Tree& tree, unsigned seed) : wrenches(test::make_random_wrenches(tree, seed)) {
    test::Random random(seed + 1);
    tau = 3.0 * random.vector(tree.num_v());
    loads = {kGravity, wrenches, as_span(std::as_const(tau))};
  }
  std::vector<Wrench> wrenches;
  VecX tau;
  AppliedLoads loads;
};

VecX calc_vdot(const Tree& tree, const Kinematics& k, const AppliedLoads& loads) {
  DynamicsWorkspace workspace;
  VecX vdot = VecX::Constant(tree.num_v(), NAN);
  calc_forward_dynamics(tree, k, loads, {}, workspace, as_span(vdot));
  return vdot;
}

class RandomTrees : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, testing::Range(100u, 130u));

TEST_P(RandomTrees, ThreeAlgorithmsAgree) {
  const unsigned seed = GetParam();
  const Tree tree(test::make_random_specs(seed, 4 + static_cast<int>(seed % 17)));
  require_movable(tree);
  const test::RandomState state(tree, seed + 1);
  const Loaded loaded(tree, seed + 2);
  const VecX vdot = calc_vdot(tree, state.kinematics, loaded.loads);

  const VecX none = VecX::Zero(tree.num_v());
  const VecX minus_force = calc_inverse_dynamics(tree, state.kinematics, loaded.loads, as_span(none));
  const MatX M = calc_mass_matrix(tree, state.kinematics);
  const VecX dense = M.ldlt().solve(-minus_force);
  // Both solves lose up to the condition number of M, below 1e5 for these trees.
  EXPECT_LT(test::relative_difference(vdot, dense), 1e-10);
  const VecX rest = calc_inverse_dynamics(tree, state.kinematics, loaded.loads, as_span(vdot));
  EXPECT_LT(rest.norm() / std::max(1.0, minus_force.norm()), 1e-10);
}

TEST_P(RandomTrees, MassMatrixColumnsAreInverseDynamicsOfUnitAccelerations) {
  const Tree tree(test::make_random_specs(GetParam(), 9));
  test::RandomState state(tree, 7);
  const VecX rest = VecX::Zero(tree.num_v());
  calc_kinematics(tree, as_span(state.q), as_span(rest), state.kinematics);
  const MatX M = calc_mass_matrix(tree, state.kinematics);
  for (int c = 0; c < tree.num_v(); ++c) {
    const VecX unit = VecX::Unit(tree.num_v(), c);
    const VecX column = calc_inverse_dynamics(tree, state.kinematics, {}, as_span(unit));
    EXPECT_LT((column - M.col(c)).norm(), 1e-12 * (1.0 + column.norm())) << c;
  }
}

TEST_P(RandomTrees, KineticEnergyIsTheMassMatrixForm) {
  const Tree tree(test::make_random_specs(GetParam(), 15));
  const test::RandomState state(tree, GetParam() + 1);
  const double energy = 0.5 * state.v.dot(calc_mass_matrix(tree, state.kinematics) * state.v);
  EXPECT_NEAR(calc_kinetic_energy(tree, state.kinematics), energy, 1e-12 * (1.0 + energy));  // rounding of the sums
}

TEST_P(RandomTrees, PointJacobianGivesThePointVelocity) {
  const Tree tree(test::make_random_specs(GetParam(), 12));
  const test::RandomState state(tree, GetParam() + 1);
  test::Random random(GetParam() + 2);
  for (int link = kWorld; link < tree.num_links(); ++link) {
    const Vec3 point = 3.0 * random.vector();
    const Vec3 expected = state.kinematics.calc_point_velocity(link, point);
    const Vec3 velocity = calc_point_jacobian(tree, state.kinematics, link, point) * state.v;
    EXPECT_LT((velocity - expected).norm(), 1e-12 * (1.0 + expected.norm())) << link;
  }
}

TEST(Dynamics, PointJacobianIsTheDerivativeOfPosition) {
  const Tree tree(test::make_floating_chain(30));
  const test::RandomState state(tree, 31);
  const int link = tree.num_links() - 1;
  const Vec3 p_BQ(0.2, -0.4, 0.7);
  const Vec3 p_WQ = state.kinematics.X_WB.back() * p_BQ;
  const MatX J = calc_point_jacobian(tree, state.kinematics, link, p_WQ);
  constexpr double kStep = 1e-6;
  for (int c = 0; c < tree.num_v(); ++c) {
    VecX rate(tree.num_q());
    const VecX unit = VecX::Unit(tree.num_v(), c);
    calc_q_dot(tree, as_span(state.q), as_span(unit), as_span(rate));
    Kinematics after, before;
    const VecX q_after = state.q + kStep * rate, q_before = state.q - kStep * rate;
    calc_kinematics(tree, as_span(q_after), as_span(unit), after);
    calc_kinematics(tree, as_span(q_before), as_span(unit), before);
    const Vec3 slope = (after.X_WB.back() * p_BQ - before.X_WB.back() * p_BQ) / (2.0 * kStep);
    EXPECT_LT((slope - J.col(c)).norm(), 1e-8) << c;  // rounding eps |p| / h, |p| < 10 m
  }
}

TEST(Dynamics, WrenchesActThroughTheJacobian) {
  const Tree tree(test::make_random_specs(40, 12));
  const test::RandomState state(tree, 41);
  std::vector<Wrench> wrenches(static_cast<std::size_t>(tree.num_links()));
  const int link = 11;
  const Vec3 force(1.0, -2.0, 3.0), point(0.3, 0.8, -0.5);
  wrenches[link].add_force(force, point - state.kinematics.p_WCm[link]);
  const VecX vdot = calc_vdot(tree, state.kinematics, {kGravity, wrenches, {}});
  const VecX tau = calc_point_jacobian(tree, state.kinematics, link, point).transpose() * force;
  const VecX same = calc_vdot(tree, state.kinematics, {kGravity, {}, as_span(tau)});
  EXPECT_LT(test::relative_difference(vdot, same), 1e-11);
}

TEST(Dynamics, FreeLeafEqualsTheGeneralPath) {
  // A massless-free child turns the leaf into an articulated link: a fixed child with a negligible mass.
  test::Random random(50);
  LinkSpec body = test::make_random_link(random, JointType::free, kWorld);
  LinkSpec nothing = test::make_random_link(random, JointType::fixed, 0);
  nothing.mass = {};
  const Tree leaf({body}), general({body, nothing});
  ASSERT_EQ(leaf.num_free_leaves(), 1);
  ASSERT_EQ(general.num_free_leaves(), 0);
  const test::RandomState state(leaf, 51), same(general, 51);
  const Loaded loaded(leaf, 52);
  std::vector<Wrench> wrenches = loaded.wrenches;
  wrenches.emplace_back();
  const VecX fast = calc_vdot(leaf, state.kinematics, loaded.loads);
  const VecX slow = calc_vdot(general, same.kinematics, {kGravity, wrenches, loaded.loads.tau});
  EXPECT_LT(test::relative_difference(fast, slow), 1e-13);
}

TEST(Dynamics, AnySplitOfFreeLeavesGivesTheSameBits) {
  std::vector<LinkSpec> specs;
  test::Random random(60);
  for (int i = 0; i < 9; ++i) {
    specs.push_back(test::make_random_link(random, JointType::free, kWorld));
    if (i % 2 == 0) specs.back().mass.inertia = 0.2 * Mat3::Identity();
  }
  specs.push_back(test::make_random_link(random, JointType::revolute, 3));
  const Tree tree(specs);
  const test::RandomState state(tree, 61);
  const Loaded loaded(tree, 62);
  const VecX whole = calc_vdot(tree, state.kinematics, loaded.loads);
  VecX parts = VecX::Constant(tree.num_v(), NAN);
  DynamicsWorkspace workspace;
  calc_free_leaf_accelerations(tree, 5, 8, state.kinematics, loaded.loads, as_span(parts));
  calc_articulated_accelerations(tree, state.kinematics, loaded.loads, {}, workspace, as_span(parts));
  calc_free_leaf_accelerations(tree, 0, 5, state.kinematics, loaded.loads, as_span(parts));
  EXPECT_EQ(whole, parts);
}

TEST(Dynamics, PhysicalPendulumAcceleration) {
  // Bar of mass m, length l, about its end: alpha = -(3/2) (g / l) sin(angle), hanging down at zero.
  const double m = 2.0, l = 0.7, g = 9.81;
  LinkSpec bar{.name = "bar", .joint = JointType::revolute, .axis = Vec3::UnitY()};
  bar.mass = {m, Vec3(0.0, 0.0, -0.5 * l), Vec3(m * l * l / 12.0, m * l * l / 12.0, 0.0).asDiagonal()};
  const Tree tree({bar});
  for (const double angle : {0.0, 0.3, 1.2, 3.0}) {
    const VecX q = VecX::Constant(1, angle), v = VecX::Constant(1, 2.0);
    Kinematics k;
    calc_kinematics(tree, as_span(q), as_span(v), k);
    const VecX vdot = calc_vdot(tree, k, {Vec3(0.0, 0.0, -g), {}, {}});
    EXPECT_NEAR(vdot[0], -1.5 * g / l * std::sin(angle), 1e-13);
    EXPECT_NEAR(calc_potential_energy(tree, k, Vec3(0.0, 0.0, -g)), -0.5 * m * g * l * std::cos(angle), 1e-13);
    EXPECT_NEAR(calc_kinetic_energy(tree, k), 0.5 * m * l * l / 3.0 * 4.0, 1e-13);
  }
}

TEST(Dynamics, DoublePendulumEquationsOfMotion) {
  // Two point masses on massless rods, relative angles; textbook equations with absolute angles a, b:
  // (m1+m2) l1 a'' + m2 l2 b'' cos(a-b) + m2 l2 b'^2 sin(a-b) + (m1+m2) g sin a = 0,
  // l2 b'' + l1 a'' cos(a-b) - l1 a'^2 sin(a-b) + g sin b = 0.
  const double m1 = 1.3, m2 = 0.8, l1 = 0.6, l2 = 0.9, g = 9.81;
  LinkSpec upper{.name = "upper", .joint = JointType::revolute, .axis = Vec3::UnitY()};
  upper.mass = {m1, Vec3(0.0, 0.0, -l1), Mat3::Zero()};
  LinkSpec lower{.name = "lower", .parent = 0, .joint = JointType::revolute, .axis = Vec3::UnitY()};
  lower.X_PF.p = Vec3(0.0, 0.0, -l1);
  lower.mass = {m2, Vec3(0.0, 0.0, -l2), Mat3::Zero()};
  const Tree tree({upper, lower});
  const VecX q = (VecX(2) << 0.4, 0.9).finished(), v = (VecX(2) << 1.1, -2.3).finished();
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(v), k);
  const VecX vdot = calc_vdot(tree, k, {Vec3(0.0, 0.0, -g), {}, {}});
  const double a = q[0], b = q[0] + q[1], a1 = v[0], b1 = v[0] + v[1], a2 = vdot[0], b2 = vdot[0] + vdot[1];
  const double s = std::sin(a - b), c = std::cos(a - b);
  // Rounding of terms of order 1e2.
  EXPECT_NEAR((m1 + m2) * l1 * a2 + m2 * l2 * b2 * c + m2 * l2 * b1 * b1 * s + (m1 + m2) * g * std::sin(a), 0.0, 1e-12);
  EXPECT_NEAR(l2 * b2 + l1 * a2 * c - l1 * a1 * a1 * s + g * std::sin(b), 0.0, 1e-12);
}

TEST(Dynamics, FarFromTheOriginNothingIsLost) {
  // The same chain shifted by 1e6 m: accelerations may differ by rounding of positions, 1e6 * 2^-53 = 1e-10 m, only.
  std::vector<LinkSpec> specs = test::make_floating_chain(70);
  const Tree tree(specs);
  test::RandomState near(tree, 71), far(tree, 71);
  far.q.head<3>() += Vec3(1e6, -1e6, 1e6);
  calc_kinematics(tree, as_span(far.q), as_span(far.v), far.kinematics);
  const Loaded loaded(tree, 72);
  const VecX a = calc_vdot(tree, near.kinematics, loaded.loads), b = calc_vdot(tree, far.kinematics, loaded.loads);
  EXPECT_LT(test::relative_difference(a, b), 1e-8);
}

TEST(Dynamics, SingularJointGivesNaNNotANumber) {
  LinkSpec empty{.name = "empty", .joint = JointType::prismatic};
  const Tree tree({empty});
  const VecX q = VecX::Zero(1);
  Kinematics k;
  calc_kinematics(tree, as_span(q), as_span(q), k);
  const VecX tau = VecX::Ones(1);
  EXPECT_TRUE(std::isnan(calc_vdot(tree, k, {Vec3::Zero(), {}, as_span(tau)})[0]));
}

}  // namespace
}  // namespace abut
