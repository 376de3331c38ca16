#pragma once

#include <utility>
#include <vector>

namespace abut {

/// Which states the rates of a system depend on, block by block: a block is what one body or one contact brings in.
struct RateStructure {
  std::vector<int> block_of_state;  ///< for each state, 0 to num_blocks - 1
  int num_blocks = 0;
  /// Blocks whose rates depend on the states of each other, in any order, possibly repeated. Blocks that are not named
  /// together must not.
  std::vector<std::pair<int, int>> couplings;
};

}  // namespace abut
