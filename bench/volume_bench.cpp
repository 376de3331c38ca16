// Volume of interference of polyhedra: ours against CGAL's corefinement on boxes in general pose (same volume to 1e-12,
// checked in the run), and against voxels at the sizes the source uses: error against time.

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "bench_tools.hpp"
#include "volume_peers.hpp"

namespace {

using namespace abut;

class Random {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Pose pose(double half_width) {
    const Quat q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    return {q.normalized(),
            Vec3(uniform(-half_width, half_width), uniform(-half_width, half_width), uniform(-half_width, half_width))};
  }

 private:
  std::mt19937_64 engine_{1};
};

/// Signed height over the planes of a polyhedron: its distance from outside a face, and no more than that elsewhere.
double calc_gap(const ConvexPolyhedron& solid, const Vec3& p) {
  double gap = -std::numeric_limits<double>::infinity();
  for (const Plane& plane : solid.planes()) gap = std::max(gap, plane.normal.dot(p) - plane.offset);
  return gap;
}

/// False where the volumes differ.
bool compare_corefinement() {
  const ConvexPolyhedron a = make_box_polyhedron(Vec3(0.15, 0.1, 0.05));
  const ConvexPolyhedron b = make_box_polyhedron(Vec3(0.1, 0.125, 0.075));
  PolyhedronClip clip;
  Random random;
  std::vector<Pose> X_WA, X_WB;
  std::vector<double> volumes;
  // Deeper than a thousandth of the boxes: below, the rounding of the poses alone moves V by more than 1e-12 of it.
  while (volumes.size() < 400) {
    const Pose X_A = random.pose(0.15), X_B = random.pose(0.01);
    const double volume = calc_clip_metrics(a, X_A, b, X_B, clip).volume;
    if (volume < 1e-3 * calc_volume(a)) continue;
    X_WA.push_back(X_A);
    X_WB.push_back(X_B);
    volumes.push_back(volume);
  }
  double sum = 0.0;
  const double ours = calc_best_time(20, [&] {
    for (std::size_t i = 0; i < X_WA.size(); ++i) sum += calc_clip_metrics(a, X_WA[i], b, X_WB[i], clip).volume;
  });
  const double count = static_cast<double>(X_WA.size());
  fmt::print("box-box, {} general poses, all metrics     {:>10.2f} us  (checksum {:.6g})\n", X_WA.size(),
             1e6 * ours / count, sum);
  if (counts_only) return true;
  if (!has_corefinement()) {
    fmt::print("CGAL corefinement: skipped, this build did not find CGAL (libcgal-dev)\n");
    return true;
  }
  const CorefinementResult peer = run_corefinement(a, X_WA, b, X_WB);
  double worst = 0.0;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    worst = std::max(worst, std::abs(volumes[i] - peer.volumes[i]) / peer.volumes[i]);
  }
  fmt::print("CGAL corefinement, volume only               {:>10.2f} us, {:.0f} times ours\n",
             1e6 * peer.seconds / count, peer.seconds / ours);
  fmt::print("largest relative difference of V             {:>10.1e}    ({})\n", worst,
             worst <= 1e-12 ? "not above 1e-12" : "ABOVE 1e-12");
  return worst <= 1e-12;
}

/// Worst relative errors over places of the grid, and time of one evaluation.
template <class Gap>
void print_voxels(const Vec3& lower, const Vec3& upper, double exact, const Gap& gap) {
  Random random;
  for (const double voxel : {1e-3, 2e-4}) {
    for (const bool fill : {false, true}) {
      double least = 1e300, most = -1e300, best = 1e300;
      for (int phase = 0; phase < 6; ++phase) {
        double edge = voxel;
        while (edge < (upper - lower).maxCoeff() + voxel) edge *= 2.0;
        const Vec3 corner = lower - voxel * Vec3(random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
        const Voxels grid{corner, corner + Vec3::Constant(edge), voxel, fill};
        double volume = 0.0;
        best = std::min(best, calc_best_time(1, [&] { volume = calc_voxel_volume(grid, gap); }));
        least = std::min(least, volume / exact - 1.0);
        most = std::max(most, volume / exact - 1.0);
      }
      fmt::print("    voxels {:.0e} m, {:<14} {:>12.1f} us, error {:>+6.1f} .. {:>+5.1f} %\n", voxel,
                 fill ? "fill estimated" : "centres", 1e6 * best, 100.0 * least, 100.0 * most);
    }
  }
}

void compare_voxels_sphere() {
  const double radius = 0.1, depth = 2.5e-3;
  // Closed form of the cap.
  double exact = 0.0;
  const int count = 1000000;
  volatile double input = depth;
  const double seconds = calc_best_time(3,
                                        [&] {
                                          for (int i = 0; i < count; ++i) {
                                            const double d = input;
                                            exact = std::numbers::pi * d * d * (3.0 * radius - d) / 3.0;
                                          }
                                        }) /
                         count;
  fmt::print("\nsphere R 0.1 m, 2.5 mm into a half-space\n");
  fmt::print("    closed form                  {:>12.4f} us, error rounding only\n", 1e6 * seconds);
  const double half = std::sqrt(depth * (2.0 * radius - depth));
  const Vec3 center(0, 0, radius - depth);
  const auto gap = [&](const Vec3& p) { return std::max((p - center).norm() - radius, p.z()); };
  print_voxels(Vec3(-half, -half, -depth), Vec3(half, half, 0.0), exact, gap);
}

/// `depth` of the lowest corner of A, tilted, in the top of B.
void compare_voxels_boxes(double depth) {
  const ConvexPolyhedron a = make_box_polyhedron(Vec3::Constant(0.05)), b = make_box_polyhedron(Vec3(0.1, 0.1, 0.05));
  Pose X_WA(Quat(0.9, 0.3, 0.25, 0.1).normalized(), Vec3::Zero());
  double lowest = 0.0;
  for (const Vec3& v : a.vertices()) lowest = std::min(lowest, (X_WA * v).z());
  X_WA.p.z() = 0.05 - lowest - depth;
  PolyhedronClip clip;
  double exact = 0.0;
  const int count = 20000;
  const double seconds = calc_best_time(5,
                                        [&] {
                                          for (int i = 0; i < count; ++i) {
                                            exact = calc_clip_metrics(a, X_WA, b, Pose(), clip).volume;
                                          }
                                        }) /
                         count;
  fmt::print("\nbox-box, corner {} mm deep\n", 1e3 * depth);
  fmt::print("    clipping                     {:>12.4f} us, error rounding only\n", 1e6 * seconds);
  Vec3 lower = Vec3::Constant(1e300), upper = -lower;
  for (const Vec3& v : clip.vertices()) {
    lower = lower.cwiseMin(clip.origin() + v);
    upper = upper.cwiseMax(clip.origin() + v);
  }
  const Pose X_AW = X_WA.inverse();
  const auto gap = [&](const Vec3& p) { return std::max(calc_gap(a, X_AW * p), calc_gap(b, p)); };
  if (!counts_only) print_voxels(lower, upper, exact, gap);
}

}  // namespace

int main(int argc, char** argv) {
  read_bench_options(argc, argv);
  const bool is_same = compare_corefinement();
  if (!counts_only) compare_voxels_sphere();
  compare_voxels_boxes(2.5e-3);
  compare_voxels_boxes(25e-3);
  return is_same ? EXIT_SUCCESS : EXIT_FAILURE;
}
