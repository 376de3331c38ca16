#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Ways a link may move relative to its parent. F is the joint's frame on the parent, M its frame on the child.
///
///   type           q (coordinates)                            v (speeds)
///   fixed          none                                       none
///   revolute       angle about axis [rad]                     its rate [rad/s]
///   prismatic      travel along axis [m]                      its rate [m/s]
///   spherical      quaternion (w, x, y, z) of M in F          angular velocity of M in F, axes of F [rad/s]
///   universal      angle about axis, then about axis_2 [rad]  their rates [rad/s]; axis_2 is carried by the first turn
///   planar         travel along u and w [m], angle about      their rates; u, w and the normal `axis` are fixed in F
///                  the plane's normal [rad]
///   translational  travel along x, y, z of F [m]              its rate, axes of F [m/s]
///   free           centre of mass in W [m], quaternion of     velocity of the centre of mass in W [m/s],
///                  the body frame in W                        angular velocity in W [rad/s]
///
/// A free link hangs on the world and its coordinates are those of its centre of mass, so that free flight is a
/// parabola in the coordinates themselves, which every integrator of order two follows without error.
enum class JointType { fixed, revolute, prismatic, spherical, universal, planar, translational, free };

inline constexpr std::array kAllJointTypes = {JointType::fixed,         JointType::revolute,  JointType::prismatic,
                                              JointType::spherical,     JointType::universal, JointType::planar,
                                              JointType::translational, JointType::free};

/// Number of coordinates, 0 to 7.
constexpr int num_q(JointType type) {
  constexpr std::array<int, 8> kCount = {0, 1, 1, 4, 2, 3, 3, 7};
  return kCount[static_cast<std::size_t>(type)];
}

/// Number of speeds, 0 to 6; smaller than num_q by one where a quaternion is held.
constexpr int num_v(JointType type) {
  constexpr std::array<int, 8> kCount = {0, 1, 1, 3, 2, 3, 3, 6};
  return kCount[static_cast<std::size_t>(type)];
}

/// Offset of the quaternion among the joint's own coordinates, or -1 where there is none.
constexpr int quaternion_offset(JointType type) {
  return type == JointType::spherical ? 0 : type == JointType::free ? 3 : -1;
}

/// Offset, among the joint's own speeds, of the angular velocity that drives the quaternion, or -1.
constexpr int angular_offset(JointType type) { return quaternion_offset(type); }

std::string_view joint_type_name(JointType type);
std::optional<JointType> joint_type_from_name(std::string_view name);

/// Unit directions of a joint in F, in the order of its speeds. Revolute, prismatic: (axis, -, -); universal: (axis,
/// axis_2, -); planar: (u, w, normal) with u the x axis of F projected on the plane (the y axis where the normal is
/// within 26 degrees of x) and w = normal x u; the others: the axes of F.
using JointAxes = std::array<Vec3, 3>;

/// The axes are normalised here. Throws InputError where an axis is missing, not finite, or where the two of a
/// universal joint are not perpendicular within 1e-6.
JointAxes make_joint_axes(JointType type, const Vec3& axis, const Vec3& axis_2);

/// Unit quaternion from four coordinates of any positive length; drift in length is no rotation.
inline Quat calc_unit_quaternion(const double* wxyz) {
  const double scale = 1.0 / std::sqrt(wxyz[0] * wxyz[0] + wxyz[1] * wxyz[1] + wxyz[2] * wxyz[2] + wxyz[3] * wxyz[3]);
  return {wxyz[0] * scale, wxyz[1] * scale, wxyz[2] * scale, wxyz[3] * scale};
}

/// Pose X_FM at the joint's own coordinates. Not for free joints, whose coordinates are those of the centre of mass.
Pose calc_joint_pose(JointType type, const JointAxes& axes, const double* q);

}  // namespace abut
