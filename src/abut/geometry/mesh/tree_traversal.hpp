#pragma once

#include <utility>
#include <vector>

#include "abut/geometry/mesh/bounding_tree.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Whether the boxes of two trees overlap, given the pose of the second tree's frame in the first one's. Tests the six
/// face normals (not the nine products of edges, which cost more than they save). Never says no to boxes that touch:
/// everything is enlarged by what single precision can lose.
class BoxOverlap {
 public:
  using Lanes = BoundingTree::Lanes;
  using Node = BoundingTree::Node;

  /// Boxes also count as overlapping when closer than `distance` [m].
  BoxOverlap(const BoundingTree& a, const BoundingTree& b, const Pose& X_AB, double distance = 0.0) {
    const double scale = a.reach() + b.reach() + X_AB.p.cwiseAbs().maxCoeff();
    // Six roundings of 2^-24 in each sum of three products of numbers up to sqrt(3) * scale.
    const float margin = static_cast<float>(distance + 2e-6 * scale);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        R_[j][i] = static_cast<float>(X_AB.R(i, j));
        Rt_[j][i] = static_cast<float>(X_AB.R(j, i));
      }
      R_[j][3] = Rt_[j][3] = 0.0f;
      abs_R_[j] = R_[j].abs();
      abs_Rt_[j] = Rt_[j].abs();
      p_[j] = static_cast<float>(X_AB.p[j]);
    }
    p_[3] = 0.0f;
    margin_ = Lanes::Constant(margin);
  }

  bool operator()(const Node& a, const Node& b) const {
    const Lanes t = R_[0] * b.center[0] + R_[1] * b.center[1] + R_[2] * b.center[2] + p_ - a.center;
    const Lanes reach_a = a.half + margin_ + abs_R_[0] * b.half[0] + abs_R_[1] * b.half[1] + abs_R_[2] * b.half[2];
    if ((t.abs() > reach_a).any()) return false;
    const Lanes s = Rt_[0] * t[0] + Rt_[1] * t[1] + Rt_[2] * t[2];
    const Lanes reach_b = b.half + margin_ + abs_Rt_[0] * a.half[0] + abs_Rt_[1] * a.half[1] + abs_Rt_[2] * a.half[2];
    return !(s.abs() > reach_b).any();
  }

 private:
  Lanes R_[3], Rt_[3], abs_R_[3], abs_Rt_[3], p_, margin_;
};

/// Pairs of nodes still to be visited; keep one to avoid allocations.
using PairStack = std::vector<std::pair<int, int>>;

/// Calls visit(triangle of a, triangle of b) for every pair of triangles whose boxes may overlap, in a fixed order.
template <class Visit>
void visit_overlapping_pairs(const BoundingTree& a, const BoundingTree& b, const BoxOverlap& is_overlapping,
                             PairStack& stack, const Visit& visit) {
  const std::vector<BoundingTree::Node>&x = a.nodes(), &y = b.nodes();
  stack.clear();
  if (is_overlapping(x[0], y[0])) stack.emplace_back(0, 0);
  const auto push = [&](int i, int j) {
    if (is_overlapping(x[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(j)])) stack.emplace_back(i, j);
  };
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    const BoundingTree::Node &m = x[static_cast<std::size_t>(i)], &n = y[static_cast<std::size_t>(j)];
    if (m.is_leaf() && n.is_leaf()) {
      visit(m.triangle(), n.triangle());
    } else if (n.is_leaf() || (!m.is_leaf() && m.half.maxCoeff() >= n.half.maxCoeff())) {
      push(m.link, j);
      push(i + 1, j);
    } else {
      push(i, n.link);
      push(i, j + 1);
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
