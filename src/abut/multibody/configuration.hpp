#pragma once

#include <span>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"
#include "abut/multibody/tree.hpp"

namespace abut {

/// Views of a vector as the flat arrays that this layer takes.
inline std::span<const double> as_span(const VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
inline std::span<double> as_span(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

/// Coordinates with every joint at zero and every quaternion at the identity.
VecX make_neutral_q(const Tree& tree);

/// Puts a free link's body frame at X_WB.
void set_free_pose(const Tree& tree, int link, const Pose& X_WB, std::span<double> q);

/// Gives a free link the velocity of its body frame's ORIGIN [m/s] and its angular velocity [rad/s], world axes. The
/// pose in q must be set before: the origin is not the centre of mass.
void set_free_velocity(const Tree& tree, int link, const Vec3& v_WB, const Vec3& w_WB, std::span<const double> q,
                       std::span<double> v);

/// Rates of the coordinates. Quaternions obey q' = 1/2 (0, w) (x) q with w in the axes in which q turns vectors (W for
/// free, F for spherical joints); this keeps their length in exact arithmetic, whatever that length is.
void calc_q_dot(const Tree& tree, std::span<const double> q, std::span<const double> v, std::span<double> q_dot);

/// The two parts of calc_q_dot; the first for free leaves begin <= k < end of tree.free_leaves().
void calc_free_leaf_q_dot(const Tree& tree, int begin, int end, std::span<const double> q, std::span<const double> v,
                          std::span<double> q_dot);
void calc_articulated_q_dot(const Tree& tree, std::span<const double> q, std::span<const double> v,
                            std::span<double> q_dot);

/// Moves coordinates by h v, where v stays as it is for h [s]: quaternions turn by the rotation h w, whatever its size.
/// (q + h q' would turn them by 2 atan(h w / 2), which is 0.8 % too little at 0.3 rad a step and 21 % at 2 rad.)
void move_coordinates(const Tree& tree, std::span<const double> v, double h, std::span<double> q);

/// Whether every quaternion is of unit length to the rounding of some dozens of steps: all that asks for a unit
/// quaternion divides by the length, and finds the same rotation.
bool has_unit_quaternions(const Tree& tree, std::span<const double> q);
/// Brings every quaternion back to unit length.
void normalize_quaternions(const Tree& tree, std::span<double> q);
/// The same for free leaves begin <= k < end of tree.free_leaves().
void normalize_free_leaf_quaternions(const Tree& tree, int begin, int end, std::span<double> q);

}  // namespace abut
