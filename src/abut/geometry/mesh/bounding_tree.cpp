#include "abut/geometry/mesh/bounding_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include <Eigen/Eigenvalues>

#include "abut/base/error.hpp"
#include "abut/base/thread_pool.hpp"

namespace abut {
namespace {

constexpr int kNumBins = 16;
/// Larger nodes are few and seldom flat: their boxes stay along the axes of the mesh, which halves the time to build.
constexpr int kMaxTurned = 1024;
/// Trees of fewer triangles are built before threads have started [1].
constexpr int kLeastParallel = 1 << 15;
/// Parts for threads to share, each of about this many triangles at most: few enough to start, enough to even out [1].
constexpr int kPartSize = 1 << 12;
/// More are limited by memory [1].
constexpr unsigned kMostThreads = 8;

double calc_half_area(const Aabb& box) {
  const Vec3 d = box.upper - box.lower;
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

/// Inline: it is what most of the time to build is spent on.
[[gnu::always_inline]] inline void enlarge(Aabb& box, const Aabb& other) {
  box.lower = box.lower.cwiseMin(other.lower);
  box.upper = box.upper.cwiseMax(other.upper);
}

struct Builder {
  std::vector<Aabb> boxes;
  std::vector<Vec3> centers;
  std::vector<int> order;  ///< triangles; each node owns a range
  const MeshData& mesh;
  std::vector<BoundingTree::Node>& nodes;

  Aabb calc_box(int begin, int end) const {
    Aabb box;
    for (int i = begin; i < end; ++i) enlarge(box, boxes[order[i]]);
    return box;
  }

  /// First index of the second half: the cheapest of the bins' borders along the longest axis of the centres, or the
  /// median where the centres do not tell.
  int split(int begin, int end) {
    Aabb spread;
    for (int i = begin; i < end; ++i) enlarge(spread, {centers[order[i]], centers[order[i]]});
    int axis = 0;
    const Vec3 size = spread.upper - spread.lower;
    const double length = size.maxCoeff(&axis);
    const int middle = (begin + end) / 2;
    if (!(length > 0.0)) return middle;
    const double scale = kNumBins / length, low = spread.lower[axis];
    const auto bin = [&](int t) { return std::min(kNumBins - 1, static_cast<int>((centers[t][axis] - low) * scale)); };
    const int border = end - begin > 4 ? find_border(begin, end, bin) : 0;
    if (border > 0) {
      const auto first = order.begin() + begin, last = order.begin() + end;
      const int found =
          static_cast<int>(std::stable_partition(first, last, [&](int t) { return bin(t) < border; }) - order.begin());
      if (found > begin && found < end) return found;
    }
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](int s, int t) {
      const double x = centers[s][axis], y = centers[t][axis];
      return x != y ? x < y : s < t;
    });
    return middle;
  }

  template <class Bin>
  int find_border(int begin, int end, const Bin& bin) const {
    std::array<Aabb, kNumBins> box;
    std::array<int, kNumBins> count{};
    for (int i = begin; i < end; ++i) {
      const int b = bin(order[i]);
      enlarge(box[b], boxes[order[i]]);
      ++count[b];
    }
    std::array<double, kNumBins> left_cost{};
    Aabb left, right;
    for (int b = 0, n = 0; b < kNumBins - 1; ++b) {
      enlarge(left, box[b]);
      n += count[b];
      left_cost[b + 1] = n == 0 ? std::numeric_limits<double>::infinity() : n * calc_half_area(left);
    }
    double best = std::numeric_limits<double>::infinity();
    int border = 0;
    for (int b = kNumBins - 1, n = 0; b > 0; --b) {
      enlarge(right, box[b]);
      n += count[b];
      const double cost = n == 0 ? best : left_cost[b] + n * calc_half_area(right);
      if (cost < best) {
        best = cost;
        border = b;
      }
    }
    return border;
  }

  /// A tree of n triangles has 2n - 1 nodes, so that the place of each is known before those to its left are built, and
  /// parts may be built by threads in any order.
  struct Part {
    int begin, end;  ///< of `order`
    int index;       ///< of its root
    int level;       ///< nodes above it
    int depth = 0;
  };

  /// Makes the root of a part, and tells its two halves.
  std::array<Part, 2> divide(const Part& part) {
    nodes[part.index] = make_node(part.begin, part.end);
    const int middle = split(part.begin, part.end), right = part.index + 2 * (middle - part.begin);
    nodes[part.index].link = right;
    return {Part{part.begin, middle, part.index + 1, part.level + 1}, Part{middle, part.end, right, part.level + 1}};
  }

  /// Returns the depth of what it built.
  int build(const Part& part) {
    if (part.end - part.begin == 1) {
      nodes[part.index] = make_node(part.begin, part.end);
      nodes[part.index].link = -1 - order[part.begin];
      return 1;
    }
    const std::array<Part, 2> halves = divide(part);
    const int left = build(halves[0]);
    return 1 + std::max(left, build(halves[1]));
  }

