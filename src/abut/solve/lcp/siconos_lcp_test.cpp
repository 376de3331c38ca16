// Comparison with Siconos (https://nonsmooth.gricad-pages.univ-grenoble-alpes.fr/siconos), where it is installed.
#ifdef ABUT_HAS_SICONOS

#include <cmath>

#include <gtest/gtest.h>

#include "abut/solve/lcp/random_problem_test.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"

// After Eigen: its headers are C and define short macro names.
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

namespace abut {
namespace {

/// x by Siconos' Lemke; empty where it does not report success.
VecX solve_by_siconos(const MatX& A, const VecX& b) {
  const int n = static_cast<int>(b.size());
  MatX matrix = A;
  VecX q = b, z = VecX::Zero(n), w = VecX::Zero(n);
  LinearComplementarityProblem problem;
  problem.size = n;
  problem.M = NM_create_from_data(NM_DENSE, n, n, matrix.data());
  problem.q = q.data();
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100 * n;
  const int info = linearComplementarity_driver(&problem, z.data(), w.data(), options);
  solver_options_delete(options);
  free(options);
  free(problem.M);
  return info == 0 ? z : VecX();
}

TEST(SiconosLcp, FindsTheSameSolutionWhereItIsUnique) {
  TestRandom random(17);
  int compared = 0;
  for (const int n : {1, 2, 5, 10, 30, 80, 200, 500}) {
    for (int repeat = 0; repeat < (n <= 30 ? 10 : 1); ++repeat) {
      VecX x;
      const BoundedLcp problem = make_feasible(MatrixKind::definite, n, false, random, x);
      const LcpResult ours = solve_lcp(problem);
      ASSERT_TRUE(ours.is_solved()) << ours.message;
      EXPECT_LE(ours.residual, 1e-10);
      const VecX theirs = solve_by_siconos(problem.A, problem.b);
      if (theirs.size() == 0) continue;
      ++compared;
      // Its own tolerance is 1e-6 on the residual; the smallest eigenvalue is 1e-3.
      EXPECT_LE((ours.x - theirs).cwiseAbs().maxCoeff(), 1e-6) << n;
    }
  }
  EXPECT_GE(compared, 50);
}

}  // namespace
}  // namespace abut

#endif
