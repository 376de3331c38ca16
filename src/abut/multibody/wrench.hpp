#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Load on a link, world axes, reduced to the link's centre of mass.
struct Wrench {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< about the centre of mass [N m]

  /// Adds a force [N] that acts at `arm` [m] from the centre of mass.
  void add_force(const Vec3& f, const Vec3& arm) {
    force += f;
    torque += arm.cross(f);
  }
};

}  // namespace abut
