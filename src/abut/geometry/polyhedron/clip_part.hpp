#pragma once

#include <array>
#include <span>

#include "abut/geometry/polyhedron/convex_clip.hpp"

namespace abut {

/// What of a clip lies on the inner side of one more plane: its points and its volume, without its faces and edges,
/// which cost most of a cut. Seen from a point of the plane the new face holds no volume, so it need not be known.
class ClipPart {
 public:
  enum class Outcome {
    none,      ///< all of the clip lies outside
    all,       ///< no more of it than rounding
    some,      ///< points() and calc_volume() tell which
    too_large  ///< the clip has more vertices or edges than there is room for here
  };

  /// `plane` is given as for PolyhedronClip::cut(), and cuts where that cuts. The clip must outlive what is asked next.
  Outcome cut(const PolyhedronClip& clip, const Plane& plane);
  /// Whether another plane, given likewise, would cut what stays.
  bool is_cut_by(const Plane& plane) const;
  /// Relative to the clip's origin [m].
  std::span<const Vec3> points() const { return {points_.data(), static_cast<std::size_t>(num_points_)}; }
  ClipVolume calc_volume() const;

 private:
  static constexpr int kMostVertices = 40, kMostEdges = 60;

  const PolyhedronClip* clip_ = nullptr;
  std::array<bool, kMostVertices> is_inside_;
  std::array<Vec3, kMostEdges> crossings_;  ///< of edges with one end inside
  std::array<Vec3, kMostVertices + kMostEdges> points_;
  int num_points_ = 0;
};

}  // namespace abut
