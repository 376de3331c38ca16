#pragma once

#include <string>
#include <vector>

#include "abut/multibody/loop.hpp"

namespace abut {

/// q_joint = ratio q_of + offset, of two joints with one coordinate each: gears (minus the ratio of teeth for outer
/// ones), a mimic joint [1], rack and pinion [m/rad], a screw [m/rad], a belt [1].
struct Coupling {
  std::string name;
  int link = 0, link_of = 0;  ///< that the joints carry
  double ratio = 1.0;
  double offset = 0.0;  ///< [m] or [rad]
};

/// Loops and couplings that move each other, with all that moves with them.
struct LoopIsland {
  std::vector<int> loops, couplings;  ///< rows stand in this order
  std::vector<int> first_row;         ///< of each loop, then of each coupling
  int num_rows = 0;
  /// Links that the rows push, parents first: the ends of loops, the joints of couplings, and all that carries them.
  std::vector<int> links;
  std::vector<int> column;       ///< first column of each of these links
  std::vector<IndexRange> rows;  ///< that reach the link
  int num_columns = 0;
  std::vector<IndexRange> groups;  ///< of Tree::articulated_links(): all that moves
  /// How far apart the joints of a body are, about [m]: angles count as this times the angle.
  double size = 1.0;
  VecX scale;  ///< of each row: 1 for lengths, `size` for angles
  /// Rows that say something; the others hold wherever the mechanism goes, as those across the plane of a flat one.
  std::vector<char> is_active;
  int num_active = 0;
  int rank = 0;  ///< of the rows: where it is less than num_active the mechanism is over-constrained
};

/// All of a model. Bodies in loops must be articulated (LinkSpec::is_in_loop).
class LoopSet {
 public:
  LoopSet() = default;
  LoopSet(const Tree& tree, std::vector<Loop> loops, std::vector<Coupling> couplings);

  bool is_empty() const { return loops_.empty() && couplings_.empty(); }
  const std::vector<Loop>& loops() const { return loops_; }
  const std::vector<Coupling>& couplings() const { return couplings_; }
  const std::vector<LoopIsland>& islands() const { return islands_; }
  std::vector<LoopIsland>& islands() { return islands_; }
  /// "joint 'c'" or "coupling 'g'" of a row.
  std::string describe_row(const LoopIsland& island, int row) const;

  /// g, g' and the bias of g'' of all rows of an island; `geometry` receives that of its loops.
  struct Values {
    VecX gap, speed, bias;
  };
  void calc_values(const Tree& tree, const LoopIsland& island, const Kinematics& kinematics, std::span<const double> q,
                   std::span<const double> v, std::vector<LoopGeometry>& geometry, Values& values) const;
  /// g' = J v as a dense matrix over the columns of the island; those of prescribed joints too.
  MatX calc_jacobian(const Tree& tree, const LoopIsland& island, const Kinematics& kinematics,
                     const std::vector<LoopGeometry>& geometry) const;

 private:
  void add_island(const Tree& tree, LoopIsland island);

  std::vector<Loop> loops_;
  std::vector<Coupling> couplings_;
  std::vector<LoopIsland> islands_;
};

}  // namespace abut
