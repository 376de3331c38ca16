#include "abut/solve/ode/jacobian_plan.hpp"

#include <algorithm>
#include <cstddef>

namespace abut {

namespace {

/// For each block itself and those it is coupled with, sorted.
std::vector<std::vector<int>> list_neighbours(const RateStructure& structure) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(structure.num_blocks));
  for (int block = 0; block < structure.num_blocks; ++block)
    neighbours[static_cast<std::size_t>(block)].push_back(block);
  for (const auto& [a, b] : structure.couplings) {
    neighbours[static_cast<std::size_t>(a)].push_back(b);
    neighbours[static_cast<std::size_t>(b)].push_back(a);
  }
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

std::vector<std::vector<int>> list_states(const RateStructure& structure) {
  std::vector<std::vector<int>> states(static_cast<std::size_t>(structure.num_blocks));
  for (std::size_t i = 0; i < structure.block_of_state.size(); ++i)
    states[static_cast<std::size_t>(structure.block_of_state[i])].push_back(static_cast<int>(i));
  return states;
}

}  // namespace

JacobianPlan::JacobianPlan(const RateStructure& structure) {
  const std::vector<std::vector<int>> states = list_states(structure);
  const std::vector<std::vector<int>> neighbours = list_neighbours(structure);
  make_pattern(states, neighbours);
  make_batches(states, neighbours);
}

void JacobianPlan::make_pattern(const std::vector<std::vector<int>>& states,
                                const std::vector<std::vector<int>>& neighbours) {
  std::size_t n = 0;
  for (const std::vector<int>& own : states) n += own.size();
  std::vector<std::vector<int>> rows(states.size());
  std::vector<int> block_of_column(n);
  std::size_t entries = 0;
  for (std::size_t block = 0; block < states.size(); ++block) {
    for (const int other : neighbours[block]) {
      const std::vector<int>& theirs = states[static_cast<std::size_t>(other)];
      rows[block].insert(rows[block].end(), theirs.begin(), theirs.end());
    }
    std::sort(rows[block].begin(), rows[block].end());
    for (const int column : states[block]) block_of_column[static_cast<std::size_t>(column)] = static_cast<int>(block);
    entries += rows[block].size() * states[block].size();
  }
  pattern_.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  pattern_.reserve(static_cast<Eigen::Index>(entries));
  for (std::size_t column = 0; column < n; ++column) {
    pattern_.startVec(static_cast<Eigen::Index>(column));
    for (const int row : rows[static_cast<std::size_t>(block_of_column[column])])
      pattern_.insertBack(row, static_cast<Eigen::Index>(column)) = 0.0;
  }
  pattern_.finalize();
}

void JacobianPlan::make_batches(const std::vector<std::vector<int>>& states,
                                const std::vector<std::vector<int>>& neighbours) {
  std::vector<int> colour(states.size(), -1);
  std::vector<std::size_t> taken_by;  // for each colour, the last block that could not have it
  std::vector<std::size_t> first_batch;
  for (std::size_t block = 0; block < states.size(); ++block) {
    for (const int near : neighbours[block]) {
      for (const int other : neighbours[static_cast<std::size_t>(near)]) {
        const int theirs = colour[static_cast<std::size_t>(other)];
        if (theirs >= 0) taken_by[static_cast<std::size_t>(theirs)] = block + 1;
      }
    }
    std::size_t own = 0;
    while (own < taken_by.size() && taken_by[own] == block + 1) ++own;
    if (own == taken_by.size()) taken_by.push_back(0);
    colour[block] = static_cast<int>(own);
  }
  std::vector<std::size_t> width(taken_by.size(), 0);  // columns of a colour's largest block
  for (std::size_t block = 0; block < states.size(); ++block) {
    std::size_t& most = width[static_cast<std::size_t>(colour[block])];
    most = std::max(most, states[block].size());
  }
  std::size_t total = 0;
  for (const std::size_t most : width) {
    first_batch.push_back(total);
    total += most;
  }
  batches_.resize(total);
  for (std::size_t block = 0; block < states.size(); ++block) {
    const std::size_t first = first_batch[static_cast<std::size_t>(colour[block])];
    for (std::size_t k = 0; k < states[block].size(); ++k) batches_[first + k].push_back(states[block][k]);
  }
}

}  // namespace abut
