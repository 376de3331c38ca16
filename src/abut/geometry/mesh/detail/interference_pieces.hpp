#pragma once

#include <array>
#include <vector>

#include "abut/geometry/mesh/detail/interference_curve.hpp"
#include "abut/geometry/mesh/detail/interference_side.hpp"
#include "abut/math/union_find.hpp"

namespace abut::detail {

/// From the curve to the boundary of the interference: which vertices are inside, the boundary elements of every cut
/// triangle, and which of them hang together.
class InterferencePieces {
 public:
  void find(std::array<InterferenceSide, 2>& sides, InterferenceCurve& curve);

  /// Representative of the connected piece of surface a node belongs to.
  int root(int node) { return sets_.find(node); }
  int num_nodes() const { return sets_.size(); }

 private:
  /// One closed line of boundary elements on a cut triangle.
  struct Loop {
    int first = 0, last = 0;  ///< range of `loop_points_`
    int node = 0;
    double area = 0.0;  ///< signed, seen from outside, times the cosine to the chosen axis [m^2]
  };

  void join(int i, int j) { sets_.join_into(i, j); }
  int add_node() { return sets_.add(); }
  void find_inside(std::array<InterferenceSide, 2>& sides, int s, const std::vector<Crossing>& crossings);
  void spread_inside(InterferenceSide& side, const std::vector<Crossing>& crossings);
  void collect_elements(InterferenceSide& side, int s, const InterferenceCurve& curve);
  void collect_edge(InterferenceSide& side, int h, const std::vector<Crossing>& crossings);
  void join_holes(const InterferenceSide& side, const CutTriangle& cut);
  void find_loops(const InterferenceSide& side, const CutTriangle& cut, int axis, double sense);

  UnionFind sets_;           ///< of nodes
  std::vector<int> sorted_;  ///< crossings of an edge
  std::vector<int> by_start_;
  std::vector<char> is_visited_;
  std::vector<Loop> loops_;
  std::vector<Vec2> loop_points_;
};

}  // namespace abut::detail