  /// The upper nodes one after the other, then the parts below them at the same time.
  int build_in_parallel(const Part& whole) {
    std::vector<Part> open = {whole}, parts;
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      if (part.end - part.begin <= kPartSize) {
        parts.push_back(part);
        continue;
      }
      for (const Part& half : divide(part)) open.push_back(half);
    }
    ThreadPool pool(static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads)));
    pool.parallel_for(static_cast<int>(parts.size()), 1, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) parts[i].depth = build(parts[i]);
    });
    int depth = 0;
    for (const Part& part : parts) depth = std::max(depth, part.level + part.depth);
    return depth;
  }

  BoundingTree::Node make_node(int begin, int end) const {
    const Aabb aligned = calc_box(begin, end);
    if (end - begin > kMaxTurned) return make_box(Mat3::Identity(), aligned);
    const Mat3 axes = calc_principal_axes(begin, end);
    const Aabb turned = calc_box_along(axes, begin, end);
    if (calc_half_area(turned) < calc_half_area(aligned)) return make_box(axes, turned);
    return make_box(Mat3::Identity(), aligned);
  }

  /// Columns: principal axes of the triangles' corners. A single triangle has its normal and longest edge.
  Mat3 calc_principal_axes(int begin, int end) const {
    if (end - begin == 1) return calc_triangle_axes(mesh.triangles[order[begin]]);
    const Vec3 origin = centers[order[begin]];
    Vec3 mean = Vec3::Zero();
    Mat3 square = Mat3::Zero();
    for (int i = begin; i < end; ++i) {
      const std::array<int, 3>& t = mesh.triangles[order[i]];
      const Vec3 p = mesh.vertices[t[0]] - origin, q = mesh.vertices[t[1]] - origin, r = mesh.vertices[t[2]] - origin;
      mean += p + q + r;
      square += p * p.transpose() + q * q.transpose() + r * r.transpose();
    }
    const double count = 3.0 * (end - begin);
    const Mat3 covariance = square / count - (mean / count) * (mean / count).transpose();
    Eigen::SelfAdjointEigenSolver<Mat3> solver;
    solver.computeDirect(covariance);
    return solver.eigenvectors();
  }

  Mat3 calc_triangle_axes(const std::array<int, 3>& t) const {
    Vec3 longest = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vec3 edge = mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]];
      if (edge.squaredNorm() > longest.squaredNorm()) longest = edge;
    }
    const Vec3 normal = (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    if (!(longest.norm() > 0.0) || !(normal.norm() > 1e-12 * longest.squaredNorm())) return Mat3::Identity();
    Mat3 axes;
    axes.col(0) = longest.normalized();
    axes.col(2) = normal.normalized();
    axes.col(1) = axes.col(2).cross(axes.col(0));
    return axes;
  }

  Aabb calc_box_along(const Mat3& axes, int begin, int end) const {
    Aabb box;
    for (int i = begin; i < end; ++i) {
      for (const int v : mesh.triangles[order[i]]) {
        const Vec3 r = axes.transpose() * mesh.vertices[v];
        enlarge(box, {r, r});
      }
    }
    return box;
  }

  /// Rounds outwards: the axes in single precision are off by 2^-24 over the size of the box, the centre by that over
  /// its distance from the origin.
  BoundingTree::Node make_box(const Mat3& axes, const Aabb& box) const {
    BoundingTree::Node node;
    const Vec3 middle = 0.5 * (box.lower + box.upper), half = 0.5 * (box.upper - box.lower), center = axes * middle;
    const double margin = 2.4e-7 * half.sum() + 1.2e-7 * center.cwiseAbs().maxCoeff();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) node.axes[i][j] = static_cast<float>(axes(i, j));
      node.center[i] = static_cast<float>(center[i]);
      node.half[i] = static_cast<float>(half[i] + margin);
    }
    node.radius = static_cast<float>((half.norm() + 2.0 * margin) * (1.0 + 1e-6));
    return node;
  }
};

}  // namespace

BoundingTree::BoundingTree(const MeshData& mesh) {
  if (mesh.triangles.empty()) throw InputError("a mesh without triangles has no bounding tree");
  const int count = static_cast<int>(mesh.triangles.size());
  Builder builder{{}, {}, {}, mesh, nodes_};
  builder.boxes.resize(mesh.triangles.size());
  builder.centers.resize(mesh.triangles.size());
  builder.order.resize(mesh.triangles.size());
  std::iota(builder.order.begin(), builder.order.end(), 0);
  for (int t = 0; t < count; ++t) {
    for (const int v : mesh.triangles[t]) enlarge(builder.boxes[t], {mesh.vertices[v], mesh.vertices[v]});
    builder.centers[t] = 0.5 * (builder.boxes[t].lower + builder.boxes[t].upper);
    reach_ =
        std::max({reach_, builder.boxes[t].lower.cwiseAbs().maxCoeff(), builder.boxes[t].upper.cwiseAbs().maxCoeff()});
  }
  nodes_.resize(2 * mesh.triangles.size() - 1);
  const Builder::Part whole{0, count, 0, 0};
  depth_ = count < kLeastParallel ? builder.build(whole) : builder.build_in_parallel(whole);
}

}  // namespace abut
