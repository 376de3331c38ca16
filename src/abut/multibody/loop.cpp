#include "abut/multibody/loop.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "abut/base/error.hpp"

namespace abut {
namespace {

/// Two directions across a unit vector.
std::array<Vec3, 2> make_across(const Vec3& axis) {
  const Vec3 u = axis.unitOrthogonal();
  return {u, axis.cross(u)};
}

/// Motion of a link at a point, world axes; the world rests.
struct PointMotion {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
  Vec3 turning = Vec3::Zero();  ///< part of the acceleration that the angular velocity makes [m/s^2]
};

PointMotion calc_point_motion(int link, const Vec3& point, const Kinematics& k) {
  PointMotion motion;
  if (link == kWorld) return motion;
  const std::size_t i = static_cast<std::size_t>(link);
  const Vec3 arm = point - k.p_WCm[i];
  motion.w = k.w_WB[i];
  motion.v = k.v_WCm[i] + motion.w.cross(arm);
  motion.turning = motion.w.cross(motion.w.cross(arm));
  return motion;
}

/// Rotation vector from F to M, in F.
Vec3 calc_turn(const Mat3& R_FM) {
  const Eigen::AngleAxisd turn(R_FM);
  return turn.angle() * turn.axis();
}

/// Rotation vector that takes the axis of F to that of M on the shortest way, in F.
Vec3 calc_tilt(const Mat3& R_FM, const Vec3& axis) {
  const Vec3 now = R_FM * axis, cross = axis.cross(now);
  const double sine = cross.norm(), cosine = axis.dot(now);
  if (sine > 0.0) return (std::atan2(sine, cosine) / sine) * cross;
  return cosine > 0.0 ? Vec3::Zero() : Vec3(std::numbers::pi * axis.unitOrthogonal());
}

}  // namespace

Loop make_loop(std::string name, JointType joint, int link_a, int link_b, const Pose& X_AF, const Pose& X_BM,
               const Vec3& axis, const Vec3& axis_2) {
  Loop loop;
  loop.name = std::move(name);
  loop.link_a = link_a;
  loop.link_b = link_b;
  loop.X_AF = X_AF;
  loop.X_BM = X_BM;
  loop.joint = joint;
  loop.axes = make_joint_axes(joint, axis, axis_2);
  const std::array<Vec3, 3> all = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const auto hold = [](const auto& directions, std::array<Vec3, 3>& held, int& count) {
    for (const Vec3& direction : directions) held[static_cast<std::size_t>(count++)] = direction;
  };
  switch (joint) {
    case JointType::fixed:
      hold(all, loop.travels, loop.num_travels);
      hold(all, loop.turns, loop.num_turns);
      break;
    case JointType::revolute:
      hold(all, loop.travels, loop.num_travels);
      hold(make_across(loop.axes[0]), loop.turns, loop.num_turns);
      break;
    case JointType::prismatic:
      hold(make_across(loop.axes[0]), loop.travels, loop.num_travels);
      hold(all, loop.turns, loop.num_turns);
      break;
    case JointType::spherical:
      hold(all, loop.travels, loop.num_travels);
      break;
    case JointType::universal:
      hold(all, loop.travels, loop.num_travels);
      hold(std::array{loop.axes[0]}, loop.turns, loop.num_turns);
      break;
    case JointType::planar:
      hold(std::array{loop.axes[2]}, loop.travels, loop.num_travels);
      hold(std::array{loop.axes[0], loop.axes[1]}, loop.turns, loop.num_turns);
      break;
    case JointType::translational:
      hold(all, loop.turns, loop.num_turns);
      break;
    case JointType::free:
      throw InputError("a free joint holds nothing and closes no loop");
  }
  return loop;
}

void calc_loop_geometry(const Loop& loop, const Kinematics& k, LoopGeometry& out) {
  const auto place = [&](int link) { return link == kWorld ? Pose() : k.X_WB[static_cast<std::size_t>(link)]; };
  const Pose X_WF = place(loop.link_a) * loop.X_AF, X_WM = place(loop.link_b) * loop.X_BM;
  out.point = X_WM.p;
  const PointMotion a = calc_point_motion(loop.link_a, out.point, k), b = calc_point_motion(loop.link_b, out.point, k);
  const Vec3 v = b.v - a.v, w = b.w - a.w;
  const Vec3 turning = b.turning - a.turning - 2.0 * a.w.cross(v);
  const int count = loop.num_rows();
  out.wrench.setZero(6, count);
  for (LoopVector* entry : {&out.gap, &out.speed, &out.bias}) entry->resize(count);
  int row = 0;
  for (; row < loop.num_travels; ++row) {
    const Vec3 u = X_WF.R * loop.travels[static_cast<std::size_t>(row)];
    out.wrench.col(row).head<3>() = u;
    out.gap[row] = u.dot(X_WM.p - X_WF.p);
    out.speed[row] = u.dot(v);
    out.bias[row] = u.dot(turning);
  }
  if (loop.num_turns == 0) return;
  if (loop.joint == JointType::universal) {
    const Vec3 first = X_WF.R * loop.axes[0], second = X_WM.R * loop.axes[1], n = second.cross(first);
    out.wrench.col(row).tail<3>() = n;
    out.gap[row] = first.dot(second);
    out.speed[row] = n.dot(w);
    out.bias[row] = (b.w.cross(second).cross(first) + second.cross(a.w.cross(first))).dot(w);
    return;
  }
  const Mat3 R_FM = X_WF.R.transpose() * X_WM.R;
  const bool holds_all = loop.num_turns == 3;
  const Vec3 turn =
      holds_all ? calc_turn(R_FM) : calc_tilt(R_FM, loop.joint == JointType::planar ? loop.axes[2] : loop.axes[0]);
  for (int t = 0; t < loop.num_turns; ++t, ++row) {
    const Vec3& direction = loop.turns[static_cast<std::size_t>(t)];
    const Vec3 u = X_WF.R * direction;
    out.wrench.col(row).tail<3>() = u;
    out.gap[row] = direction.dot(turn);
    out.speed[row] = u.dot(w);
    out.bias[row] = a.w.cross(u).dot(w);
  }
}

}  // namespace abut
