#pragma once

#include <array>
#include <string>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// A joint that closes a loop: conditions between a frame F on link a and a frame M on link b, which the tree does not
/// know of. It has no coordinates of its own.
///
///   joint          travel of M's origin in F that is zero    turn of M in F that is zero
///   fixed          x, y, z                                   x, y, z
///   revolute       x, y, z                                   two directions across the axis
///   prismatic      two directions across the axis            x, y, z
///   spherical      x, y, z                                   -
///   universal      x, y, z                                   axis stays perpendicular to axis_2 of M
///   planar         the normal                                two directions in the plane
///   translational  -                                         x, y, z
struct Loop {
  std::string name;
  int link_a = kWorld, link_b = kWorld;
  Pose X_AF, X_BM;
  JointType joint = JointType::fixed;
  JointAxes axes{};
  int num_travels = 0, num_turns = 0;
  std::array<Vec3, 3> travels{}, turns{};  ///< unit directions in F

  int num_rows() const { return num_travels + num_turns; }
  bool is_travel(int row) const { return row < num_travels; }
};

/// Throws InputError as make_joint_axes() does, and for a free joint, which holds nothing.
Loop make_loop(std::string name, JointType joint, int link_a, int link_b, const Pose& X_AF, const Pose& X_BM,
               const Vec3& axis, const Vec3& axis_2);

using LoopColumns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using LoopVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// The conditions g = 0 of a loop at some instant, one entry a row.
struct LoopGeometry {
  Vec3 point = Vec3::Zero();  ///< M's origin in W; all below acts and moves there [m]
  LoopColumns wrench;         ///< (force; torque) on b, and the opposite on a, of a unit multiplier; world axes
  LoopVector gap;             ///< g [m] or [rad]
  LoopVector speed;           ///< g' = wrench' (velocity of b less that of a at the point)
  LoopVector bias;            ///< g'' less wrench' (acceleration of b less that of a, without turning terms)
};

/// Travels are exact at any g; turns are the components of the rotation vector from F to M (from the axis of F to that
/// of M), whose rate is the difference of the angular velocities to first order in g.
///   travel   g = u . r, r = p_M - p_F:   g' = u . (v_bM - v_aM),   g'' = u . (a_bM - a_aM - 2 w_a x (v_bM - v_aM))
///   turn     g' = u . (w_b - w_a),       g'' = u . (alpha_b - alpha_a) + (w_a x u) . (w_b - w_a)
///   cross    g = e_1 . e_2, e_1 in F, e_2 in M:   g' = n . (w_b - w_a), n = e_2 x e_1, and g'' with n' likewise
/// where a_bM, a_aM are accelerations of the points of b and a that are at M's origin, u is fixed in F.
void calc_loop_geometry(const Loop& loop, const Kinematics& kinematics, LoopGeometry& out);

}  // namespace abut
