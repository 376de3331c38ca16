#include "abut/multibody/joint_friction.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

JointFriction make_joint_friction(double coulomb, double v_eps, double inertia, double max_rate) {
  JointFriction friction;
  friction.coulomb = coulomb;
  friction.stiffness = coulomb / kJointBristleTravel;
  friction.damping = coulomb / v_eps;
  if (std::isfinite(max_rate)) {
    friction.stiffness = std::min(friction.stiffness, inertia * max_rate * max_rate / 16.0);
    friction.damping = std::min(friction.damping, 0.5 * inertia * max_rate);
  }
  return friction;
}

JointFrictionRates calc_joint_friction(const JointFriction& friction, double z, double v) {
  JointFrictionRates out;
  if (!(friction.coulomb > 0.0)) return out;
  const double elastic = friction.stiffness * z;
  double b = elastic + friction.damping * v;
  out.slides = std::abs(b) > friction.coulomb;
  out.z_rate = v;
  if (out.slides) {
    b = std::copysign(friction.coulomb, b);
    out.z_rate = (b - elastic) / friction.damping;
  }
  out.force = -b;
  out.stored = 0.5 * elastic * z;
  out.heat = b * v - elastic * out.z_rate;
  return out;
}

JointFrictionRates calc_joint_stiction(const JointStiction& f, double z, double dwell, double w, double* dwell_rate) {
  const double s = std::exp(-(w / f.v_stribeck) * (w / f.v_stribeck));
  const double elastic = f.sigma_0 * z;
  if (dwell_rate != nullptr)
    *dwell_rate = f.tau_dwell > 0.0 ? (s - dwell) / (s >= dwell ? f.tau_dwell : f.sigma_1 / f.sigma_0) : 0.0;
  JointFrictionRates out;
  out.z_rate = s * w + (1.0 - s) * (f.coulomb * w / std::hypot(w, f.v_eps) - elastic) / f.sigma_1;
  double b = elastic + f.sigma_1 * out.z_rate;
  const double most = f.coulomb + (f.stiction - f.coulomb) * (f.tau_dwell > 0.0 ? dwell : s);
  out.slides = std::abs(b) > most;
  if (out.slides) {
    b = std::copysign(most, b);
    out.z_rate = (b - elastic) / f.sigma_1;
  }
  out.force = -b;
  out.stored = 0.5 * elastic * z;
  out.heat = b * w - elastic * out.z_rate;
  return out;
}

}  // namespace abut
