#pragma once

#include <span>
#include <vector>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Where every link is and how it moves, in world axes, one entry a link. Reused from call to call without allocation.
///
/// Spatial quantities here and in the dynamics are ordered (linear; angular), in world axes, at the link's own centre
/// of mass: far from the world's origin nothing is lost to rounding, and a free link's spatial velocity is its v. With
/// c the centre of mass and P the parent, accelerations propagate as
///   (a_c; alpha) = shift(a_cP; alpha_P) + S vdot + bias,   shift(a; alpha) = (a + alpha x (c - c_P); alpha).
struct Kinematics {
  std::vector<Pose> X_WB;   ///< body frames
  std::vector<Vec3> p_WCm;  ///< centres of mass [m]
  std::vector<Vec3> v_WCm;  ///< their velocities [m/s]
  std::vector<Vec3> w_WB;   ///< angular velocities [rad/s]
  Mat6X S;                  ///< joints' motion directions, columns Link::subspace_start...; none for free joints
  std::vector<Vec6> bias;   ///< accelerations at vdot = 0 and resting parent, indexed by Link::articulated_index

  void resize(const Tree& tree);

  /// Velocity of the point of `link` now at p_WQ [m/s]; zero for the world.
  Vec3 calc_point_velocity(int link, const Vec3& p_WQ) const {
    if (link == kWorld) return Vec3::Zero();
    const std::size_t i = static_cast<std::size_t>(link);
    return v_WCm[i] + w_WB[i].cross(p_WQ - p_WCm[i]);
  }
};

/// Everything in Kinematics at (q, v). Quaternions in q need not be of unit length.
void calc_kinematics(const Tree& tree, std::span<const double> q, std::span<const double> v, Kinematics& kinematics);

/// The two halves of calc_kinematics, for callers that split the first over threads: free leaves begin <= k < end of
/// tree.free_leaves() (each depends on itself only, so any split gives the same bits), and all other links.
/// `kinematics` must have been resized for the tree.
void calc_free_leaf_kinematics(const Tree& tree, int begin, int end, std::span<const double> q,
                               std::span<const double> v, Kinematics& kinematics);
void calc_articulated_kinematics(const Tree& tree, std::span<const double> q, std::span<const double> v,
                                 Kinematics& kinematics);

}  // namespace abut
