// Volume of interference of two sphere meshes, R 0.1 m, 4 mm deep, over random poses: time of a query, error of the
// volume against the lens of two spheres with and without the curvature correction, allocations after warm-up.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/mesh/make_mesh.hpp"
#include "abut/geometry/mesh/mesh_interference.hpp"
#include "abut/geometry/mesh/smoothed_mesh.hpp"
#include "allocation_count.hpp"
#include "bench_tools.hpp"

namespace {

using namespace abut;

constexpr double kRadius = 0.1, kDepth = 0.004;
constexpr int kNumPoses = 50;

double calc_lens_volume() {
  const double h = 0.5 * kDepth;
  return 2.0 * std::numbers::pi * h * h * (3.0 * kRadius - h) / 3.0;
}

std::vector<Mat3> make_rotations(unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<Mat3> rotations;
  for (int i = 0; i < kNumPoses; ++i) {
    const double w = normal(engine), x = normal(engine), y = normal(engine), z = normal(engine);
    rotations.push_back(Quat(w, x, y, z).normalized().toRotationMatrix());
  }
  return rotations;
}

struct Outcome {
  double median_time = 0.0, worst_time = 0.0;  // [s], each pose by its best of several
  double mean_error = 0.0, worst_error = 0.0;  // relative
  long allocations = 0;
  int num_pairs = 0;
};

Outcome measure(const ClosedMesh& sphere, int repetitions) {
  const std::vector<Mat3> R = make_rotations(1), Q = make_rotations(2);
  const Vec3 p(0, 0, 2.0 * kRadius - kDepth);
  MeshInterference interference;
  const auto query = [&](int i) -> const std::vector<VolumeMetrics>& {
    return interference.calc(sphere, Pose(R[i], Vec3::Zero()), sphere, Pose(Q[i], p));
  };
  Outcome outcome;
  std::vector<double> times;
  for (int i = 0; i < kNumPoses; ++i) {
    const double error = query(i).at(0).volume / calc_lens_volume() - 1.0;
    outcome.mean_error += error / kNumPoses;
    outcome.worst_error = std::max(outcome.worst_error, std::abs(error));
    outcome.num_pairs = std::max(outcome.num_pairs, interference.counts().num_segments);
  }
  const long before = num_allocations;
  for (int i = 0; i < kNumPoses; ++i) query(i);
  outcome.allocations = num_allocations - before;
  for (int i = 0; i < kNumPoses; ++i) times.push_back(calc_best_time(repetitions, [&] { query(i); }));
  std::sort(times.begin(), times.end());
  outcome.median_time = times[times.size() / 2];
  outcome.worst_time = times.back();
  return outcome;
}

}  // namespace

int main() {
  fmt::print("{:>10} {:>10} {:>10} {:>9} {:>13} {:>13} {:>13} {:>7}\n", "triangles", "median us", "worst us",
             "segments", "mean error", "worst error", "uncorrected", "allocs");
  for (const int level : {3, 4, 5, 6, 7}) {
    const MeshData data = make_sphere_mesh(kRadius, level);
    const ClosedMesh plain = make_closed_mesh(data), smoothed = make_closed_mesh(make_smoothed(data, 0.9));
    const Outcome raw = measure(plain, 1), corrected = measure(smoothed, 20);
    fmt::print("{:>10} {:>10.1f} {:>10.1f} {:>9} {:>12.4f}% {:>12.4f}% {:>12.4f}% {:>7}\n", data.triangles.size(),
               1e6 * corrected.median_time, 1e6 * corrected.worst_time, corrected.num_pairs,
               100.0 * corrected.mean_error, 100.0 * corrected.worst_error, 100.0 * raw.worst_error,
               corrected.allocations);
  }
  return 0;
}
