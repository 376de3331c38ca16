#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "abut/math/mesh_data.hpp"

namespace abut {

/// A half-edge h = 3 t + k, from corner k of triangle t to the next, with the vertices of its edge.
struct EdgeKey {
  int low, high, h;
  bool operator<(const EdgeKey& other) const {
    if (low != other.low) return low < other.low;
    return high != other.high ? high < other.high : h < other.h;
  }
  bool is_same_edge(const EdgeKey& other) const { return low == other.low && high == other.high; }
};

/// Calls visit(span of keys) for every edge of a mesh, with all its half-edges by number; edges by their vertices.
template <class Visit>
void visit_edges(const MeshData& mesh, const Visit& visit) {
  std::vector<EdgeKey> keys;
  keys.reserve(3 * mesh.triangles.size());
  int h = 0;
  for (const std::array<int, 3>& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k, ++h) {
      const int a = t[k], b = t[(k + 1) % 3];
      keys.push_back({std::min(a, b), std::max(a, b), h});
    }
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0, j = 0; i < keys.size(); i = j) {
    while (j < keys.size() && keys[j].is_same_edge(keys[i])) ++j;
    visit(std::span<const EdgeKey>(keys).subspan(i, j - i));
  }
}

}  // namespace abut
