#include "abut/geometry/mesh/mesh_queries.hpp"

#include <algorithm>
#include <limits>

#include "abut/geometry/mesh/detail/ray_winding.hpp"

namespace abut {
namespace {

using Node = BoundingTree::Node;
using Entry = MeshQueryScratch::Entry;

struct IsFarther {
  bool operator()(const Entry& x, const Entry& y) const {
    if (x.bound != y.bound) return x.bound > y.bound;
    return x.a != y.a ? x.a > y.a : x.b > y.b;
  }
};

void push(std::vector<Entry>& heap, const Entry& entry) {
  heap.push_back(entry);
  std::push_heap(heap.begin(), heap.end(), IsFarther());
}

Entry pop(std::vector<Entry>& heap) {
  std::pop_heap(heap.begin(), heap.end(), IsFarther());
  const Entry entry = heap.back();
  heap.pop_back();
  return entry;
}

/// A node's box in double precision, in some frame.
struct Box {
  Mat3 axes;  ///< columns
  Vec3 center, half;
};

Box make_box(const Node& node, const Pose& X) {
  Mat3 rows;
  for (int i = 0; i < 3; ++i) rows.row(i) = node.axes[i].head<3>().cast<double>().matrix().transpose();
  return {X.R * rows, X * node.calc_center(), node.half.head<3>().cast<double>().matrix()};
}

/// Distance of a point from a box.
double calc_bound(const Box& box, const Vec3& p) {
  const Vec3 r = (box.axes.transpose() * (p - box.center)).cwiseAbs() - box.half;
  return r.cwiseMax(0.0).norm();
}

/// Largest gap along the six face normals: not more than the distance.
double calc_bound(const Box& a, const Box& b) {
  const Mat3 cosines = (a.axes.transpose() * b.axes).cwiseAbs();
  const Vec3 c = b.center - a.center;
  const Vec3 gap_a = (a.axes.transpose() * c).cwiseAbs() - a.half - cosines * b.half;
  const Vec3 gap_b = (b.axes.transpose() * c).cwiseAbs() - b.half - cosines.transpose() * a.half;
  return std::max({0.0, gap_a.maxCoeff(), gap_b.maxCoeff()});
}

TriangleCorners calc_corners(const MeshData& mesh, int t, const Pose& X) {
  const std::array<int, 3>& c = mesh.triangles[t];
  return {X * mesh.vertices[c[0]], X * mesh.vertices[c[1]], X * mesh.vertices[c[2]]};
}

}  // namespace

bool is_inside(const ClosedMesh& mesh, const Vec3& p, MeshQueryScratch& scratch) {
  return detail::calc_winding(mesh.mesh(), mesh.tree(), Pose(), p, 1, scratch.stack,
                              [&](int v) -> const Vec3& { return mesh.vertices()[v]; }) > 0;
}

MeshPoint find_closest_point(const MeshData& mesh, const BoundingTree& tree, const Vec3& p, MeshQueryScratch& scratch) {
  MeshPoint best;
  best.pair = {std::numeric_limits<double>::infinity(), p, p};
  const double margin = 2e-6 * (tree.reach() + p.cwiseAbs().maxCoeff());
  const Pose identity;
  scratch.heap.assign(1, {0.0, 0, 0});
  while (!scratch.heap.empty()) {
    const Entry entry = pop(scratch.heap);
    if (entry.bound > best.pair.distance) break;
    const Node& node = tree.nodes()[entry.a];
    if (node.is_leaf()) {
      const Vec3 q = find_closest_point(calc_corners(mesh, node.triangle(), identity), p);
      const double distance = (q - p).norm();
      if (distance < best.pair.distance) best = {{distance, p, q}, node.triangle()};
      continue;
    }
    for (const int child : {entry.a + 1, node.link}) {
      const double bound = calc_bound(make_box(tree.nodes()[child], identity), p) - margin;
      if (bound <= best.pair.distance) push(scratch.heap, {bound, child, 0});
    }
  }
  return best;
}

ClosestPair find_closest_points(const MeshData& a, const BoundingTree& tree_a, const MeshData& b,
                                const BoundingTree& tree_b, const Pose& X_AB, MeshQueryScratch& scratch) {
  ClosestPair best;
  best.distance = std::numeric_limits<double>::infinity();
  const double margin = 2e-6 * (tree_a.reach() + tree_b.reach() + X_AB.p.cwiseAbs().maxCoeff());
  const Pose identity;
  const auto consider = [&](int i, int j) {
    const double bound = calc_bound(make_box(tree_a.nodes()[i], identity), make_box(tree_b.nodes()[j], X_AB)) - margin;
    if (bound <= best.distance) push(scratch.heap, {bound, i, j});
  };
  scratch.heap.assign(1, {-margin, 0, 0});
  while (!scratch.heap.empty() && best.distance > 0.0) {
    const Entry entry = pop(scratch.heap);
    if (entry.bound > best.distance) break;
    const Node &m = tree_a.nodes()[entry.a], &n = tree_b.nodes()[entry.b];
    if (m.is_leaf() && n.is_leaf()) {
      const ClosestPair pair =
          find_closest_points(calc_corners(a, m.triangle(), identity), calc_corners(b, n.triangle(), X_AB));
      if (pair.distance < best.distance) best = pair;
    } else if (n.is_leaf() || (!m.is_leaf() && m.radius >= n.radius)) {
      consider(entry.a + 1, entry.b);
      consider(m.link, entry.b);
    } else {
      consider(entry.a, entry.b + 1);
      consider(entry.a, n.link);
    }
  }
  return best;
}

}  // namespace abut
