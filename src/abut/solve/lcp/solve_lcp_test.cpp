#include "abut/solve/lcp/solve_lcp.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "abut/solve/lcp/block_pivoting.hpp"
#include "abut/solve/lcp/factored_newton.hpp"
#include "abut/solve/lcp/gauss_seidel.hpp"
#include "abut/solve/lcp/lemke.hpp"
#include "abut/solve/lcp/random_problem_test.hpp"
#include "abut/solve/lcp/wall_problem_test.hpp"

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr MatrixKind kKinds[] = {MatrixKind::definite, MatrixKind::semidefinite, MatrixKind::monotone,
                                 MatrixKind::hardly_any_rank};

VecX read_vector(const nlohmann::json& list) {
  VecX v(static_cast<Eigen::Index>(list.size()));
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = list[static_cast<std::size_t>(i)].get<double>();
  return v;
}

MatX read_matrix(const nlohmann::json& rows) {
  const Eigen::Index n = static_cast<Eigen::Index>(rows.size());
  MatX A(n, n);
  for (Eigen::Index i = 0; i < n; ++i) A.row(i) = read_vector(rows[static_cast<std::size_t>(i)]);
  return A;
}

nlohmann::json read_reference() {
  std::ifstream file(std::string(ABUT_SOURCE_DIR) + "/test/data/lcp.json");
  return nlohmann::json::parse(file);
}

// The published solutions are exact to rounding of numbers of order 1e-2; the problems have condition numbers below 10.
TEST(SolveLcp, SolvesTheBoundedReferenceProblems) {
  const nlohmann::json data = read_reference();
  int count = 0;
  for (const char* name : {"box", "reg"}) {
    for (const nlohmann::json& entry : data.at(name)) {
      BoundedLcp problem{read_matrix(entry.at("A")),
                         read_vector(entry.at("b")),
                         read_vector(entry.at("lo")),
                         read_vector(entry.at("hi")),
                         {}};
      for (const LcpMethod method : {LcpMethod::automatic, LcpMethod::block_pivoting, LcpMethod::lemke}) {
        LcpOptions options;
        options.method = method;
        const LcpResult result = solve_lcp(problem, options);
        ASSERT_TRUE(result.is_solved()) << name << " " << entry.at("step") << " " << result.message;
        EXPECT_LE(result.residual, 1e-13);
        EXPECT_LE((result.x - read_vector(entry.at("z"))).cwiseAbs().maxCoeff(), 1e-14);
      }
      ++count;
    }
  }
  EXPECT_EQ(count, 18);
}

TEST(SolveLcp, SolvesThePolygonReferenceProblems) {
  const nlohmann::json data = read_reference();
  int count = 0;
  for (const char* name : {"poly4", "poly8"}) {
    for (const nlohmann::json& entry : data.at(name)) {
      const BoundedLcp problem = make_lcp(read_matrix(entry.at("A")), read_vector(entry.at("b")));
      for (const LcpMethod method : {LcpMethod::automatic, LcpMethod::lemke}) {
        LcpOptions options;
        options.method = method;
        const LcpResult result = solve_lcp(problem, options);
        ASSERT_TRUE(result.is_solved()) << name << " " << entry.at("step") << " " << result.message;
        EXPECT_LE(result.residual, 1e-13);
        // Opposite corners may share out their impulse differently, which shows in the last row only (what is left of
        // the friction limit); the velocities of all other rows are unique.
        const VecX z = read_vector(entry.at("z"));
        const VecX difference = problem.A * (result.x - z);
        EXPECT_LE(difference.head(problem.size() - 1).cwiseAbs().maxCoeff(), 1e-13) << name << " " << entry.at("step");
        EXPECT_NEAR(result.x[0], z[0], 1e-14);
      }
      ++count;
    }
  }
  EXPECT_EQ(count, 18);
}

TEST(SolveLcp, SolvesRandomFeasibleProblemsOfAllSizes) {
  TestRandom random(7);
  for (const MatrixKind kind : kKinds) {
    for (const bool is_boxed : {false, true}) {
      for (const int n : {1, 2, 3, 4, 5, 7, 10, 20, 50, 100, 250}) {
        for (int repeat = 0; repeat < (n <= 20 ? 20 : 1); ++repeat) {
          VecX x;
          const BoundedLcp problem = make_feasible(kind, n, is_boxed, random, x);
          const LcpResult result = solve_lcp(problem);
          ASSERT_TRUE(result.is_solved())
              << static_cast<int>(kind) << " boxed " << is_boxed << " n " << n << ": " << result.message;
          EXPECT_LE(result.residual, 1e-10);
          EXPECT_TRUE((result.x.array() >= problem.lower.array()).all());
          EXPECT_TRUE((result.x.array() <= problem.upper.array()).all());
          // Condition numbers reach 1e3 n: digits beyond 1e-8 are the matrix's to lose.
          if (kind == MatrixKind::definite) {
            EXPECT_LE((result.x - x).cwiseAbs().maxCoeff(), 1e-8) << n;
          }
        }
      }
    }
  }
}

