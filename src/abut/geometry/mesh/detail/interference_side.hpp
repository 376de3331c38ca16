#pragma once

#include <cstdint>
#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/math/pose.hpp"

namespace abut::detail {

/// A triangle that the other surface meets.
struct CutTriangle {
  int triangle = 0;
  int first_segment = -1;                   ///< head of its list of segments
  int first_element = 0, last_element = 0;  ///< its range in `elements`
};

/// A directed piece of the boundary of what lies inside the other solid, on a cut triangle: a segment of the
/// intersection curve, or the inside part of one of its edges.
struct BoundaryElement {
  Vec3 p, q;      ///< ends, in A's frame [m]
  int start = 0;  ///< names of the ends: a crossing, or -1 - vertex
  int end = 0;
  int node = 0;         ///< for the search of connected pieces
  double weight = 1.0;  ///< 1; another number only where crossings coincide within rounding
};

/// A triangle wholly inside the other solid.
struct InsideTriangle {
  int triangle = 0;
  int node = 0;
};

/// What one of the two meshes contributes to a query. Arrays of the size of the mesh hold -1 wherever the query did not
/// come, so that its cost depends on what it touches only.
class InterferenceSide {
 public:
  void begin(const ClosedMesh& solid, const Pose& X_AM, bool is_moved);

  const ClosedMesh& solid() const { return *solid_; }
  const TriangleMesh& mesh() const { return solid_->mesh(); }
  const Pose& X_AM() const { return X_AM_; }

  /// Position of a vertex in A's frame [m], rounded once, so that every predicate sees the same point.
  const Vec3& position(int v) {
    if (!is_moved_) return solid_->vertices()[static_cast<std::size_t>(v)];
    const std::size_t i = static_cast<std::size_t>(v);
    if (stamp_[i] != now_) {
      stamp_[i] = now_;
      moved_[i] = X_AM_ * solid_->vertices()[i];
    }
    return moved_[i];
  }

  /// The entry of a cut triangle, made on first use.
  CutTriangle& cut(int triangle) {
    int& slot = cut_slot_[static_cast<std::size_t>(triangle)];
    if (slot < 0) {
      slot = static_cast<int>(cuts.size());
      cuts.push_back({triangle});
    }
    return cuts[static_cast<std::size_t>(slot)];
  }
  bool is_cut(int triangle) const { return cut_slot_[static_cast<std::size_t>(triangle)] >= 0; }

  int canonical(int h) const { return std::min(h, mesh().twin(h)); }
  /// First crossing on a canonical half-edge, or -1.
  int first_crossing(int h) const { return edge_head_[static_cast<std::size_t>(h)]; }
  void set_first_crossing(int h, int crossing) {
    if (edge_head_[static_cast<std::size_t>(h)] < 0) cut_edges.push_back(h);
    edge_head_[static_cast<std::size_t>(h)] = crossing;
  }

  /// Node of an inside vertex, or -1.
  int label(int v) const { return label_[static_cast<std::size_t>(v)]; }
  /// Marks everything reached from v over edges that are not cut as inside, under one node.
  void flood(int v, int node);

  /// A triangle that lies in the plane of one of the other solid that faces the same way: rounding decides whose of
  /// the two bounds the interference.
  void mark_flush(int triangle) {
    int& slot = flush_slot_[static_cast<std::size_t>(triangle)];
    if (slot >= 0) return;
    slot = static_cast<int>(flush_.size());
    flush_.push_back(triangle);
  }
  bool is_flush(int triangle) const { return flush_slot_[static_cast<std::size_t>(triangle)] >= 0; }

  std::vector<CutTriangle> cuts;
  std::vector<int> cut_edges;  ///< canonical half-edges with crossings
  std::vector<InsideTriangle> inside_triangles;
  std::vector<BoundaryElement> elements;
  std::vector<char> is_shell_decided;
  std::vector<int> stack;

 private:
  void clear();

  const ClosedMesh* solid_ = nullptr;
  Pose X_AM_;
  bool is_moved_ = false;
  std::vector<Vec3> moved_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
  std::vector<int> edge_head_, cut_slot_, label_, labelled_, flush_slot_, flush_;
};

}  // namespace abut::detail
