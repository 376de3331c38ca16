#pragma once

#include <array>
#include <span>
#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Whose surface a face of an interference volume is.
enum class ClipOwner : unsigned char { kA, kB };

/// A face of the interference: half-edges begin ... begin + count - 1, anticlockwise seen from outside.
struct ClipFace {
  int begin = 0;
  int count = 0;
  int plane = 0;  ///< which face, or which given plane, of its owner
  ClipOwner owner = ClipOwner::kA;
};

/// The common part of two convex solids as a polyhedron: result and work space in one. Kept from call to call it stops
/// allocating once it has met its largest case.
///
/// start() copies a polyhedron, each cut() takes away what lies outside one plane. Which vertices go is decided once a
/// vertex, by the sign of its distance; faces, edges and the new face follow from these signs alone. So the surface
/// stays closed whatever rounding does to a sign, and the volume is that of the true interference to rounding.
class PolyhedronClip {
 public:
  bool is_empty() const { return num_faces_ == 0; }
  /// World point that vertices are relative to [m].
  const Vec3& origin() const { return origin_; }
  /// Relative to origin(), along the world axes [m]. Some may coincide.
  std::span<const Vec3> vertices() const { return {vertices_.data(), static_cast<std::size_t>(num_vertices_)}; }
  std::span<const ClipFace> faces() const { return {faces_.data(), static_cast<std::size_t>(num_faces_)}; }
  /// Tail and head of each edge.
  std::span<const std::array<int, 2>> edges() const { return {edges_.data(), static_cast<std::size_t>(num_edges_)}; }
  /// Entries of all faces: 2 e runs from tail to head of edge e, 2 e + 1 from head to tail.
  std::span<const int> half_edges() const { return {loops_.data(), static_cast<std::size_t>(num_half_edges_)}; }
  /// Index of the vertex a half-edge starts from.
  int tail(int half_edge) const { return edges_[half_edge >> 1][half_edge & 1]; }
  /// Corner i of a face, relative to origin() [m].
  const Vec3& corner(const ClipFace& face, int i) const { return vertices_[tail(loops_[face.begin + i])]; }

  void start(const ConvexPolyhedron& polyhedron, const Pose& X_WP, ClipOwner owner);
  /// Goes on from what `other` has come to; its work space is left where it is.
  void start(const PolyhedronClip& other);
  /// Takes away what lies outside `plane`, given relative to origin() along the world axes. A plane that the solid
  /// passes by less than the rounding of the input does not cut, so that coinciding faces stay with who came first.
  void cut(const Plane& plane, ClipOwner owner, int index);
  /// The same for many planes given in frame P.
  void cut(std::span<const Plane> planes_P, const Pose& X_WP, ClipOwner owner);
  void clear();

 private:
  void reserve_cut();
  void cut_edges();
  void move_vertices();
  void cut_faces();
  int cut_loop(const ClipFace& face, int out);
  int add_seam(int exit, int entry);
  void close(int out, ClipOwner owner, int index);

  Vec3 origin_ = Vec3::Zero();
  double reach_ = 0.0;  // largest distance of any vertex from the origin [m]
  int num_vertices_ = 0, num_edges_ = 0, num_half_edges_ = 0, num_faces_ = 0;
  std::vector<Vec3> vertices_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<int> loops_;
  std::vector<ClipFace> faces_;
  // Of the cut in progress.
  std::vector<double> distances_;   // of each vertex from the plane [m]
  std::vector<int> vertex_map_;     // new index of each vertex that stays
  std::vector<int> edge_map_;       // 4 * new index + 1 (tail stays) + 2 (head stays); 0: gone
  std::vector<Vec3> new_vertices_;  // where edges meet the plane
  std::vector<int> new_loops_;
  std::vector<int> seams_;  // edge of the new face that starts at each new vertex
  int num_kept_ = 0, num_new_ = 0, first_seam_ = 0;
};

/// Interference of A and B; `clip` receives it. The solid with more faces (A, if they have equally many) is cut by the
/// planes of the other; faces of both that coincide to rounding count as its own.
void calc_clip(const ConvexPolyhedron& a, const Pose& X_WA, const ConvexPolyhedron& b, const Pose& X_WB,
               PolyhedronClip& clip);
/// B is the intersection of half-spaces given in its frame, bounded or not; none at all is the whole space.
void calc_clip(const ConvexPolyhedron& a, const Pose& X_WA, std::span<const Plane> b, const Pose& X_WB,
               PolyhedronClip& clip);
void calc_clip(std::span<const Plane> a, const Pose& X_WA, const ConvexPolyhedron& b, const Pose& X_WB,
               PolyhedronClip& clip);

/// Volume, centroid, inertia and area vector of the clipped solid; volume zero where it is empty.
VolumeMetrics calc_clip_metrics(const PolyhedronClip& clip);

/// Volume and centroid alone.
struct ClipVolume {
  double volume = 0.0;           ///< [m^3], 0 where it is empty
  Vec3 centroid = Vec3::Zero();  ///< relative to the clip's origin [m]
};
ClipVolume calc_clip_volume(const PolyhedronClip& clip);

/// Both in one. A and B are polyhedra or sets of planes, as for calc_clip().
template <class SolidA, class SolidB>
VolumeMetrics calc_clip_metrics(const SolidA& a, const Pose& X_WA, const SolidB& b, const Pose& X_WB,
                                PolyhedronClip& clip) {
  calc_clip(a, X_WA, b, X_WB, clip);
  return calc_clip_metrics(clip);
}

}  // namespace abut
