#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace abut {

/// Sets of the numbers 0, 1, 2 ... that grow together. Each is named by one of its members.
class UnionFind {
 public:
  UnionFind() = default;
  explicit UnionFind(int size) { reset(size); }

  /// Each of `size` numbers a set of its own. Keeps its memory.
  void reset(int size) {
    parent_.resize(static_cast<std::size_t>(size));
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  /// The next number, a set of its own.
  int add() {
    parent_.push_back(size());
    return parent_.back();
  }
  int size() const { return static_cast<int>(parent_.size()); }

  /// The member that names the set of i. Ways to it become shorter.
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The sets of i and j become one, named by its least member: the order of joins does not show. Returns the name.
  /// (So it is as long as nothing is joined by join_into().)
  int join(int i, int j) {
    i = find(i);
    j = find(j);
    return parent_[std::max(i, j)] = std::min(i, j);
  }
  /// The sets of i and j become one, named as that of j was.
  void join_into(int i, int j) {
    i = find(i);
    parent_[i] = find(j);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace abut
