#include "abut/sim/step_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/geometry/manifold/contact_normal.hpp"

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

bool stay_apart(const Collider& a, const LinkSweep& motion_a, const Collider& b, const LinkSweep& motion_b, double h) {
  constexpr int kMostFaces = 64;
  if (a.solid == nullptr || b.solid == nullptr) return false;
  // Along any direction but its own a half-space reaches everywhere, and its own is the one that the corners know.
  if (a.solid->is_half_space() || b.solid->is_half_space()) return false;
  std::array<Pose, 3> X_BA;
  for (std::size_t k = 0; k < X_BA.size(); ++k) {
    const double t = 0.5 * h * static_cast<double>(k);
    X_BA[k] = calc_collider_pose(b, motion_b.calc_pose(t)).inverse() * calc_collider_pose(a, motion_a.calc_pose(t));
  }
  const auto is_apart = [&](const auto& normal_at) {
    return std::all_of(X_BA.begin(), X_BA.end(), [&](const Pose& X) {
      return SolidPair{*a.solid, *b.solid, X}.calc_gap(normal_at(X)) > 0.0;
    });
  };
  for (int f = 0; f < std::min(b.solid->num_faces(), kMostFaces); ++f) {
    if (is_apart([&](const Pose&) { return b.solid->face_normal(f); })) return true;
  }
  for (int f = 0; f < std::min(a.solid->num_faces(), kMostFaces); ++f) {
    if (is_apart([&](const Pose& X) { return Vec3(-(X.R * a.solid->face_normal(f))); })) return true;
  }
  return false;
}

}  // namespace abut
