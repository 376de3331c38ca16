#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Pose X_AB of frame B in frame A: p_A = R p_B + p.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Pose() = default;
  Pose(const Mat3& rotation, const Vec3& position) : R(rotation), p(position) {}
  Pose(const Quat& rotation, const Vec3& position) : R(rotation.toRotationMatrix()), p(position) {}

  /// X_AC = X_AB * X_BC.
  Pose operator*(const Pose& other) const { return {Mat3(R * other.R), Vec3(R * other.p + p)}; }
  /// Position of a point given in B, expressed in A.
  Vec3 operator*(const Vec3& point) const { return R * point + p; }
  Pose inverse() const { return {Mat3(R.transpose()), Vec3(-(R.transpose() * p))}; }
};

}  // namespace abut
