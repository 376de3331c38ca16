#pragma once

#include "abut/math/pose.hpp"

namespace abut {

/// The motion of all links at one instant, as flat arrays indexed by link; world frame. The contact layer sees nothing
/// else of the multibody system, so that a host with a multibody code of its own can call it.
struct BodyMotion {
  const Pose* X_WB = nullptr;   ///< pose of the link frame
  const Vec3* p_WCm = nullptr;  ///< centre of mass [m]
  const Vec3* v_WCm = nullptr;  ///< velocity of the centre of mass [m/s]
  const Vec3* w_WB = nullptr;   ///< angular velocity [rad/s]
};

}  // namespace abut
