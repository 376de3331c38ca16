// Complementarity steps: the brick wall in real time, and our solvers against those of Siconos and ODE on the matrices
// of the same wall, at equal residual. Times are processor times of one thread.
#include <fmt/format.h>

#include "abut/io/scene_reader.hpp"
#include "abut/sim/compile.hpp"
#include "abut/sim/simulate.hpp"
#include "abut/solve/lcp/solve_lcp.hpp"
#include "abut/solve/lcp/system_solver.hpp"
#include "bench_tools.hpp"
#include "lcp_peers.hpp"

namespace abut {
namespace {

template <class Work>
double calc_best_thread_time(int repetitions, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < (counts_only ? 1 : repetitions); ++i) {
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
  if (dense.size() <= 300) {
    LcpResult pivoting;
    const double seconds = calc_best_thread_time(1, [&] { pivoting = solve_lcp(dense); });
    print_row("abut, dense block pivoting", seconds, pivoting.residual, fmt::format("{} pivots", pivoting.iterations));
  }
  if (counts_only) return;
  for (const std::vector<PeerResult>& peers : {run_ode(dense), run_siconos(dense)}) {
    for (const PeerResult& peer : peers) {
      const double peer_residual = calc_natural_residual(peer.x, dense.A * peer.x + dense.b, dense.lower, dense.upper);
      print_row(peer.name.c_str(), peer.seconds, peer_residual, peer.remark);
    }
  }
}

void run_wall() {
  SceneSpec scene = read_scene_file(std::string(ABUT_SOURCE_DIR) + "/cases/brick-wall/brick-wall.toml");
  if (counts_only) scene.run.duration = 0.05;
  const Model model = compile(scene);
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

int main(int argc, char** argv) {
  abut::read_bench_options(argc, argv);
  abut::run_wall();
  abut::compare_solvers(3, 3, 0.0);
  abut::compare_solvers(3, 5, 1.0);
  if (abut::counts_only) return 0;
  abut::compare_solvers(5, 11, 0.0);
  abut::compare_solvers(5, 11, 3.0);
  abut::compare_solvers(20, 20, 0.0);
  return 0;
}
