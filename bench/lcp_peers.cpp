#include "lcp_peers.hpp"

#include <ctime>
#include <limits>

#include <fmt/format.h>

#ifdef ABUT_HAS_SICONOS
// After Eigen: its headers are C and define short macro names.
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#endif

#ifdef ABUT_HAS_ODE
#include <ode/ode.h>

// ODE's solver is not part of its public headers, but of its library: n unknowns, A with rows of a multiple of four,
// pairs (b, x) and (lower, upper), A x = b + w.
class dxWorldProcessMemArena;
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;
dxWorldProcessMemArena* dxAllocateTemporaryWorldProcessMemArena(size_t size, const dxWorldProcessMemoryManager*,
                                                                const dxWorldProcessMemoryReserveInfo*);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena*);
size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool has_outer_w);
void dxSolveLCP(dxWorldProcessMemArena*, unsigned n, dReal* A, dReal* pairs_bx, dReal* outer_w, unsigned num_unbounded,
                dReal* pairs_lh, int* findex);
#endif

namespace abut {

double calc_thread_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

#ifdef ABUT_HAS_SICONOS
namespace {

void make_one_sided(const BoundedLcp& problem, MatX& M, VecX& q) {
  const int n = problem.size();
  std::vector<int> boxed;
  for (int i = 0; i < n; ++i) {
    if (std::isfinite(problem.upper[i])) boxed.push_back(i);
  }
  const int m = n + static_cast<int>(boxed.size());
  M = MatX::Zero(m, m);
  q.resize(m);
  M.topLeftCorner(n, n) = problem.A;
  q.head(n) = problem.b + problem.A * problem.lower;
  for (std::size_t k = 0; k < boxed.size(); ++k) {
    const int row = n + static_cast<int>(k);
    M(boxed[k], row) = 1.0;
    M(row, boxed[k]) = -1.0;
    q[row] = problem.upper[boxed[k]] - problem.lower[boxed[k]];
  }
}

PeerResult run_one(const BoundedLcp& problem, int solver, const char* name, int max_iterations) {
  MatX M;
  VecX q;
  make_one_sided(problem, M, q);
  const int m = static_cast<int>(q.size());
  VecX z = VecX::Zero(m), w = VecX::Zero(m);
  LinearComplementarityProblem lcp;
  lcp.size = m;
  lcp.M = NM_create_from_data(NM_DENSE, m, m, M.data());
  lcp.q = q.data();
  SolverOptions* options = solver_options_create(solver);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  const double start = calc_thread_time();
  const int info = linearComplementarity_driver(&lcp, z.data(), w.data(), options);
  PeerResult result;
  result.seconds = calc_thread_time() - start;
  solver_options_delete(options);
  free(options);
  free(lcp.M);
  result.name = name;
  result.x = (z.head(problem.size()) + problem.lower).cwiseMax(problem.lower).cwiseMin(problem.upper);
  if (info != 0) result.remark = fmt::format("reports failure {}", info);
  return result;
}

}  // namespace

std::vector<PeerResult> run_siconos(const BoundedLcp& problem) {
  std::vector<PeerResult> results;
  const bool is_small = problem.size() <= 300;
  results.push_back(run_one(problem, SICONOS_LCP_RPGS, "Siconos, regularised PGS", is_small ? 20000 : 2000));
  if (!is_small) return results;
  results.push_back(run_one(problem, SICONOS_LCP_LEMKE, "Siconos, Lemke", 20000));
  results.push_back(run_one(problem, SICONOS_LCP_NEWTON_FB_FBLSA, "Siconos, Newton on Fischer-Burmeister", 100));
  return results;
}
#else
std::vector<PeerResult> run_siconos(const BoundedLcp&) { return {}; }
#endif

#ifdef ABUT_HAS_ODE
namespace {

PeerResult run_dantzig(const BoundedLcp& problem, double mixing, const char* name) {
  const int n = problem.size(), stride = (n + 3) & ~3;
  std::vector<dReal> A(static_cast<std::size_t>(n) * stride, 0.0), pairs_bx(2 * n, 0.0), pairs_lh(2 * n);
  std::vector<int> findex(n, -1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A[static_cast<std::size_t>(i) * stride + j] = problem.A(i, j);
    A[static_cast<std::size_t>(i) * stride + i] += mixing;
    pairs_bx[2 * i] = -problem.b[i];
    pairs_lh[2 * i] = std::isfinite(problem.lower[i]) ? problem.lower[i] : -dInfinity;
    pairs_lh[2 * i + 1] = std::isfinite(problem.upper[i]) ? problem.upper[i] : dInfinity;
  }
  const size_t size = dxEstimateSolveLCPMemoryReq(static_cast<unsigned>(n), false) + 4096;
  dxWorldProcessMemArena* arena = dxAllocateTemporaryWorldProcessMemArena(size, nullptr, nullptr);
  // Its first pointer is where the next block is taken from, its second where the first one was: begin there.
  void** pointers = reinterpret_cast<void**>(arena);
  pointers[0] = pointers[1];
  const double start = calc_thread_time();
  dxSolveLCP(arena, static_cast<unsigned>(n), A.data(), pairs_bx.data(), nullptr, 0, pairs_lh.data(), findex.data());
  PeerResult result;
  result.seconds = calc_thread_time() - start;
  dxFreeTemporaryWorldProcessMemArena(arena);
  result.name = name;
  result.x.resize(n);
  for (int i = 0; i < n; ++i) result.x[i] = pairs_bx[2 * i + 1];
  result.x = result.x.cwiseMax(problem.lower).cwiseMin(problem.upper);
  if (!result.x.allFinite()) {
    result.x.setZero();
    result.remark = "not finite";
  }
  return result;
}

}  // namespace

std::vector<PeerResult> run_ode(const BoundedLcp& problem) {
  dInitODE();
  std::vector<PeerResult> results;
  results.push_back(run_dantzig(problem, 0.0, "ODE, Dantzig"));
  results.push_back(run_dantzig(problem, 1e-10, "ODE, Dantzig with mixing 1e-10"));
  dCloseODE();
  return results;
}
#else
std::vector<PeerResult> run_ode(const BoundedLcp&) { return {}; }
#endif

}  // namespace abut
