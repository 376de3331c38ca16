#pragma once

#include "abut/math/mass_properties.hpp"
#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

/// Spatial algebra in world axes, ordered (linear; angular), each quantity at its link's centre of mass. With r from
/// the parent's to the child's centre of mass, motions go outwards by X = [1 -rx; 0 1], forces inwards by its
/// transpose.
namespace abut::spatial {

using JointColumns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// From the parent's centre of mass (the world's origin for roots) to the link's [m].
inline Vec3 calc_arm(const Link& link, int index, const Kinematics& k) {
  const Vec3& child = k.p_WCm[static_cast<std::size_t>(index)];
  if (link.parent == kWorld) return child;
  return child - k.p_WCm[static_cast<std::size_t>(link.parent)];
}

inline Vec6 shift_motion(const Vec6& motion, const Vec3& r) {
  Vec6 shifted = motion;
  shifted.head<3>() += motion.tail<3>().cross(r);
  return shifted;
}

inline Vec6 shift_force(const Vec6& force, const Vec3& r) {
  Vec6 shifted = force;
  shifted.tail<3>() += r.cross(force.head<3>());
  return shifted;
}

/// X' I X for a symmetric I.
inline Mat6 shift_inertia(const Mat6& inertia, const Vec3& r) {
  const Mat3 rx = skew(r);
  const Mat3 A = inertia.topLeftCorner<3, 3>();
  const Mat3 B = inertia.topRightCorner<3, 3>();
  const Mat3 upper = B - A * rx;
  Mat6 shifted;
  shifted.topLeftCorner<3, 3>() = A;
  shifted.topRightCorner<3, 3>() = upper;
  shifted.bottomLeftCorner<3, 3>() = upper.transpose();
  shifted.bottomRightCorner<3, 3>() = inertia.bottomRightCorner<3, 3>() + rx * upper - B.transpose() * rx;
  return shifted;
}

/// Rotational inertia about the centre of mass in world axes [kg m^2].
inline Mat3 calc_world_inertia(const Link& link, int index, const Kinematics& k) {
  const Mat3& R = k.X_WB[static_cast<std::size_t>(index)].R;
  return R * link.mass.inertia * R.transpose();
}

inline Mat6 calc_rigid_inertia(const Link& link, int index, const Kinematics& k) {
  Mat6 inertia = Mat6::Zero();
  inertia.topLeftCorner<3, 3>().diagonal().setConstant(link.mass.mass);
  inertia.bottomRightCorner<3, 3>() = calc_world_inertia(link, index, k);
  return inertia;
}

/// The link's columns of S; the identity for free joints.
inline JointColumns calc_joint_columns(const Link& link, const Kinematics& k) {
  if (link.joint == JointType::free) return JointColumns::Identity(6, 6);
  return k.S.middleCols(link.subspace_start, link.num_v);
}

}  // namespace abut::spatial
