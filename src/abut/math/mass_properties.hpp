#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Mass properties of a rigid body in its own frame B.
struct MassProperties {
  double mass = 0.0;                   ///< [kg]
  Vec3 center_of_mass = Vec3::Zero();  ///< p_BCm [m]
  Mat3 inertia = Mat3::Zero();         ///< about the centre of mass, axes of B [kg m^2]
};

/// Inertia about a point at `offset` from the centre of mass (parallel axes) [kg m^2].
inline Mat3 shifted_inertia(const Mat3& about_center, double mass, const Vec3& offset) {
  return about_center + mass * (offset.squaredNorm() * Mat3::Identity() - offset * offset.transpose());
}

}  // namespace abut
