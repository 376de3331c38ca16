// The curve in which two meshes cross, step by step: two spheres of 270 triangles in contact; the cost against the
// number of triangles at the same contact and at a light touch. All on one core, over a motion as in a simulation.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_crossing.hpp"
#include "abut/geometry/mesh/surface_mesh.hpp"
#include "allocation_count.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

constexpr double kRadius = 0.2;  // [m]

/// A sphere that presses, slides and rolls on another: poses of successive steps [1 ms].
std::vector<Pose> make_motion(double depth, int num_steps) {
  std::vector<Pose> motion;
  const Vec3 up = Vec3(0.3, 0.2, 0.9).normalized(), aside = any_perpendicular(up);
  Quat turn = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3(0.5, -0.7, 0.4).normalized());
  for (int i = 0; i < num_steps; ++i) {
    const double t = 1e-3 * i, spin = 1.0;  // [s], [rad/s]
    const double height = 2.0 * kRadius - depth * (1.0 - 0.3 * std::cos(40.0 * t));
    const Vec3 p = height * (std::cos(0.3 * t) * up + std::sin(0.3 * t) * aside);
    turn = (Quat(1.0, 0.0, 0.5e-3 * spin, 0.3e-3 * spin) * turn).normalized();
    motion.emplace_back(turn, p);
  }
  return motion;
}

struct Outcome {
  double mean_time = 0.0, worst_time = 0.0, search_share = 0.0;  // [s], best of several passes
  double segments = 0.0, tests = 0.0;                            // per step
  long allocations = 0;
};

Outcome measure(const SurfaceMesh& mesh, double depth, int num_passes) {
  const std::vector<Pose> motion = make_motion(depth, 400);
  const double num_steps = static_cast<double>(motion.size());
  MeshCrossing crossing;
  std::vector<double> times(motion.size(), 1e9);
  Outcome outcome;
  for (int pass = 0; pass < num_passes + 1; ++pass) {
    const long before = num_allocations;
    const MeshCrossing::Counts counts = crossing.counts();
    outcome.segments = 0.0;
    for (std::size_t i = 0; i < motion.size(); ++i) {
      std::size_t found = 0;
      const double time = calc_best_time(1, [&] { found = crossing.calc(mesh, mesh, motion[i]).size(); });
      if (pass > 0) times[i] = std::min(times[i], time);
      outcome.segments += static_cast<double>(found) / num_steps;
    }
    outcome.allocations = num_allocations - before;
    outcome.search_share = static_cast<double>(crossing.counts().num_searches - counts.num_searches) / num_steps;
    outcome.tests = static_cast<double>(crossing.counts().num_tests - counts.num_tests) / num_steps;
  }
  for (const double time : times) outcome.mean_time += time / num_steps;
  outcome.worst_time = *std::max_element(times.begin(), times.end());
  return outcome;
}

void print_head() {
  fmt::print("{:<34} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7}\n", "detection a step", "mean us", "worst us",
             "segments", "tests", "searches", "ns/segm.", "allocs");
}

void print(const std::string& name, const Outcome& x) {
  fmt::print("{:<34} {:>9.2f} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.1f}% {:>9.0f} {:>7}\n", name, 1e6 * x.mean_time,
             1e6 * x.worst_time, x.segments, x.tests, 100.0 * x.search_share, 1e9 * x.mean_time / x.segments,
             x.allocations);
}

}  // namespace

int main() {
  print_head();
  print("270 triangles, 20 mm deep", measure(make_surface_mesh(make_uv_sphere_mesh(kRadius, 15, 10)), 0.02, 10));
  for (const double depth : {0.02, 1e-4}) {
    for (const int n : {32, 100, 316, 1000}) {
      const MeshData data = make_uv_sphere_mesh(kRadius, n, n / 2 + 1);
      const SurfaceMesh mesh = make_surface_mesh(data);
      print(fmt::format("{} triangles, {} mm deep", data.triangles.size(), 1e3 * depth), measure(mesh, depth, 5));
    }
  }
  return 0;
}
