#pragma once

#include <string>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"
#include "abut/multibody/kinematics.hpp"

namespace abut {

/// Spring and damper on what a joint coordinate is behind another one: phi = q - ratio q_of - offset. The first joint
/// feels f = -stiffness phi - damping phi', the second -ratio f.
struct CompliantCoupling {
  std::string name;
  int q = 0, v = 0, q_of = 0, v_of = 0;
  double ratio = 1.0, offset = 0.0;
  double stiffness = 0.0, damping = 0.0;
};

/// Spring and damper on six coordinates between frame F on link a and frame M on link b:
///   xi = (p_FM, theta), theta the rotation vector of R_FM, both in axes of F        [m, rad]
///   energy stored = xi' K xi / 2,   dissipated power = xi'' D xi' with the rates xi'
/// The wrench is the exact gradient of the energy: with theta' = A(theta) w, w the angular velocity of M in F,
///   force on b at M = -(K xi + D xi')_travel,   torque on b = -A' (K xi + D xi')_turn       (axes of F)
/// and the opposite on a, at the same point. A is the inverse of the left Jacobian of rotations,
///   A = 1 - [theta]/2 + (1/t^2 - (1 + cos t) / (2 t sin t)) [theta]^2,   t = |theta| < pi.
/// Beyond half a turn theta jumps to the other side: bushings are for less than that.
struct Bushing {
  std::string name;
  int link_a = 0, link_b = 0;
  Pose X_AF, X_BM;
  Mat6 stiffness = Mat6::Zero(), damping = Mat6::Zero();
};

struct BushingResponse {
  Vec3 point = Vec3::Zero();                                         ///< where both wrenches act [m], W
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();                  ///< on b [N, N m], W
  Vec3 elastic_force = Vec3::Zero(), elastic_torque = Vec3::Zero();  ///< of the spring alone
  double stored = 0.0;                                               ///< [J]
  double damping_power = 0.0;                                        ///< [W], >= 0
  Vec6 xi = Vec6::Zero();
};

BushingResponse calc_bushing(const Bushing& bushing, const Kinematics& kinematics);

}  // namespace abut
