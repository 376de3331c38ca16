#include "abut/solve/lcp/system_solver.hpp"

#include <gtest/gtest.h>

#include "abut/solve/lcp/contact_sweeps.hpp"
#include "abut/solve/lcp/polygon_friction.hpp"
#include "abut/solve/lcp/random_problem_test.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"
#include "abut/solve/lcp/wall_problem_test.hpp"

namespace abut {
namespace {

Mat6 make_mass(TestRandom& random) {
  const MatX G = random.matrix(6, 6);
  return G * G.transpose() + Mat6::Identity();
}

/// Bodies in a chain and to the ground with random contacts; tangential rows with fixed boxes.
ConstraintSystem make_random_system(TestRandom& random, int bodies, int contacts, bool has_mechanism) {
  ConstraintSystem system;
  for (int k = 0; k < bodies; ++k) {
    const Mat6 mass = make_mass(random);
    system.add_body(mass, mass.inverse(), random.matrix(6, 1));
  }
  if (has_mechanism) {
    const MatX G = random.matrix(4, 4);
    system.add_part(G * G.transpose() + MatX::Identity(4, 4), random.matrix(4, 1));
  }
  for (int c = 0; c < contacts; ++c) {
    const int a = c % system.num_parts(), b = c % 3 == 0 ? -1 : (a + 1) % system.num_parts();
    const int row = system.add_rows(3, a, random.matrix(3, system.part_size(a)), b,
                                    b < 0 ? MatX() : random.matrix(3, system.part_size(b)));
    system.lower[row] = 0.0;
    for (int k = 1; k < 3; ++k) {
      system.upper[row + k] = 0.2 * std::abs(random.next());
      system.lower[row + k] = -system.upper[row + k];
    }
    system.offset[row] = 0.1 * std::abs(random.next());  // rest is possible, so there is a solution
    if (c % 2 == 0) system.compliance[row + 1] = 0.01;
  }
  return system;
}

VecX as_vector(const std::vector<double>& x) { return Eigen::Map<const VecX>(x.data(), x.size()); }

TEST(BlockCholesky, SolvesLikeADenseFactorisation) {
  TestRandom random(2);
  const std::vector<int> sizes = {6, 3, 6, 6, 2, 6};
  const std::vector<std::pair<int, int>> pairs = {{0, 1}, {1, 2}, {3, 2}, {4, 0}, {5, 3}, {5, 0}, {0, 5}};
  std::vector<int> start = {0};
  for (const int size : sizes) start.push_back(start.back() + size);
  const int n = start.back();
  MatX A = MatX::Zero(n, n);
  BlockCholesky cholesky;
  cholesky.analyze(sizes, pairs);
  cholesky.set_zero();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const MatX G = random.matrix(sizes[k], sizes[k]);
    const MatX D = G * G.transpose() + 10.0 * MatX::Identity(sizes[k], sizes[k]);
    A.block(start[k], start[k], sizes[k], sizes[k]) = D;
    Eigen::Map<MatX>(cholesky.diagonal(static_cast<int>(k)), sizes[k], sizes[k]) = D;
  }
  for (std::size_t k = 0; k + 1 < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    const MatX B = random.matrix(sizes[i], sizes[j]);
    A.block(start[i], start[j], sizes[i], sizes[j]) = B;
    A.block(start[j], start[i], sizes[j], sizes[i]) = B.transpose();
    const auto [data, is_transposed] = cholesky.off_diagonal(i, j);
    if (is_transposed)
      Eigen::Map<MatX>(data, sizes[j], sizes[i]) = B.transpose();
    else
      Eigen::Map<MatX>(data, sizes[i], sizes[j]) = B;
  }
  ASSERT_TRUE(cholesky.factorize());
  VecX b = random.matrix(n, 1);
  const VecX expected = A.ldlt().solve(b);
  cholesky.solve(b.data());
  EXPECT_LE((b - expected).cwiseAbs().maxCoeff(), 1e-13);
  cholesky.set_zero();
  EXPECT_FALSE(cholesky.factorize());
}

TEST(ConstraintSystem, DenseFormIsTheReducedProblem) {
  TestRandom random(4);
  const ConstraintSystem system = make_random_system(random, 3, 5, true);
  const BoundedLcp dense = system.make_dense();
  std::vector<double> x(system.num_rows()), v(system.num_velocities()), u(system.num_rows());
  for (double& value : x) value = random.next();
  system.calc_velocities(x.data(), v.data());
  system.calc_row_velocities(v.data(), u.data());
  const VecX w = dense.A * as_vector(x) + dense.b;
  for (int i = 0; i < system.num_rows(); ++i) {
    EXPECT_NEAR(w[i], u[i] + system.compliance[i] * x[i] + system.offset[i], 1e-12);
  }
  std::vector<double> diagonal(system.num_rows());
  system.calc_diagonal(diagonal.data());
  EXPECT_LE((dense.A.diagonal() - as_vector(diagonal)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(SystemSolver, AgreesWithTheDenseSolver) {
  TestRandom random(6);
  SystemSolver solver;
  for (int repeat = 0; repeat < 60; ++repeat) {
    const ConstraintSystem system = make_random_system(random, 1 + repeat % 7, 1 + repeat % 23, repeat % 2 == 0);
    std::vector<double> x, v;
    const SystemResult result = solver.solve(system, {}, x, v);
    ASSERT_TRUE(result.is_solved()) << repeat << " " << result.message;
    const BoundedLcp dense = system.make_dense();
    const LcpResult expected = solve_lcp(dense);
    ASSERT_TRUE(expected.is_solved());
    // x need not be unique (more rows than speeds), w is; 1e-10 is the tolerance of both over speeds of order 1.
    EXPECT_LE((dense.A * (as_vector(x) - expected.x)).cwiseAbs().maxCoeff(), 2e-9) << repeat;
  }
}

TEST(SystemSolver, RowsMayJumpFromOneBoundToTheOther) {
  // Four feet under one body: boxes so narrow that rows pass from bound to bound without ever being free, from any
  // guess.
  TestRandom random(12);
  SystemSolver solver;
  for (int repeat = 0; repeat < 200; ++repeat) {
    ConstraintSystem system;
    const Mat6 mass = make_mass(random);
    system.add_body(mass, mass.inverse(), random.matrix(6, 1));
    for (int c = 0; c < 4; ++c) {
      const int row = system.add_rows(3, 0, random.matrix(3, 6), -1, {});
      system.lower[row] = 0.0;
      for (int k = 1; k < 3; ++k) {
        system.upper[row + k] = 0.02 * std::abs(random.next());
        system.lower[row + k] = -system.upper[row + k];
      }
    }
    std::vector<double> x(12), v;
    for (double& value : x) value = random.next();
    const SystemResult result = solver.solve(system, {}, x, v);
    ASSERT_TRUE(result.is_solved()) << repeat << ": " << result.message;
    const BoundedLcp dense = system.make_dense();
    const LcpResult expected = solve_lcp(dense);
    ASSERT_TRUE(expected.is_solved());
    EXPECT_LE((dense.A * (as_vector(x) - expected.x)).cwiseAbs().maxCoeff(), 2e-9) << repeat;
  }
}

/// A slab on k by k feet, pushed: nine tenths of the rows are redundant.
ConstraintSystem make_table(int k, double push) {
  ConstraintSystem system;
  Mat6 mass = Mat6::Identity(), inverse = Mat6::Identity();
  mass.diagonal() << 10.0, 10.0, 10.0, 0.5, 0.5, 1.0;
  inverse.diagonal() = mass.diagonal().cwiseInverse();
  Vec6 momentum = Vec6::Zero();
  momentum[2] = -10.0 * 9.81 * 1e-3;
  momentum[0] = 10.0 * push;
  system.add_body(mass, inverse, momentum);
  for (int i = 0; i < k * k; ++i) {
    const Vec3 arm(-0.5 + (i % k) / (k - 1.0), -0.5 + static_cast<double>(i / k) / (k - 1.0), -0.2);
    Mat3 axes;
    axes << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
    MatX J(3, 6);
    J << axes, -axes * skew(arm);
    const int row = system.add_rows(3, 0, J, -1, MatX());
    system.lower[row] = 0.0;
    for (int t = 1; t < 3; ++t) {
      system.upper[row + t] = 0.3 * 10.0 * 9.81 * 1e-3 / (k * k);
      system.lower[row + t] = -system.upper[row + t];
    }
  }
  return system;
}

// The friction row of a foot that hardly carries anything has a compliance of any size; it must not decide how the
// other rows are scaled.
TEST(SystemSolver, AnEnormousComplianceChangesNothingElse) {
  TestRandom random(17);
  ConstraintSystem system = make_random_system(random, 4, 6, false);
  const BoundedLcp plain = system.make_dense();
  const int row = 5 * 3 + 2;
  system.compliance[row] = 1e18;
  std::vector<double> x, v;
  const SystemResult result = SystemSolver().solve(system, {}, x, v);
  EXPECT_TRUE(result.is_solved()) << result.message;
  EXPECT_NEAR(x[row], 0.0, 1e-15);
  // The same problem without that row.
  BoundedLcp held = plain;
  held.lower[row] = held.upper[row] = 0.0;
  const LcpResult expected = solve_lcp(held);
  ASSERT_TRUE(expected.is_solved());
  EXPECT_LE((as_vector(x) - expected.x).norm(), 1e-8);
  const LcpResult dense = solve_lcp(system.make_dense());
  EXPECT_TRUE(dense.is_solved());
  EXPECT_EQ(dense.method, "block-pivoting") << dense.message;
}

TEST(SystemSolver, ATableOnAHundredFeetStandsStill) {
  SystemSolver solver;
  std::vector<double> x, v;
  const ConstraintSystem system = make_table(10, 0.0);
  const SystemResult result = solver.solve(system, {}, x, v);
  ASSERT_TRUE(result.is_solved()) << result.message;
  double weight = 0.0;
  for (int i = 0; i < system.num_rows(); i += 3) weight += x[i];
  EXPECT_NEAR(weight, 10.0 * 9.81 * 1e-3, 1e-12);
  for (const double speed : v) EXPECT_LE(std::abs(speed), 1e-13);
  // The next step, the same, starts from the solution and needs nothing.
  const SystemResult again = solver.solve(system, {}, x, v);
  EXPECT_EQ(again.iterations, 0);
}

TEST(SystemSolver, ASlidingTableDecelerates) {
  SystemSolver solver;
  std::vector<double> x, v;
  const SystemResult result = solver.solve(make_table(6, 1.0), {}, x, v);
  ASSERT_TRUE(result.is_solved()) << result.message;
  EXPECT_NEAR(v[0], 1.0 - 0.3 * 9.81 * 1e-3, 1e-11);
  EXPECT_NEAR(v[2], 0.0, 1e-11);
}

TEST(SystemSolver, ContradictoryEquationsAreReported) {
  ConstraintSystem system;
  system.add_body(Mat6::Identity(), Mat6::Identity(), Vec6::Zero());
  MatX J = MatX::Zero(2, 6);
  J(0, 0) = J(1, 0) = 1.0;
  system.add_rows(2, 0, J, -1, MatX());
  system.offset = {1.0, -1.0};
  SystemSolver solver;
  std::vector<double> x, v;
  const SystemResult result = solver.solve(system, {}, x, v);
  EXPECT_EQ(result.status, LcpStatus::not_converged);
  EXPECT_GT(result.residual, 0.5);
  EXPECT_NE(result.message.find("proximal steps"), std::string::npos);
  EXPECT_TRUE(std::isfinite(x[0]) && std::isfinite(v[0]));
}

TEST(SystemSolver, BadNumbersAreReported) {
  ConstraintSystem system = make_table(2, 0.0);
  system.offset[4] = std::nan("");
  SystemSolver solver;
  std::vector<double> x, v;
  EXPECT_EQ(solver.solve(system, {}, x, v).status, LcpStatus::invalid);
}

TEST(ContactSweeps, BoxesOfCoupledBoundsAgreeWithTheDenseSolver) {
  TestRandom random(8);
  for (int repeat = 0; repeat < 10; ++repeat) {
    ConstraintSystem system = make_random_system(random, 4, 4, false);
    std::vector<FrictionContact> contacts;
    BoundedLcp dense = system.make_dense();
    for (int c = 0; c < 4; ++c) {
      contacts.push_back({3 * c, 0.2, FrictionCone::box, 4, 0.0});
      for (int k = 1; k < 3; ++k) dense.couplings.push_back({3 * c + k, 3 * c, 0.2});
    }
    std::vector<double> x, v;
    const SystemResult result = solve_contact_sweeps(system, contacts, {}, x, v);
    ASSERT_TRUE(result.is_solved()) << result.message;
    const LcpResult expected = solve_lcp(dense);
    ASSERT_TRUE(expected.is_solved()) << expected.message;
    EXPECT_LE((as_vector(x) - expected.x).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(ContactSweeps, APolygonOfManyFacetsTendsToTheCircle) {
  TestRandom random(10);
  const ConstraintSystem system = make_random_system(random, 4, 3, false);
  std::vector<FrictionContact> circles, polygons;
  for (int c = 0; c < 3; ++c) {
    circles.push_back({3 * c, 0.3, FrictionCone::circle, 4, 0.0});
    polygons.push_back({3 * c, 0.3, FrictionCone::polygon, 64, 0.0});
  }
  std::vector<double> x, v, y, u;
  ASSERT_TRUE(solve_contact_sweeps(system, circles, {}, x, v).is_solved());
  const SystemResult result = solve_contact_sweeps(system, polygons, {}, y, u);
  ASSERT_TRUE(result.is_solved()) << result.message;
  // The chord of 64 corners lies 1 - cos(pi / 64) = 0.12 % inside the circle, its direction up to pi / 64 = 0.049 off.
  double size = 0.0;
  for (const double value : x) size = std::max(size, std::abs(value));
  EXPECT_LE((as_vector(x) - as_vector(y)).cwiseAbs().maxCoeff(), 0.05 * size);
  // All polygons together by one LCP give the same.
  const PolygonProblem whole = make_polygon_problem(system.make_dense(), polygons);
  const LcpResult lcp = solve_lcp(whole.lcp);
  ASSERT_TRUE(lcp.is_solved()) << lcp.message;
  EXPECT_LE((whole.to_rows * lcp.x - as_vector(y)).cwiseAbs().maxCoeff(), 1e-8);
}

// 400 bricks: from the impulses of the last step few factorisations are needed, however many contacts there are.
TEST(SystemSolver, TheNextStepOfALargeWallBeginsWhereTheLastEnded) {
  WallOptions options;
  options.num_courses = options.num_bricks = 20;
  SystemSolver solver;
  std::vector<double> x, v;
  const SystemResult cold = solver.solve(make_wall(options), {}, x, v);
  ASSERT_TRUE(cold.is_solved()) << cold.message;
  options.limit *= 0.9998;
  const ConstraintSystem next = make_wall(options);
  const SystemResult warm = solver.solve(next, {}, x, v);
  EXPECT_TRUE(warm.is_solved()) << warm.message;
  EXPECT_LE(warm.iterations, 6) << cold.iterations;
  // Another solver that knows the impulses alone does as well: nothing hangs on the order of rows.
  SystemSolver other;
  options.limit *= 0.9998;
  const SystemResult again = other.solve(make_wall(options), {}, x, v);
  EXPECT_TRUE(again.is_solved()) << again.message;
  EXPECT_LE(again.iterations, 6);
}

}  // namespace
}  // namespace abut
