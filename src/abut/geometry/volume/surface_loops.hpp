#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "abut/math/types.hpp"
#include "abut/math/union_find.hpp"

namespace abut {

/// Finds which closed lines on a surface bound the same part of it, in a chart (u, v) that keeps the sense of turning;
/// u may be an angle. A line with the part outside it (a hole), or a ring with the part below it, looks down along -v
/// from its lowest point: the line it meets first bounds the same part. So every part is gathered at its outer line,
/// its lowest ring, or the pole at the lower end of the chart.
class SurfaceLoops {
 public:
  void begin(bool is_periodic);
  /// A directed piece of a line, the part to its left, as a chain of chart points; lines close where names agree.
  void add(std::uint64_t from, std::uint64_t to, int node, const std::vector<Vec2>& chain);
  /// Calls join(node, node) for lines around the same part.
  void join(const std::function<void(int, int)>& join_nodes);
  /// After join(): node of a line around the part at the upper end of the chart: the first one met on the way down, or
  /// one around the lower end; -1 if there is none.
  int find_below_top() const;

 private:
  struct Piece {
    std::uint64_t from, to;
    int node, loop;
    std::size_t first, last;
  };
  struct Loop {
    double turn = 0.0, area = 0.0;
    Vec2 lowest = Vec2::Zero();
    int node = -1;
  };
  double calc_step(double u_0, double u_1) const;
  void find_loops();
  /// The piece whose line is met first below `from`, on other lines than `loop`; -1 if there is none.
  int find_below(const Vec2& from, int loop) const;

  bool is_periodic_ = false;
  int pole_node_ = -1;  ///< of a line around the part at the lower end
  std::vector<Piece> pieces_;
  std::vector<Vec2> points_;
  UnionFind sets_;  ///< of pieces
  std::vector<Loop> loops_;
};

}  // namespace abut
