#include "abut/sim/step_sweep.hpp"

#include <array>
#include <cmath>

namespace abut {

Pose LinkSweep::calc_pose(double t) const {
  const double angle = t * w.norm();
  if (angle == 0.0) return {X_WL.R, Vec3(X_WL.p + t * v)};
  const Mat3 turn = Eigen::AngleAxisd(angle, w.normalized()).toRotationMatrix();
  return {turn * X_WL.R, Vec3(calc_center(t) + turn * (X_WL.p - center))};
}

std::optional<SweptTouch> find_touch_in_step(const Candidate& candidate, const Collider& a, const LinkSweep& motion_a,
                                             const Collider& b, const LinkSweep& motion_b, int index, double h) {
  constexpr int kMost = 60;
  constexpr double kTouching = 1e-10, kSettled = 1e-9;  // [m], of the step
  std::array<PointContact, kMaxPairPoints> points;
  PointPairMemory memory;
  SweptTouch touch;
  for (int k = 0; k < kMost; ++k) {
    const double t = touch.time;
    calc_point_contacts(candidate.pair, a.shape, calc_collider_pose(a, motion_a.calc_pose(t)), b.shape,
                        calc_collider_pose(b, motion_b.calc_pose(t)), memory, points.data());
    touch.contact = points[static_cast<std::size_t>(index)];
    const Vec3& p = touch.contact.point;
    const Vec3 velocity = motion_a.v + motion_a.w.cross(p - motion_a.calc_center(t)) - motion_b.v -
                          motion_b.w.cross(p - motion_b.calc_center(t));
    const double rate = touch.contact.normal.dot(velocity);
    if (std::abs(touch.contact.gap) <= kTouching) return touch;
    if (!(rate < 0.0)) return std::nullopt;
    const double next = t - touch.contact.gap / rate;
    if (next > h) return std::nullopt;
    touch.time = std::max(0.0, next);
    if (std::abs(touch.time - t) <= kSettled * h) return touch;
  }
  return touch;
}

}  // namespace abut
