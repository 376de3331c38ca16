#pragma once

#include <array>

#include "abut/api.hpp"

ABUT_DOOR_BEGIN

/// x, y, z. Plain arrays, so that a program with another linear algebra, or none, needs nothing of ours; with Eigen:
/// `Eigen::Map<const Eigen::Vector3d>(v.data())`.
using Vector3 = std::array<double, 3>;
/// Unit quaternion w, x, y, z.
using Quaternion = std::array<double, 4>;

/// Where a body is and how it moves, in world axes. The place of a body is that of the origin of its frame, which need
/// not be its centre of mass.
struct Motion {
  Vector3 position{};                  ///< of the frame's origin [m]
  Quaternion orientation{1, 0, 0, 0};  ///< of the frame
  Vector3 velocity{};                  ///< of the frame's origin [m/s]
  Vector3 angular_velocity{};          ///< [rad/s]
};

/// Force and torque on a body, in world axes; the torque is about the origin of the body's frame.
struct Wrench {
  Vector3 force{};   ///< [N]
  Vector3 torque{};  ///< [N m]
};

ABUT_DOOR_END
