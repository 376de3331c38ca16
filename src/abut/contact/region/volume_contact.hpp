#pragma once

#include <span>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// What the volumetric model needs to know of one patch, beside its gap, normal and point (PointContact).
/// There the gap is -V/A_c while the bodies overlap, minus the mean depth h_v of (4.8), and their separation otherwise;
/// the point is the centroid of the interference volume.
struct VolumeContact {
  double volume = 0.0;               ///< V [m^3], 0 when apart
  double area = 0.0;                 ///< A_c [m^2]
  double gyration_radius = 0.0;      ///< r_g about the normal [m]   [Gonthier 2007 (4.201)]
  double spin_scale = 1.0;           ///< factor of the friction torque about the normal [1]
  double definition = 0.0;           ///< of the normal, 0 to 1, see PrincipalNormal
  Mat3 inertia = Mat3::Zero();       ///< J_v [m^5]
  bool has_field = false;            ///< the next three hold; otherwise the spring's force is V along the normal
  Vec3 field_force = Vec3::Zero();   ///< elastic force on A over k_v [m^3]
  Vec3 field_torque = Vec3::Zero();  ///< elastic torque on A about the centroid over k_v [m^4]
  double field_energy = 0.0;         ///< stored energy over k_v [m^4]
  /// Slot of the patch that this one is a part of by its past, -1 where there is none: of a piece without a patch, the
  /// one it broke off from; of a patch without a piece, the one it was joined to.
  int kin = -1;
  std::span<const VolumeSample> samples;  ///< parts of the volume, only where the friction wants them
};

/// Mean speed of approach over a volume with a field, vn = (dU/dt) / (k_v V) = -(f . v + t . w) / V [m/s]. `velocity`
/// of A relative to B at the centroid [m/s], `spin` [rad/s].
inline double calc_field_rate(const VolumeContact& volume, const Vec3& velocity, const Vec3& spin) {
  return -(volume.field_force.dot(velocity) + volume.field_torque.dot(spin)) / volume.volume;
}

}  // namespace abut
