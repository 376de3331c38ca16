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

/// The bristle law of contacts on one joint coordinate of speed w, with stiction and dwell.   [Gonthier 2007
/// (3.28)-(3.42)]
///
///   s = exp(-(w / v_stribeck)^2)
///   z' = s w + (1 - s) (coulomb dir(w) - sigma_0 z) / sigma_1
///   b = sigma_0 z + sigma_1 z', cut at +- (coulomb + (stiction - coulomb) dwell), then z' = (b - sigma_0 z) / sigma_1
///   dwell' = (s - dwell) / (s >= dwell ? tau_dwell : sigma_1 / sigma_0);   dwell = s where tau_dwell is zero
///   friction on the coordinate = -b;   dir(w) = w / sqrt(w^2 + v_eps^2)
struct JointStiction {
  double coulomb = 0.0, stiction = 0.0;  ///< [N m] or [N]
  double sigma_0 = 0.0;                  ///< [N m/rad] or [N/m], > 0
  double sigma_1 = 0.0;                  ///< [N m s/rad] or [N s/m], > 0
  double v_stribeck = 0.0;               ///< [rad/s] or [m/s], > 0
  double tau_dwell = 0.0;                ///< [s]
  double v_eps = 0.0;                    ///< [rad/s] or [m/s], > 0
};

/// `heat` is what neither moves nor charges the bristles; as with the law of contacts bristles that discharge into
/// sliding may make it negative for a moment.
JointFrictionRates calc_joint_stiction(const JointStiction& friction, double z, double dwell, double w,
                                       double* dwell_rate);

}  // namespace abut
