#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Normal of a volumetric contact: the principal axis of the interference volume that is nearest to a guess.
/// [Gonthier 2007 (4.199)]
///
/// The axis is ill-defined where the volume is as long along it as across (the corner of a wedge, a cone of half-angle
/// atan(1/2)); there the geometric normal takes over, smoothly:
///   r = |m_n - m_k| / (m_n + m_k), the least over both other axes k, m = second moments along the principal axes;
///   r >= 0.1 the axis alone, r <= 0.02 the geometric normal alone, a smooth blend between.
/// Moments are compared, not the eigenvalues of the inertia: for a long thin patch (a lying cylinder) those are nearly
/// equal although the axis is perfectly well defined.
struct PrincipalNormal {
  Vec3 normal = Vec3::UnitZ();  ///< unit, on the side of the geometric normal
  double definition = 0.0;      ///< r, 0 to 1
};

/// inertia [m^5] at unit density about the centroid, positive definite; `geometric` unit, from B into A; `previous` the
/// normal one step ago or zero at the first instant; `memory` r_n weighs it in the choice of the axis (A.31), nowhere
/// else, so that the result depends on the pose alone as long as the choice stays the same.
PrincipalNormal calc_principal_normal(const Mat3& inertia, const Vec3& geometric, const Vec3& previous, double memory);

}  // namespace abut
