// Complementarity steps: the brick wall in real time, and our solvers against those of Siconos and ODE on the matrices
// of the same wall, at equal residual. Times are processor times of one thread.
#include <ctime>

#include <fmt/format.h>

#include "abut/io/scene_reader.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"
#include "abut/solve/lcp/system_solver.hpp"
#include "bench_tools.hpp"

#ifdef ABUT_HAS_SICONOS
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#endif

namespace abut {
namespace {

double calc_thread_time() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double calc_best_thread_time(int repetitions, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const double start = calc_thread_time();
    work();
    best = std::min(best, calc_thread_time() - start);
  }
  return best;
}

/// Bricks in running bond on four feet each, at rest under gravity for one step; the last course pushed sideways.
ConstraintSystem make_wall(int width, int courses, double push, double mu) {
  const double h = 1e-3, length = 0.4, depth = 0.2, height = 0.1, mass = 14.4;
  ConstraintSystem system;
  const auto center = [&](int i, int c) { return (i + 0.5 * (c % 2)) * length; };
  for (int c = 0; c < courses; ++c) {
    for (int i = 0; i < width; ++i) {
      Mat6 M = Mat6::Zero(), inverse = Mat6::Zero();
      M.diagonal() << mass, mass, mass, mass * (depth * depth + height * height) / 12.0,
          mass * (length * length + height * height) / 12.0, mass * (length * length + depth * depth) / 12.0;
      inverse.diagonal() = M.diagonal().cwiseInverse();
      Vec6 p = Vec6::Zero();
      p[2] = -mass * 9.81 * h;
      if (c == courses - 1) p[0] = mass * push;
      system.add_body(M, inverse, p);
    }
  }
  Mat3 axes;
  axes << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
  const auto jacobian = [&](const Vec3& arm, double sign) {
    MatX J(3, 6);
    J << sign * axes, -sign * axes * skew(arm);
    return J;
  };
  for (int c = 0; c < courses; ++c) {
    for (int i = 0; i < width; ++i) {
      for (int k = 0; k < 4; ++k) {
        const Vec3 arm((k & 1 ? 0.45 : -0.45) * length, (k & 2 ? 0.45 : -0.45) * depth, -0.5 * height);
        const double x = center(i, c) + arm.x();
        int below = -1;
        for (int j = 0; c > 0 && j < width; ++j) {
          if (std::abs(x - center(j, c - 1)) <= 0.5 * length) below = (c - 1) * width + j;
        }
        if (c > 0 && below < 0) continue;
        const MatX J_b =
            below < 0 ? MatX() : jacobian(Vec3(x - center(below % width, c - 1), arm.y(), 0.5 * height), -1.0);
        const int row = system.add_rows(3, c * width + i, jacobian(arm, 1.0), below, J_b);
        system.lower[row] = 0.0;
        for (int t = 1; t < 3; ++t) {
          system.upper[row + t] = mu * mass * 9.81 * h * (courses - c) / 4.0;
          system.lower[row + t] = -system.upper[row + t];
        }
      }
    }
  }
  return system;
}

void print_row(const char* name, double seconds, double residual, const std::string& remark) {
  fmt::print("  {:<34} {:>10.3f} ms   residual {:.1e}   {}\n", name, 1e3 * seconds, residual, remark);
}

#ifdef ABUT_HAS_SICONOS
/// The bounded problem as an LCP with one more unknown for each upper bound, for solvers that know no bounds.
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

void run_siconos(const BoundedLcp& problem, int solver, const char* name) {
  MatX M;
  VecX q;
  make_one_sided(problem, M, q);
  const int m = static_cast<int>(q.size());
  VecX z = VecX::Zero(m), w = VecX::Zero(m);
  int info = 0;
  const double seconds = calc_best_thread_time(1, [&] {
    LinearComplementarityProblem lcp;
    lcp.size = m;
    lcp.M = NM_create_from_data(NM_DENSE, m, m, M.data());
    lcp.q = q.data();
    SolverOptions* options = solver_options_create(solver);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 20000;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    info = linearComplementarity_driver(&lcp, z.data(), w.data(), options);
    solver_options_delete(options);
    free(options);
    free(lcp.M);
  });
  const VecX x = (z.head(problem.size()) + problem.lower).cwiseMax(problem.lower).cwiseMin(problem.upper);
  const double residual = calc_natural_residual(x, problem.A * x + problem.b, problem.lower, problem.upper);
  print_row(name, seconds, residual, info == 0 ? "" : fmt::format("reports failure {}", info));
}
#endif

void compare_solvers(int width, int courses, double push) {
  const ConstraintSystem system = make_wall(width, courses, push, 0.5);
  const BoundedLcp dense = system.make_dense();
  fmt::print("\nwall of {} bricks, {} contacts, {} rows, last course pushed at {} m/s\n", width * courses,
             system.num_rows() / 3, system.num_rows(), push);
  std::vector<double> x, v;
  SystemResult result;
  const double cold = calc_best_thread_time(3, [&] {
    SystemSolver fresh;
    x.clear();
    result = fresh.solve(system, {}, x, v);
  });
  const auto residual_of = [&] {
    const VecX solution = Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
    return calc_natural_residual(solution, dense.A * solution + dense.b, dense.lower, dense.upper);
  };
  print_row("abut, velocities, cold", cold, residual_of(), fmt::format("{} factorisations", result.iterations));
  SystemSolver solver;
  x.clear();
  solver.solve(system, {}, x, v);
  const ConstraintSystem next = make_wall(width, courses, 0.999 * push, 0.4999);
  const std::vector<double> start = x;
  const double warm = calc_best_thread_time(5, [&] {
    x = start;
    result = solver.solve(next, {}, x, v);
  });
  const BoundedLcp next_dense = next.make_dense();
  const VecX solution = Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
  print_row("abut, velocities, next step", warm,
            calc_natural_residual(solution, next_dense.A * solution + next_dense.b, next_dense.lower, next_dense.upper),
            fmt::format("{} factorisations", result.iterations));
  if (dense.size() > 700) return;
  LcpResult pivoting;
  const double seconds = calc_best_thread_time(1, [&] { pivoting = solve_lcp(dense); });
  print_row("abut, dense block pivoting", seconds, pivoting.residual, fmt::format("{} pivots", pivoting.iterations));
#ifdef ABUT_HAS_SICONOS
  run_siconos(dense, SICONOS_LCP_LEMKE, "Siconos, Lemke");
  if (dense.size() <= 200) run_siconos(dense, SICONOS_LCP_PIVOT, "Siconos, pivot");
  run_siconos(dense, SICONOS_LCP_NSGS, "Siconos, NSGS");
  run_siconos(dense, SICONOS_LCP_PGS, "Siconos, PGS (20000 sweeps)");
#endif
}

void run_wall() {
  const Model model = compile(read_scene_file(std::string(ABUT_SOURCE_DIR) + "/bench/scenes/brick_wall.toml"));
  NullSink sink;
  RunSummary summary;
  const double seconds = calc_best_thread_time(2, [&] { summary = simulate(model, sink); });
  fmt::print(
      "brick wall, {} contacts, step 1 ms: {:.3f} s of processor time for {:.1f} s ({:.2f}x real time), {:.1f} "
      "factorisations a step, worst energy residual {:.1e} J{}\n",
      summary.work.contact_evaluations / summary.work.accepted, seconds, summary.time_reached,
      summary.time_reached / seconds,
      static_cast<double>(summary.work.jacobians) / static_cast<double>(summary.work.accepted), summary.worst_residual,
      summary.notes.empty() ? "" : "; " + summary.notes.front());
}

}  // namespace
}  // namespace abut

int main() {
  abut::run_wall();
  abut::compare_solvers(3, 3, 0.0);
  abut::compare_solvers(3, 5, 1.0);
  abut::compare_solvers(5, 11, 0.0);
  abut::compare_solvers(5, 11, 3.0);
  abut::compare_solvers(20, 20, 0.0);
  return 0;
}
