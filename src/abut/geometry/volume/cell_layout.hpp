#pragma once

#include <span>
#include <utility>
#include <vector>

#include "abut/geometry/volume/cell_joining.hpp"
#include "abut/geometry/volume/cell_joint.hpp"

namespace abut {

/// Two cells of a body that meet in a face.
struct CellJoint {
  int a = 0, b = 0;  ///< cells, a < b
  JointSolid solid;
  /// Along some of its rim both surfaces meet in a concave edge, which neither cell has itself: a wall on a floor. A
  /// cut through a body makes none, wherever it runs, unless along a concave edge.
  bool is_corner = false;
};

/// Two cells of a body that share more than a face.
struct CellOverlap {
  int a = 0, b = 0;
  double volume = 0.0;  ///< [m^3]
  double part = 0.0;    ///< of the smaller cell [1]
};

/// How the cells of a body fit together; made once, when the body is.
class CellLayout {
 public:
  /// Throws InputError for shapes with a defect. Unbounded cells join with none.
  explicit CellLayout(std::span<const BodyCell> cells);

  int num_cells() const { return num_cells_; }
  const std::vector<CellJoint>& joints() const { return joints_; }
  const std::vector<CellOverlap>& overlaps() const { return overlaps_; }

  /// The first cell of the group that a cell belongs to.
  int leader(int cell, CellJoining joining) const;
  /// Whether the cells of the group led by `leader` make up a convex solid together: exactly for flat ones, by
  /// sampling for curved ones. Then its interference with a convex solid is in one piece.
  bool is_convex(int leader, CellJoining joining) const;

 private:
  struct Grouping {
    std::vector<int> leaders;
    std::vector<char> is_convex;  ///< of the group of each leader
  };
  Grouping make_grouping(std::span<const BodyCell> cells, bool with_corners) const;
  const Grouping& grouping(CellJoining joining) const;

  int num_cells_ = 0;
  std::vector<CellJoint> joints_;
  std::vector<CellOverlap> overlaps_;
  Grouping joined_, connected_;
};

}  // namespace abut
