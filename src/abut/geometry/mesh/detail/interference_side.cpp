#include "abut/geometry/mesh/detail/interference_side.hpp"

#include <algorithm>

namespace abut::detail {

void InterferenceSide::clear() {
  for (const int h : cut_edges) edge_head_[h] = -1;
  for (const CutTriangle& c : cuts) cut_slot_[c.triangle] = -1;
  for (const int v : labelled_) label_[v] = -1;
  for (const int t : flush_) flush_slot_[t] = -1;
  flush_.clear();
  cut_edges.clear();
  cuts.clear();
  labelled_.clear();
  inside_triangles.clear();
  elements.clear();
}

void InterferenceSide::begin(const ClosedMesh& solid, const Pose& X_AM, bool is_moved) {
  clear();
  solid_ = &solid;
  X_AM_ = X_AM;
  is_moved_ = is_moved;
  const std::size_t num_triangles = solid.triangles().size(), num_vertices = solid.vertices().size();
  const auto grow = [](std::vector<int>& list, std::size_t count) {
    if (list.size() < count) list.resize(count, -1);
  };
  grow(edge_head_, 3 * num_triangles);
  grow(cut_slot_, num_triangles);
  grow(flush_slot_, num_triangles);
  grow(label_, num_vertices);
  if (is_moved_) {
    if (moved_.size() < num_vertices) {
      moved_.resize(num_vertices);
      stamp_.resize(num_vertices, 0);
    }
    if (++now_ == 0) {
      std::fill(stamp_.begin(), stamp_.end(), 0u);
      now_ = 1;
    }
  }
  is_shell_decided.assign(static_cast<std::size_t>(mesh().num_shells()), 0);
}

void InterferenceSide::flood(int v, int node) {
  const auto mark = [&](int w) {
    label_[w] = node;
    labelled_.push_back(w);
    stack.push_back(w);
  };
  stack.clear();
  mark(v);
  while (!stack.empty()) {
    const int from = stack.back();
    stack.pop_back();
    const int first = mesh().outgoing(from);
    int h = first;
    do {
      const int to = mesh().end(h);
      if (label_[to] < 0 && first_crossing(canonical(h)) < 0) mark(to);
      // A triangle that is not cut has all corners inside; its first one reports it.
      if (h % 3 == 0 && !is_cut(h / 3)) inside_triangles.push_back({h / 3, node});
      h = mesh().twin(TriangleMesh::previous(h));
    } while (h != first);
  }
}

}  // namespace abut::detail
