#include "abut/contact/law/volume_friction.hpp"

namespace abut {

SlipShare calc_exact_slip_share(std::span<const VolumeSample> samples, const Vec3& centroid, const Vec3& n,
                                const Vec3& vt, double wn, double rg, double v_eps) {
  Vec3 force = Vec3::Zero();
  double torque = 0.0;
  double volume = 0.0;
  for (const VolumeSample& sample : samples) {
    const Vec3 arm = tangential(Vec3(sample.point - centroid), n);
    const Vec3 spin_arm = n.cross(arm);
    const Vec3 slip = vt + wn * spin_arm;
    const Vec3 direction = calc_direction(slip, slip.norm(), v_eps, Regularisation::smooth);
    force += sample.weight * direction;
    torque += sample.weight * spin_arm.dot(direction);
    volume += sample.weight;
  }
  SlipShare share;
  share.average_speed = std::hypot(vt.norm(), rg * wn);
  if (!(volume > 0.0)) return share;
  force /= volume;
  torque /= volume * rg;
  const double size = force.norm();
  share.sliding = std::min(1.0, size);
  share.spinning = std::min(1.0, std::abs(torque));
  // In pure spin the force is rounding, in pure sliding the torque; their directions must fade out with the slip.
  const auto fade = [v_eps](double speed) {
    return calc_direction(Vec3(speed, 0.0, 0.0), speed, v_eps, Regularisation::smooth).x();
  };
  if (size > 0.0) share.direction = fade(vt.norm()) / size * force;
  share.spin_direction = fade(rg * std::abs(wn)) * (torque > 0.0 ? 1.0 : (torque < 0.0 ? -1.0 : 0.0));
  return share;
}

}  // namespace abut