TEST(SolveLcpLong, SolvesProblemsOfFiveHundredRows) {
  TestRandom random(11);
  for (const MatrixKind kind : kKinds) {
    VecX x;
    const BoundedLcp problem = make_feasible(kind, 500, true, random, x);
    const LcpResult result = solve_lcp(problem);
    ASSERT_TRUE(result.is_solved()) << static_cast<int>(kind) << ": " << result.message;
    EXPECT_LE(result.residual, 1e-10);
  }
}

/// All splits of the rows into free, lower and upper; the only solution of a P-matrix problem.
VecX solve_by_enumeration(const BoundedLcp& problem, int& num_solutions) {
  const int n = problem.size();
  int total = 1;
  for (int i = 0; i < n; ++i) total *= 3;
  VecX found;
  num_solutions = 0;
  for (int code = 0; code < total; ++code) {
    std::vector<int> free;
    VecX x = VecX::Zero(n);
    bool is_possible = true;
    for (int i = 0, c = code; i < n; ++i, c /= 3) {
      if (c % 3 == 0)
        free.push_back(i);
      else
        x[i] = c % 3 == 1 ? problem.lower[i] : problem.upper[i];
      is_possible = is_possible && std::isfinite(x[i]);
    }
    if (!is_possible) continue;
    if (!free.empty()) {
      const VecX rhs = -(problem.A * x + problem.b);
      const MatX block = problem.A(free, free);
      const VecX solution = block.partialPivLu().solve(VecX(rhs(free)));
      x(free) = solution;
    }
    if (calc_natural_residual(x, problem.A * x + problem.b, problem.lower, problem.upper) > 1e-12) continue;
    if (num_solutions == 0 || (x - found).cwiseAbs().maxCoeff() > 1e-9) ++num_solutions;
    found = x;
  }
  return found;
}

