#pragma once

#include <memory>
#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// The volume of interference of two closed meshes, exact to rounding, without a mesh of it: its boundary is what of
/// each surface lies inside the other solid, and the divergence theorem needs only the directed boundary of each cut
/// triangle's inside part. See docs/theory/volume-meshes.md.
///
/// Coplanar faces, edges on edges and vertices on faces are decided as if B were displaced by an infinitesimal
/// (e, e^2, e^3) along the axes of A, with exact signs: never inconsistently, and without effect on the volume.
/// An object keeps its memory, so that after a few queries none allocates. One thread at a time.
class MeshInterference {
 public:
  MeshInterference();
  ~MeshInterference();
  MeshInterference(MeshInterference&&) noexcept;
  MeshInterference& operator=(MeshInterference&&) noexcept;

  /// Metrics of every connected piece of the interference, in the world frame; empty when there is none. Pieces are
  /// ordered by the lowest triangle of A on their boundary, those without one after them by the lowest of B. A piece
  /// thinner than the rounding of the coordinates is left out. The result stays until the next call, and both
  /// meshes have to, for samples.
  const std::vector<VolumeMetrics>& calc(const ClosedMesh& a, const Pose& X_WA, const ClosedMesh& b, const Pose& X_WB);
  const std::vector<VolumeMetrics>& metrics() const;

  /// Cubature of piece `i` of the last query: `samples` is replaced by points whose weights sum to its volume. Every
  /// tetrahedron between the centroid and the boundary gets detail^3 points, exact for polynomials of degree
  /// 2 detail - 1 (detail 1 to 5). Points and weights move continuously with the pose. Weights are positive where the
  /// piece is star-shaped about its centroid, so always for two convex solids; otherwise some are negative and cancel
  /// what others count twice.
  void calc_samples(int i, int detail, std::vector<VolumeSample>& samples) const;

  /// What the last query met: triangles cut, triangles wholly inside and segments of the curve, of both meshes.
  struct Counts {
    int num_cut = 0, num_inside = 0, num_segments = 0;
  };
  Counts counts() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace abut
