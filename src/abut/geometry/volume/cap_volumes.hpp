#pragma once

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Closed forms. Correct to rounding of the depth, however small that is. Volume 0 when apart; one
/// wholly inside the other is that one, with no area vector.

/// Sphere A of radius R [m] about p_WA and the half-space B where normal . x <= offset (normal unit).
VolumeMetrics calc_sphere_cap(const Vec3& p_WA, double radius, const Vec3& normal, double offset);

/// Ellipsoid A and the half-space B: the affine image of a cap of the unit sphere.
VolumeMetrics calc_ellipsoid_cap(const Pose& X_WA, const Vec3& semi_axes, const Vec3& normal, double offset);

/// Spheres A and B: two caps back to back.
VolumeMetrics calc_sphere_lens(const Vec3& p_WA, double radius_a, const Vec3& p_WB, double radius_b);

/// Sphere A and all that lies outside the sphere of radius_b about p_WB: a cap of A less one of the hole on the same
/// base. Digits are lost as the two radii come near each other: one where they differ by a tenth.
VolumeMetrics calc_sphere_crescent(const Vec3& p_WA, double radius_a, const Vec3& p_WB, double radius_b);

}  // namespace abut
