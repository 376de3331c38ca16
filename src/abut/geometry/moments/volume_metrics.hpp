#pragma once

#include <algorithm>
#include <cmath>

#include "abut/geometry/moments/volume_moments.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// The volume of interference of two solids A and B, or one connected piece of it, in the world frame.   [Gonthier
/// 2007 (4.4)-(4.47)]
struct VolumeMetrics {
  double volume = 0.0;           ///< V [m^3]; the rest means something only where it is positive
  Vec3 centroid = Vec3::Zero();  ///< p_c [m]
  Mat3 inertia = Mat3::Zero();   ///< J_v at unit density, about the centroid, world axes [m^5]   (4.36)
  /// Integral of B's outward unit normal over the part of B's surface that lies inside A [m^2]. Its direction is the
  /// geometric guess of the contact normal (from B into A), its length the contact area A_c of (4.6): exactly that of
  /// a flat patch. It is also -dV/dx for a displacement x of A, so it turns smoothly with the pose. It vanishes where
  /// one solid lies wholly inside the other.
  Vec3 area_vector = Vec3::Zero();

  double area() const { return area_vector.norm(); }
  /// About an axis through the centroid along the unit vector n [m].   [Gonthier 2007 (4.201)]
  double calc_gyration_radius(const Vec3& n) const {
    return volume > 0.0 ? std::sqrt(std::max(0.0, n.dot(inertia * n)) / volume) : 0.0;
  }
  /// The same piece with A and B exchanged.
  VolumeMetrics mirrored() const { return {volume, centroid, inertia, Vec3(-area_vector)}; }
};

/// Metrics from moments about `origin` (a point near the region, so that little cancels) [m].
VolumeMetrics make_volume_metrics(const VolumeMoments& moments, const Vec3& origin, const Vec3& area_vector);

/// Two parts of an interference volume as one.
VolumeMetrics join(const VolumeMetrics& x, const VolumeMetrics& y);

/// How far outside of a piece a point is, in its own measure: at most 15 for all points of a convex one.
double calc_remoteness(const VolumeMetrics& piece, const Vec3& point);

/// One of many small parts of an interference volume, for integrals over it that have no closed form.
struct VolumeSample {
  Vec3 point = Vec3::Zero();  ///< [m]
  double weight = 0.0;        ///< its share of the volume [m^3]
};

}  // namespace abut
