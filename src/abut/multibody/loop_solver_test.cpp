#include "abut/multibody/loop_solver.hpp"

#include <gtest/gtest.h>

#include "abut/multibody/loop_assembly.hpp"
#include "abut/multibody/random_tree_test.hpp"

namespace abut {
namespace {

using test::Random;

/// A random tree with loops whose gaps are zero at q, and a coupling.
struct Mechanism {
  Tree tree;
  LoopSet set;
  VecX q, v;
};

Mechanism make_mechanism(unsigned seed, const std::vector<JointType>& closing, bool has_prescribed) {
  Random random(seed);
  std::vector<LinkSpec> specs;
  const std::vector<JointType> joints = {JointType::revolute,  JointType::free,      JointType::spherical,
                                         JointType::revolute,  JointType::prismatic, JointType::universal,
                                         JointType::planar,    JointType::spherical, JointType::revolute,
                                         JointType::spherical, JointType::spherical};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int parent = i == 0 || joints[i] == JointType::free ? kWorld : random.below(static_cast<int>(i));
    LinkSpec spec = make_random_link(random, joints[i], parent);
    spec.is_in_loop = true;
    if (has_prescribed && (i == 3 || i == 4)) spec.prescribed = true;
    specs.push_back(spec);
  }
  Mechanism m;
  m.tree = Tree(specs);
  m.q = random.vector(m.tree.num_q());
  m.v = random.vector(m.tree.num_v());
  normalize_quaternions(m.tree, as_span(m.q));
  Kinematics k;
  calc_kinematics(m.tree, as_span(m.q), as_span(m.v), k);
  std::vector<Loop> loops;
  const std::vector<std::pair<int, int>> ends = {{10, 1}, {kWorld, 9}, {7, 6}};
  for (std::size_t i = 0; i < closing.size(); ++i) {
    const auto [a, b] = ends[i];
    const Pose X_AF = random.pose();
    const Pose X_WF = a == kWorld ? X_AF : k.X_WB[static_cast<std::size_t>(a)] * X_AF;
    const Vec3 axis = random.vector();
    // The axes of a universal joint are perpendicular at any turn about the first.
    loops.push_back(make_loop("loop", closing[i], a, b, X_AF, k.X_WB[static_cast<std::size_t>(b)].inverse() * X_WF,
                              axis, axis.unitOrthogonal()));
  }
  const Coupling coupling{"gear", 8, 0, 1.7, m.q[m.tree.link(8).q_start] - 1.7 * m.q[m.tree.link(0).q_start]};
  m.set = LoopSet(m.tree, loops, {coupling});
  return m;
}

/// J and gap of all islands, over all speeds.
void calc_dense(const Mechanism& m, const VecX& q, const VecX& v, MatX& J, VecX& gap, VecX& speed) {
  Kinematics k;
  calc_kinematics(m.tree, as_span(q), as_span(v), k);
  int rows = 0;
  for (const LoopIsland& island : m.set.islands()) rows += island.num_rows;
  J.setZero(rows, m.tree.num_v());
  gap.resize(rows);
  speed.resize(rows);
  int row = 0;
  for (const LoopIsland& island : m.set.islands()) {
    std::vector<LoopGeometry> geometry;
    LoopSet::Values values;
    m.set.calc_values(m.tree, island, k, as_span(q), as_span(v), geometry, values);
    const MatX own = m.set.calc_jacobian(m.tree, island, k, geometry);
    for (std::size_t i = 0; i < island.links.size(); ++i) {
      const Link& link = m.tree.link(island.links[i]);
      J.block(row, link.v_start, island.num_rows, link.num_v) = own.middleCols(island.column[i], link.num_v);
    }
    gap.segment(row, island.num_rows) = values.gap;
    speed.segment(row, island.num_rows) = values.speed;
    row += island.num_rows;
  }
}

VecX move(const Tree& tree, const VecX& q, const VecX& v, double h) {
  VecX moved = q;
  move_coordinates(tree, as_span(v), h, as_span(moved));
  return moved;
}

class Loops : public testing::TestWithParam<JointType> {};

/// Central differences of the gaps along the motion; 1e-5 s apart, errors are the third derivative times 1e-10.
TEST_P(Loops, SpeedsAreRatesOfTheGaps) {
  const Mechanism m = make_mechanism(3, {GetParam()}, false);
  MatX J;
  VecX gap, speed, before, after, none;
  calc_dense(m, m.q, m.v, J, gap, speed);
  EXPECT_LT(gap.lpNorm<Eigen::Infinity>(), 1e-14);
  EXPECT_LT((J * m.v - speed).lpNorm<Eigen::Infinity>(), 1e-13);
  const double h = 1e-5;
  MatX other;
  calc_dense(m, move(m.tree, m.q, m.v, h), m.v, other, after, none);
  calc_dense(m, move(m.tree, m.q, m.v, -h), m.v, other, before, none);
  EXPECT_LT(((after - before) / (2.0 * h) - speed).lpNorm<Eigen::Infinity>(), 1e-7);
}

/// The accelerations are those of the dense equations with multipliers, whose bias comes from differences of J v.
TEST_P(Loops, AccelerationsAreThoseOfTheDenseEquations) {
  for (const bool has_prescribed : {false, true}) {
    const Mechanism m = make_mechanism(5, {GetParam(), JointType::spherical, JointType::spherical}, has_prescribed);
    // Speeds that keep the loops closed, where turns are what their conditions say.
    MatX J;
    VecX gap, speed;
    calc_dense(m, m.q, m.v, J, gap, speed);
    MatX free = J;
    for (int i = 0; i < m.tree.num_links(); ++i) {
      const Link& link = m.tree.link(i);
      if (link.prescribed) free.middleCols(link.v_start, link.num_v).setZero();
    }
    VecX v = m.v - free.completeOrthogonalDecomposition().solve(speed);
    Random random(7);
    const VecX tau = random.vector(m.tree.num_v()), given = random.vector(m.tree.num_v());
    AppliedLoads loads;
    loads.gravity = Vec3(0.3, -0.2, -9.81);
    loads.tau = as_span(tau);
    Kinematics k;
    calc_kinematics(m.tree, as_span(m.q), as_span(v), k);
    DynamicsWorkspace workspace;
    VecX vdot = VecX::Zero(m.tree.num_v()), force = vdot;
    calc_forward_dynamics(m.tree, k, loads, as_span(given), workspace, as_span(vdot), as_span(force));
    const VecX apart = vdot;
    LoopSolver solver(m.tree, m.set);
    solver.look(k, as_span(m.q), as_span(v));
    solver.factor(k, workspace.bodies);
    solver.add_accelerations(k, workspace.bodies, as_span(vdot), as_span(force));

    const MatX M = calc_mass_matrix(m.tree, k);
    MatX other;
    VecX after, before, none;
    const double h = 1e-5;
    calc_dense(m, move(m.tree, m.q, v, h), v, other, none, after);
    calc_dense(m, move(m.tree, m.q, v, -h), v, other, none, before);
    const VecX bias = (after - before) / (2.0 * h);
    std::vector<int> columns;
    for (int i = 0; i < m.tree.num_links(); ++i) {
      const Link& link = m.tree.link(i);
      for (int c = 0; c < link.num_v && !link.prescribed; ++c) columns.push_back(link.v_start + c);
    }
    const MatX A = M(columns, columns), Jf = J(Eigen::all, columns);
    const MatX response = A.llt().solve(Jf.transpose());
    const VecX x = (Jf * response).llt().solve(-(J * apart + bias));
    VecX expected = apart;
    expected(columns) += response * x;
    // Differences of speeds over 1e-5 s are right to some 1e-8 of accelerations around 100.
    EXPECT_LT((vdot - expected).lpNorm<Eigen::Infinity>(), 1e-6 * (1.0 + expected.lpNorm<Eigen::Infinity>()));
    // Forces of prescribed joints: what the equations leave in their rows.
    const VecX needed = M * (vdot - apart) - J.transpose() * x;
    VecX plain = VecX::Zero(m.tree.num_v()), ignored = vdot;
    DynamicsWorkspace again;
    calc_forward_dynamics(m.tree, k, loads, as_span(given), again, as_span(ignored), as_span(plain));
    for (int i = 0; i < m.tree.num_links(); ++i) {
      const Link& link = m.tree.link(i);
      for (int c = link.v_start; c < link.v_start + link.num_v; ++c)
        EXPECT_NEAR(force[c], link.prescribed ? plain[c] + needed[c] : 0.0, 1e-5 * (1.0 + std::abs(needed[c])));
    }
  }
}

/// Pushed a little away, the loops close again by the least change, speeds too.
TEST_P(Loops, ClosesGapsAndSpeeds) {
  const Mechanism m = make_mechanism(11, {GetParam(), JointType::spherical}, false);
  Random random(13);
  VecX q = move(m.tree, m.q, random.vector(m.tree.num_v()), 1e-4), v = m.v;
  LoopSolver solver(m.tree, m.set);
  Kinematics k;
  DynamicsWorkspace workspace;
  for (int round = 0; round < 6; ++round) {
    calc_kinematics(m.tree, as_span(q), as_span(v), k);
    solver.look(k, as_span(q), as_span(v));
    if (round == 0) {
      workspace.bodies.resize(m.tree.articulated_links().size());
      const IndexRange all{0, static_cast<int>(m.tree.articulated_links().size())};
      set_rigid_bodies(m.tree, k, all, workspace.bodies);
      reduce_bodies(m.tree, k, all, {{}, {}, false}, workspace.bodies);
      solver.factor(k, workspace.bodies);
      EXPECT_GT(solver.calc_worst_gap(), 1e-6);
    }
    VecX change = VecX::Zero(m.tree.num_v());
    solver.add_closing(LoopSolver::Close::gap, k, workspace.bodies, as_span(change));
    q = move(m.tree, q, change, 1.0);
  }
  for (int round = 0; round < 6; ++round) {
    calc_kinematics(m.tree, as_span(q), as_span(v), k);
    solver.look(k, as_span(q), as_span(v));
    solver.add_closing(LoopSolver::Close::speed, k, workspace.bodies, as_span(v));
  }
  calc_kinematics(m.tree, as_span(q), as_span(v), k);
  solver.look(k, as_span(q), as_span(v));
  EXPECT_LT(solver.calc_worst_gap(), 1e-13);
  for (std::size_t i = 0; i < m.set.islands().size(); ++i)
    EXPECT_LT(solver.values(i).speed.lpNorm<Eigen::Infinity>(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Loops,
                         testing::Values(JointType::fixed, JointType::revolute, JointType::prismatic,
                                         JointType::spherical, JointType::universal, JointType::planar,
                                         JointType::translational),
                         [](const auto& kind) { return std::string(joint_type_name(kind.param)); });

/// A flat four-bar in space: of the five conditions of its last hinge two say something, wherever it stands.
TEST(LoopRank, OfAFlatFourBarIsTwo) {
  for (const bool is_tilted : {false, true}) {
    const Pose tilt = is_tilted ? Pose(Quat(0.9, 0.1, 0.3, 0.2).normalized(), Vec3(0.1, 0.2, 0.3)) : Pose();
    std::vector<LinkSpec> specs(3);
    const std::array<double, 3> lengths = {0.3, 0.8, 0.6};
    for (int i = 0; i < 3; ++i) {
      LinkSpec& link = specs[static_cast<std::size_t>(i)];
      link.name = std::string(1, static_cast<char>('a' + i));
      link.joint = JointType::revolute;
      link.parent = i - 1;
      link.axis = Vec3::UnitZ();
      link.X_PF = i == 0 ? tilt : Pose(Mat3::Identity(), Vec3(lengths[static_cast<std::size_t>(i - 1)], 0, 0));
      link.mass.mass = 1.0;
      link.mass.inertia = Mat3::Identity() * 0.01;
      link.is_in_loop = true;
    }
    const Tree tree(specs);
    // The frames of the last hinge are turned, so that each condition mixes directions.
    const Pose turn(Quat(0.7, 0.0, 0.0, 0.4).normalized(), Vec3::Zero());
    const Loop loop = make_loop("d", JointType::revolute, kWorld, 2, tilt * Pose(turn.R, Vec3(0.9, 0, 0)),
                                Pose(turn.R, Vec3(0.6, 0, 0)), Vec3::UnitZ(), Vec3::UnitX());
    LoopSet set(tree, {loop}, {});
    std::vector<double> q = {1.0, -0.8, -1.2}, v = {2.0, 0.0, 0.0};
    LoopAssembly assembly;
    ASSERT_TRUE(assemble_loops(tree, set, {1, 0, 2}, {1, 0, 0}, q, v, assembly).is_none());
    EXPECT_EQ(q[0], 1.0) << "the crank angle is kept, that of the last hinge let go";
    EXPECT_EQ(v[0], 2.0);
    LoopIsland& island = set.islands()[0];
    EXPECT_FALSE(find_rank(tree, set, island, q));
    EXPECT_EQ(island.rank, 2);
    EXPECT_EQ(count_freedoms(tree, island), 1);
    const double a = 0.3, b = 0.8, c = 0.6, d = 0.9;
    const Vec2 A(a * std::cos(1.0), a * std::sin(1.0)), D(d, 0.0);
    const Vec2 B = A + Eigen::Rotation2Dd(q[0] + q[1]) * Vec2(b, 0.0);
    EXPECT_NEAR((B - D).norm(), c, 1e-12);
  }
}

}  // namespace
}  // namespace abut