TEST(SolveLcp, AgreesWithTheEnumerationOfAllSplits) {
  TestRandom random(3);
  for (int repeat = 0; repeat < 150; ++repeat) {
    const int n = 1 + repeat % 5;
    BoundedLcp problem = make_lcp(make_matrix(MatrixKind::definite, n, random), random.matrix(n, 1));
    for (int i = 0; i < n; ++i) {
      problem.lower[i] = -std::abs(random.next());
      if (random.next() > 0.0) problem.upper[i] = std::abs(random.next());
    }
    int num_solutions = 0;
    const VecX expected = solve_by_enumeration(problem, num_solutions);
    ASSERT_EQ(num_solutions, 1);
    for (const LcpMethod method : {LcpMethod::block_pivoting, LcpMethod::lemke}) {
      LcpOptions options;
      options.method = method;
      const LcpResult result = solve_lcp(problem, options);
      ASSERT_TRUE(result.is_solved()) << result.message;
      EXPECT_LE((result.x - expected).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

// Rows in other units: the solution scales with them, and block pivoting needs no help.
TEST(SolveLcp, RowsMayDifferInScaleByAnyFactor) {
  TestRandom random(23);
  for (int n = 3; n <= 30; n += 9) {
    VecX x;
    BoundedLcp problem = make_feasible(MatrixKind::definite, n, true, random, x);
    VecX scale(n);
    for (int i = 0; i < n; ++i) scale[i] = std::pow(10.0, 6.0 * random.next());
    problem.A = scale.asDiagonal() * problem.A * scale.asDiagonal();
    problem.b = problem.b.cwiseProduct(scale);
    problem.lower = problem.lower.cwiseQuotient(scale);
    problem.upper = problem.upper.cwiseQuotient(scale);
    const LcpResult result = solve_lcp(problem);
    EXPECT_TRUE(result.is_solved()) << n << " " << result.message;
    EXPECT_EQ(result.method, "block-pivoting") << n;
  }
}

TEST(SolveLcp, EquationsAndFixedRowsAreBounds) {
  BoundedLcp problem = make_lcp(MatX{{2.0, 1.0, 0.0}, {1.0, 3.0, 1.0}, {0.0, 1.0, 2.0}}, Vec3(1.0, 2.0, -3.0));
  problem.lower = Vec3(-kInfinity, 0.5, -1e300);
  problem.upper = Vec3(kInfinity, 0.5, 1e300);
  const LcpResult result = solve_lcp(problem);
  ASSERT_TRUE(result.is_solved());
  EXPECT_DOUBLE_EQ(result.x[0], -0.75);
  EXPECT_DOUBLE_EQ(result.x[1], 0.5);
  EXPECT_DOUBLE_EQ(result.x[2], 1.25);
  EXPECT_LE(result.residual, 1e-15);
}

TEST(SolveLcp, SaysWhenThereIsNoSolution) {
  // w_1 + w_2 = -2 for every x.
  const LcpResult result = solve_lcp(make_lcp(MatX{{1.0, -1.0}, {-1.0, 1.0}}, Vec2(-1.0, -1.0)));
  EXPECT_EQ(result.status, LcpStatus::no_solution) << result.message;
  EXPECT_TRUE(result.x.allFinite());
  EXPECT_NE(result.message.find("ray"), std::string::npos) << result.message;
  // A zero matrix with a negative b.
  EXPECT_EQ(solve_lcp(make_lcp(MatX::Zero(3, 3), Vec3(1.0, -1.0, 0.0))).status, LcpStatus::no_solution);
  // Contradictory equations.
  BoundedLcp equations = make_lcp(MatX{{1.0, 1.0}, {1.0, 1.0}}, Vec2(0.0, 1.0));
  equations.lower.setConstant(-kInfinity);
  const LcpResult contradiction = solve_lcp(equations);
  EXPECT_FALSE(contradiction.is_solved());
  EXPECT_TRUE(contradiction.x.allFinite());
  EXPECT_GT(contradiction.residual, 0.1);
}

TEST(SolveLcp, SolvesSingularButConsistentProblems) {
  EXPECT_TRUE(solve_lcp(make_lcp(MatX::Zero(2, 2), Vec2(0.0, 1.0))).is_solved());
  BoundedLcp equations = make_lcp(MatX{{1.0, 1.0}, {1.0, 1.0}}, Vec2(-1.0, -1.0));
  equations.lower.setConstant(-kInfinity);
  const LcpResult result = solve_lcp(equations);
  ASSERT_TRUE(result.is_solved()) << result.message;
  EXPECT_NEAR(result.x.sum(), 1.0, 1e-14);
}

TEST(SolveLcp, RefusesBadDataByName) {
  BoundedLcp problem = make_lcp(MatX::Identity(2, 2), Vec2(1.0, std::nan("")));
  LcpResult result = solve_lcp(problem);
  EXPECT_EQ(result.status, LcpStatus::invalid);
  EXPECT_EQ(result.message, "b[1] = nan is not finite");
  problem.b[1] = 0.0;
  problem.lower[0] = 2.0;
  problem.upper[0] = 1.0;
  EXPECT_EQ(solve_lcp(problem).message, "row 0 has the bounds 2 and 1");
  problem = make_lcp(MatX::Identity(3, 2), Vec2(1.0, 1.0));
  EXPECT_EQ(solve_lcp(problem).message, "sizes differ: A is 3 x 2, b has 2, lower 2, upper 2 entries");
  problem = make_lcp(MatX::Identity(2, 2), Vec2(1.0, 1.0));
  problem.couplings = {{1, 1, 0.3}};
  EXPECT_EQ(solve_lcp(problem).message, "coupling of row 1 to row 1 in a problem of 2 rows");
  EXPECT_TRUE(solve_lcp(make_lcp(MatX(0, 0), VecX(0))).is_solved());
}

TEST(SolveLcp, AWarmStartNeedsOnePivot) {
  TestRandom random(5);
  VecX x;
  BoundedLcp problem = make_feasible(MatrixKind::definite, 100, true, random, x);
  const LcpResult cold = solve_lcp(problem);
  ASSERT_TRUE(cold.is_solved());
  problem.b *= 1.0 + 1e-9;
  const LcpResult warm = solve_lcp(problem, {}, cold.x);
  ASSERT_TRUE(warm.is_solved());
  EXPECT_GT(cold.iterations, 4);
  EXPECT_LE(warm.iterations, 4);  // degenerate rows may change over; each proximal step is one
}

TEST(SolveLcp, CoupledBoundsFollowTheirNormalUnknown) {
  TestRandom random(9);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const int contacts = 1 + repeat % 4, n = 3 * contacts;
    BoundedLcp problem = make_lcp(make_matrix(MatrixKind::definite, n, random), random.matrix(n, 1));
    problem.A.diagonal().array() += 0.5;
    for (int c = 0; c < contacts; ++c) {
      problem.b[3 * c] = -1.0;
      for (int k = 1; k < 3; ++k) problem.couplings.push_back({3 * c + k, 3 * c, 0.3});
    }
    const LcpResult result = solve_lcp(problem);
    ASSERT_TRUE(result.is_solved()) << result.message;
    LcpOptions sweeps;
    sweeps.method = LcpMethod::gauss_seidel;
    sweeps.max_iterations = 20000;
    const LcpResult other = solve_lcp(problem, sweeps);
    ASSERT_TRUE(other.is_solved()) << other.message;
    // Both within 1e-12 of the scale in w, over the smallest eigenvalue 0.5.
    EXPECT_LE((result.x - other.x).cwiseAbs().maxCoeff(), 1e-10);
    for (const BoundCoupling& c : problem.couplings) {
      EXPECT_LE(std::abs(result.x[c.row]), 0.3 * result.x[c.normal] + 1e-11);
    }
  }
}

TEST(SolveLcp, GaussSeidelSaysWhenItDidNotConverge) {
  TestRandom random(13);
  VecX x;
  const BoundedLcp problem = make_feasible(MatrixKind::definite, 60, false, random, x);
  GaussSeidelOptions options;
  options.max_sweeps = 3;
  const LcpResult result = solve_gauss_seidel(problem, {}, options);
  EXPECT_EQ(result.status, LcpStatus::not_converged);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_NE(result.message.find("after 3 sweeps"), std::string::npos) << result.message;
}

// 660 rows, of which 345 suffice: pivots do not end for some hundreds of factorisations, descent does.
TEST(SolveLcpLong, ManyRedundantRowsTakeStepsThatDescend) {
  const BoundedLcp wall = make_wall({.push = 0.5}).make_dense();
  ASSERT_EQ(wall.size(), 660);
  const LcpResult result = solve_lcp(wall);
  EXPECT_TRUE(result.is_solved()) << result.message;
  EXPECT_LE(result.relative_residual, 1e-10);
  EXPECT_LE(result.iterations, 400);
}

TEST(FactoredNewton, AgreesWithPivotsAndRefusesOtherMatrices) {
  TestRandom random(8);
  for (const MatrixKind kind : {MatrixKind::definite, MatrixKind::semidefinite, MatrixKind::hardly_any_rank}) {
    VecX x;
    const BoundedLcp problem = make_feasible(kind, 60, true, random, x);
    const LcpResult newton = solve_factored_newton(problem, {}, {}), pivots = solve_block_pivoting(problem);
    ASSERT_TRUE(newton.is_solved()) << newton.message;
    // w is unique where x need not be.
    EXPECT_LE((newton.w - pivots.w).cwiseAbs().maxCoeff(), 1e-9);
  }
  VecX x;
  const BoundedLcp skew = make_feasible(MatrixKind::monotone, 20, false, random, x);
  EXPECT_EQ(solve_factored_newton(skew, {}, {}).status, LcpStatus::singular);
  const BoundedLcp negative = make_lcp(-MatX::Identity(3, 3), Vec3(1.0, -1.0, 1.0));
  EXPECT_EQ(solve_factored_newton(negative, {}, {}).status, LcpStatus::singular);
}

TEST(Lemke, DoesNotCycleWhereTiesAbound) {
  // Every ratio test is a tie: all rows are alike. Lexicographic pivoting must still end.
  for (const int n : {2, 5, 12}) {
    MatX A = MatX::Constant(n, n, 1.0);
    const LcpResult alike = solve_lemke(A, VecX::Constant(n, -1.0));
    ASSERT_TRUE(alike.is_solved()) << alike.message;
    EXPECT_NEAR(alike.x.sum(), 1.0, 1e-12);
    // Murty's matrix: upper triangle of twos, the classic example of exponential work; here b makes it degenerate.
    A = MatX::Identity(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) A(i, j) = 2.0;
    }
    const LcpResult murty = solve_lemke(A, VecX::Constant(n, -1.0));
    ASSERT_TRUE(murty.is_solved()) << murty.message;
    EXPECT_LE(murty.residual, 1e-12);
  }
}

TEST(BlockPivoting, TheSafeguardEndsWhereBlocksCycle) {
  // A P-matrix on which exchanging all wrong rows repeats itself for ever (Murty's cyclic example).
  const MatX A{{1.0, 0.0, 2.0}, {2.0, 1.0, 0.0}, {0.0, 2.0, 1.0}};
  const LcpResult result = solve_block_pivoting(make_lcp(A, Vec3(-1.0, -1.0, -1.0)));
  ASSERT_TRUE(result.is_solved()) << result.message;
  EXPECT_LE((result.x - Vec3::Constant(1.0 / 3.0)).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace abut
