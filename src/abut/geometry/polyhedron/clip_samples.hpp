#pragma once

#include <span>
#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Points of equal weight in a tetrahedron, as barycentric coordinates (each set sums to one). With detail 0 the
/// centroid alone, exact for linear functions; with detail n > 0 the tetrahedron is cut into n^3 of equal volume
/// (n pieces along each edge) with four points each, exact for quadratic functions and of error O(n^-3) for smooth
/// ones.
class TetrahedronRule {
 public:
  /// Throws InputError unless 0 <= detail <= 32.
  explicit TetrahedronRule(int detail);
  std::span<const Vec4> points() const { return points_; }

 private:
  std::vector<Vec4> points_;
};

/// Appends to `samples` a cubature of the clipped solid, in the world frame: tetrahedra from the centroid of the volume
/// over the centroid of each face to each of its edges, each with the points of the rule. Weights are positive and sum
/// to the volume to rounding; the samples' centroid, and from detail 1 on their inertia too, are those of the volume.
/// Points move and weights change continuously with the pose, also where a vertex crosses a face: an edge comes and
/// goes with length zero, and its samples with weight zero.
void calc_clip_samples(const PolyhedronClip& clip, const VolumeMetrics& metrics, const TetrahedronRule& rule,
                       std::vector<VolumeSample>& samples);

}  // namespace abut
