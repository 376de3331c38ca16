#include "abut/geometry/mesh/bounding_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "abut/base/error.hpp"

namespace abut {
namespace {

constexpr int kNumBins = 16;

double calc_half_area(const Aabb& box) {
  const Vec3 d = box.upper - box.lower;
  return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

void enlarge(Aabb& box, const Aabb& other) {
  box.lower = box.lower.cwiseMin(other.lower);
  box.upper = box.upper.cwiseMax(other.upper);
}

struct Builder {
  std::vector<Aabb> boxes;
  std::vector<Vec3> centers;
  std::vector<int> order;  ///< triangles; each node owns a range
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
    const double length = (spread.upper - spread.lower).maxCoeff(&axis);
    const int middle = (begin + end) / 2;
    if (!(length > 0.0)) return middle;
    const double scale = kNumBins / length, low = spread.lower[axis];
    const auto bin = [&](int t) { return std::min(kNumBins - 1, static_cast<int>((centers[t][axis] - low) * scale)); };
    const int border = end - begin > 4 ? find_border(begin, end, bin) : 0;
    if (border > 0) {
      const auto first = order.begin() + begin, last = order.begin() + end;
      const int found = static_cast<int>(
          std::stable_partition(first, last, [&](int t) { return bin(t) < border; }) - order.begin());
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

  /// Returns the depth of what it built.
  int build(int begin, int end) {
    const int index = static_cast<int>(nodes.size());
    const Aabb box = calc_box(begin, end);
    BoundingTree::Node node;
    for (int i = 0; i < 3; ++i) {
      const double center = 0.5 * (box.lower[i] + box.upper[i]);
      node.center[i] = static_cast<float>(center);
      const double half =
          std::max(box.upper[i] - double{node.center[i]}, double{node.center[i]} - box.lower[i]);
      node.half[i] = std::nextafter(static_cast<float>(half), std::numeric_limits<float>::infinity());
    }
    nodes.push_back(node);
    if (end - begin == 1) {
      nodes[index].link = -1 - order[begin];
      return 1;
    }
    const int middle = split(begin, end);
    const int left = build(begin, middle);
    nodes[index].link = static_cast<int>(nodes.size());
    return 1 + std::max(left, build(middle, end));
  }
};

}  // namespace

BoundingTree::BoundingTree(const MeshData& mesh) {
  if (mesh.triangles.empty()) throw InputError("a mesh without triangles has no bounding tree");
  const int count = static_cast<int>(mesh.triangles.size());
  Builder builder{{}, {}, {}, nodes_};
  builder.boxes.resize(mesh.triangles.size());
  builder.centers.resize(mesh.triangles.size());
  builder.order.resize(mesh.triangles.size());
  std::iota(builder.order.begin(), builder.order.end(), 0);
  for (int t = 0; t < count; ++t) {
    for (const int v : mesh.triangles[t]) enlarge(builder.boxes[t], {mesh.vertices[v], mesh.vertices[v]});
    builder.centers[t] = 0.5 * (builder.boxes[t].lower + builder.boxes[t].upper);
    reach_ = std::max({reach_, builder.boxes[t].lower.cwiseAbs().maxCoeff(),
                       builder.boxes[t].upper.cwiseAbs().maxCoeff()});
  }
  nodes_.reserve(2 * mesh.triangles.size());
  depth_ = builder.build(0, count);
}

}  // namespace abut
