#pragma once

#include <string>
#include <vector>

#include "abut/multibody/loop_set.hpp"

namespace abut {

/// What it took to close the loops at the start, and what was found of them.
struct LoopAssembly {
  double gap = 0.0;               ///< largest before, lengths; angles times the island's size [m]
  bool moved = false;             ///< coordinates were changed
  bool turned = false;            ///< speeds were changed
  std::vector<double> way;        ///< by link: by how much, the largest of its coordinates [m] or [rad]
  std::vector<double> quickened;  ///< by link: the same of its speeds [m/s] or [rad/s]
};

/// Loops that nothing closes, with what is left of the gap.
struct LoopFailure {
  enum class Kind { none, gap, speed, prescribed };
  Kind kind = Kind::none;
  std::string what;   ///< "joint 'c'"
  double gap = 0.0;   ///< smallest reached, over all conditions of the loop [m], [m/s]
  double size = 1.0;  ///< of its island [m]
  bool is_none() const { return kind == Kind::none; }
};

/// Closes all loops by Newton's method with the least change of coordinates (angles count as the island's size times
/// the angle), and makes the speeds fit. Coordinates and speeds with a number above zero in `holds_q`, `holds_v` (by
/// link) are kept where the others can do it alone; else those with the largest number are let go, and so on. Those of
/// prescribed joints are kept always.
LoopFailure assemble_loops(const Tree& tree, const LoopSet& set, const std::vector<int>& holds_q,
                           const std::vector<int>& holds_v, std::vector<double>& q, std::vector<double>& v,
                           LoopAssembly& assembly);

/// How many ways an island can move: columns that are not prescribed, less the rank. The rank is the largest found at
/// q and at places near by, so that a start at a dead point is not taken for the rule; rows that are zero at all
/// of them become inactive. Returns true where q is such a singular place.
bool find_rank(const Tree& tree, const LoopSet& set, LoopIsland& island, const std::vector<double>& q);
int count_freedoms(const Tree& tree, const LoopIsland& island);
/// Whether prescribed joints ask for what the loops do not let them do at q.
bool is_overdriven(const Tree& tree, const LoopSet& set, const LoopIsland& island, const std::vector<double>& q);

}  // namespace abut
