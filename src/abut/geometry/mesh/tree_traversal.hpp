#pragma once

#include <utility>
#include <vector>

#include "abut/geometry/mesh/bounding_tree.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Whether boxes of two trees overlap. Tests the six face normals (not the nine products of edges, which cost more than
/// they save). Never says no to boxes that touch: everything is enlarged by what single precision can lose.
class BoxOverlap {
 public:
  using Lanes = BoundingTree::Lanes;
  using Node = BoundingTree::Node;

  /// A box seen from the other tree's frame.
  struct Moved {
    Lanes axes[3];  ///< by component, as in a node
    Lanes center, half;
  };

  /// For boxes of b against those of a. Boxes also count as overlapping when closer than `distance` [m].
  BoxOverlap(const BoundingTree& a, const BoundingTree& b, const Pose& X_AB, double distance = 0.0) {
    const double scale = a.reach() + b.reach() + X_AB.p.cwiseAbs().maxCoeff();
    // A dozen roundings of 2^-24 in sums of products of numbers up to sqrt(3) * scale.
    margin_ = Lanes::Constant(static_cast<float>(distance + 2e-6 * scale));
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) R_[j][i] = static_cast<float>(X_AB.R(i, j));
      R_[j][3] = 0.0f;
      p_[j] = static_cast<float>(X_AB.p[j]);
    }
    p_[3] = 0.0f;
  }

  Moved move(const Node& b) const {
    Moved moved;
    for (int i = 0; i < 3; ++i) moved.axes[i] = b.axes[0] * R_[0][i] + b.axes[1] * R_[1][i] + b.axes[2] * R_[2][i];
    moved.center = turn(R_, b.center) + p_;
    moved.half = b.half;
    return moved;
  }

  bool operator()(const Node& a, const Moved& b) const {
    const Lanes c = b.center - a.center;
    Eigen::Array44f cosines;  // absolute; column j: of all axes of a with axis j of b
    for (int j = 0; j < 3; ++j) cosines.col(j) = turn(a.axes, b.axes, j).abs();
    cosines.col(3).setZero();
    const Lanes reach_a =
        a.half + margin_ + cosines.col(0) * b.half[0] + cosines.col(1) * b.half[1] + cosines.col(2) * b.half[2];
    if ((turn(a.axes, c).abs() - reach_a).maxCoeff() > 0.0f) return false;
    cosines.transposeInPlace();
    const Lanes reach_b =
        b.half + margin_ + cosines.col(0) * a.half[0] + cosines.col(1) * a.half[1] + cosines.col(2) * a.half[2];
    return !((turn(b.axes, c).abs() - reach_b).maxCoeff() > 0.0f);
  }
  bool operator()(const Node& a, const Node& b) const { return (*this)(a, move(b)); }

 private:
  static Lanes turn(const Lanes* columns, const Lanes& v) {
    return columns[0] * v[0] + columns[1] * v[1] + columns[2] * v[2];
  }

  /// Cosines of all axes of the first box with axis j of the second.
  static Lanes turn(const Lanes* axes, const Lanes* others, int j) {
    return axes[0] * others[0][j] + axes[1] * others[1][j] + axes[2] * others[2][j];
  }

  Lanes R_[3], p_, margin_;
};

/// Pairs of nodes still to be visited; keep one to avoid allocations.
using PairStack = std::vector<std::pair<int, int>>;

/// Calls visit(triangle of a, triangle of b) for every pair of triangles whose boxes may overlap or are closer than
/// `distance` [m], in a fixed order. X_AB is the pose of b's frame in a's.
template <class Visit>
void visit_overlapping_pairs(const BoundingTree& a, const BoundingTree& b, const Pose& X_AB, PairStack& stack,
                             const Visit& visit, double distance = 0.0) {
  const std::vector<BoundingTree::Node>&x = a.nodes(), &y = b.nodes();
  const BoxOverlap is_b_over_a(a, b, X_AB, distance), is_a_over_b(b, a, X_AB.inverse(), distance);
  stack.clear();
  if (is_b_over_a(x[0], y[0])) stack.emplace_back(0, 0);
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    const BoundingTree::Node &m = x[static_cast<std::size_t>(i)], &n = y[static_cast<std::size_t>(j)];
    if (m.is_leaf() && n.is_leaf()) {
      visit(m.triangle(), n.triangle());
    } else if (n.is_leaf() || (!m.is_leaf() && m.radius >= n.radius)) {
      const BoxOverlap::Moved moved = is_b_over_a.move(n);
      for (const int k : {m.link, i + 1}) {
        if (is_b_over_a(x[static_cast<std::size_t>(k)], moved)) stack.emplace_back(k, j);
      }
    } else {
      const BoxOverlap::Moved moved = is_a_over_b.move(m);
      for (const int k : {n.link, j + 1}) {
        if (is_a_over_b(y[static_cast<std::size_t>(k)], moved)) stack.emplace_back(i, k);
      }
    }
  }
}

/// Calls visit(triangle) for every triangle whose box satisfies `is_wanted(node)`, which has to hold for a node if it
/// holds for any of its children.
template <class IsWanted, class Visit>
void visit_triangles(const BoundingTree& tree, std::vector<int>& stack, const IsWanted& is_wanted, const Visit& visit) {
  stack.assign(1, 0);
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    const BoundingTree::Node& node = tree.nodes()[static_cast<std::size_t>(i)];
    if (!is_wanted(node)) continue;
    if (node.is_leaf()) {
      visit(node.triangle());
    } else {
      stack.push_back(node.link);
      stack.push_back(i + 1);
    }
  }
}

}  // namespace abut
