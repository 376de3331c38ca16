#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace abut {

/// The vocabulary of every layer. SI units; the world frame is W; names carry frames: p_WA is the position of A in W.
using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using MatX = Eigen::MatrixXd;
using Mat6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
/// Unit quaternion, written (w, x, y, z) in scenes and records; Eigen's constructor takes the same order.
using Quat = Eigen::Quaterniond;

/// The matrix of u -> w x u.
inline Mat3 skew(const Vec3& w) {
  Mat3 s;
  s << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
  return s;
}

/// Part of u perpendicular to the unit vector n.
inline Vec3 tangential(const Vec3& u, const Vec3& n) { return u - n * n.dot(u); }

/// Any unit vector perpendicular to the unit vector n; a continuous choice away from n = -z is not possible everywhere,
/// so callers must not depend on which one it is.
inline Vec3 any_perpendicular(const Vec3& n) {
  const Vec3 axis = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  return n.cross(axis).normalized();
}

}  // namespace abut
