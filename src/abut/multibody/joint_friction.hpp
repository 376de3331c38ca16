#pragma once

namespace abut {

/// Coulomb friction of one joint coordinate that holds at rest: a bristle z between the two sides of the bearing.
///
///   b  = k z + c v                 while |b| <= coulomb: the joint sticks, z' = v        [Gonthier 2007 (3.39)-(3.41)]
///   b  = +- coulomb                beyond: it slides, z' = (b - k z) / c
///   friction on the coordinate = -b,   k = coulomb / travel,  c = coulomb / v_eps
///
/// One state and one dimension of the bristles of contacts. Under a load below coulomb the joint moves by at most
/// `travel` and stays; at speeds well above v_eps the friction is coulomb. b v = d/dt(k z^2 / 2) + heat, and the heat
/// b (v - z') + c z'^2 is never negative.
struct JointFriction {
  double coulomb = 0.0;    ///< [N m] or [N], >= 0
  double stiffness = 0.0;  ///< k [N m/rad] or [N/m]
  double damping = 0.0;    ///< c [N m s/rad] or [N s/m], > 0
};

/// What a joint moves before it slides: far below what a record shows [rad] or [m].
inline constexpr double kJointBristleTravel = 1e-5;

/// `inertia` of the coordinate [kg m^2] or [kg] and the fastest rate a fixed step can follow [1/s] bound stiffness and
/// damping to c <= inertia rate / 2 and k <= inertia rate^2 / 16; an infinite rate bounds nothing.
JointFriction make_joint_friction(double coulomb, double v_eps, double inertia, double max_rate);

struct JointFrictionRates {
  double force = 0.0;   ///< on the coordinate [N m] or [N]
  double z_rate = 0.0;  ///< [rad/s] or [m/s]
  double stored = 0.0;  ///< in the bristle [J]
  double heat = 0.0;    ///< [W], >= 0
  bool slides = false;
};

JointFrictionRates calc_joint_friction(const JointFriction& friction, double z, double v);

}  // namespace abut
