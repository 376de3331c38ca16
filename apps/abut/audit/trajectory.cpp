#include "audit/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "abut/door/convert.hpp"

namespace abut {

namespace {

/// Rotation vector of a unit quaternion, the short way round [rad].
Vec3 calc_log(const Quat& q_in) {
  const Quat q = q_in.w() < 0.0 ? Quat(-q_in.w(), -q_in.x(), -q_in.y(), -q_in.z()) : q_in;
  const double sine = q.vec().norm();
  const double factor = sine < 1e-9 ? 2.0 : 2.0 * std::atan2(sine, q.w()) / sine;
  return factor * q.vec();
}

Quat calc_exp(const Vec3& turn) {
  const double angle = turn.norm();
  if (angle < 1e-12) return Quat(1.0, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z()).normalized();
  return Quat(Eigen::AngleAxisd(angle, turn / angle));
}

Quat orientation_of(const v0::Motion& motion) {
  const v0::Quaternion& q = motion.orientation;
  return Quat(q[0], q[1], q[2], q[3]);
}

/// Rate of a rotation vector for an angular velocity in world axes: the inverse of spin_of().
Vec3 turn_rate(const Vec3& turn, const Vec3& w) {
  const double a = turn.norm();
  const double c = a < 1e-4 ? 1.0 / 12.0 : (1.0 - 0.5 * a / std::tan(0.5 * a)) / (a * a);
  return w - 0.5 * turn.cross(w) + c * turn.cross(turn.cross(w));
}

/// Angular velocity in world axes for the rate of a rotation vector; series where the closed forms lose digits.
Vec3 spin_of(const Vec3& turn, const Vec3& rate) {
  const double a = turn.norm();
  const double b = a < 1e-4 ? 0.5 : (1.0 - std::cos(a)) / (a * a);
  const double c = a < 1e-3 ? 1.0 / 6.0 : (a - std::sin(a)) / (a * a * a);
  return rate + b * turn.cross(rate) + c * turn.cross(turn.cross(rate));
}

/// Slope at a point of the parabola through it and two others, which are given relative to it; it may be in the middle
/// or at an end.
Vec3 parabola_slope(double t0, const Vec3& before, double t2, const Vec3& after) {
  return (after * t0 * t0 - before * t2 * t2) / (t0 * t2 * (t0 - t2));
}

/// From one pose to another: displacement, or rotation vector.
Vec3 step_between(const v0::Motion& from, const v0::Motion& to, bool is_turn) {
  if (!is_turn) return to_vec(to.position) - to_vec(from.position);
  return calc_log(orientation_of(to) * orientation_of(from).conjugate());
}

Vec3 calc_rate(const Trajectory& trajectory, std::size_t body, std::size_t k, std::size_t stride, bool is_turn) {
  const std::vector<v0::Motion>& motions = trajectory.motions[body];
  const std::size_t last = motions.size() - 1;
  const auto at = [&](std::size_t i) { return trajectory.times[i] - trajectory.times[k]; };
  const auto step = [&](std::size_t i) { return step_between(motions[k], motions[i], is_turn); };
  if (k < stride)
    return parabola_slope(at(k + stride), step(k + stride), at(std::min(last, k + 2 * stride)),
                          step(std::min(last, k + 2 * stride)));
  if (k + stride > last)
    return parabola_slope(at(k - stride), step(k - stride), at(k - 2 * stride), step(k - 2 * stride));
  return parabola_slope(at(k - stride), step(k - stride), at(k + stride), step(k + stride));
}

/// Writes the rates of all bodies; returns their error: the middle one of all, and the largest.
std::pair<double, double> fill(Trajectory& trajectory, bool is_turn) {
  std::vector<double> errors;
  const std::size_t n = trajectory.num_samples();
  for (std::size_t body = 0; body < trajectory.motions.size(); ++body) {
    std::vector<v0::Motion>& motions = trajectory.motions[body];
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 rate = calc_rate(trajectory, body, k, 1, is_turn);
      if (k >= 2 && k + 2 < n) errors.push_back((rate - calc_rate(trajectory, body, k, 2, is_turn)).norm() / 3.0);
      (is_turn ? motions[k].angular_velocity : motions[k].velocity) = to_array(rate);
    }
  }
  // Bodies that rest say nothing about those that move.
  std::erase_if(errors, [](double error) { return error == 0.0; });
  if (errors.empty()) return {0.0, 0.0};
  std::sort(errors.begin(), errors.end());
  return {errors[errors.size() / 2], errors.back()};
}

}  // namespace

void fill_velocities(Trajectory& trajectory) {
  if (!trajectory.has_velocity)
    std::tie(trajectory.velocity_error, trajectory.worst_velocity_error) = fill(trajectory, false);
  if (!trajectory.has_angular_velocity)
    std::tie(trajectory.angular_velocity_error, trajectory.worst_angular_velocity_error) = fill(trajectory, true);
}

v0::Motion interpolate(const Trajectory& trajectory, int body, std::size_t k, double t) {
  const std::vector<v0::Motion>& motions = trajectory.motions[static_cast<std::size_t>(body)];
  const v0::Motion &a = motions[k], &b = motions[k + 1];
  const double h = trajectory.times[k + 1] - trajectory.times[k], s = (t - trajectory.times[k]) / h;
  if (s <= 0.0) return a;
  if (s >= 1.0) return b;
  // Hermite's cubic from 0 to `end` with slopes at both ends, and its slope.
  const auto cubic = [&](const Vec3& slope_a, const Vec3& end, const Vec3& slope_b) {
    const Vec3 p =
        (h * (s * (1 - s) * (1 - s))) * slope_a + (s * s * (3 - 2 * s)) * end + (h * s * s * (s - 1)) * slope_b;
    const Vec3 v = ((1 - s) * (1 - 3 * s)) * slope_a + (6 * s * (1 - s) / h) * end + (s * (3 * s - 2)) * slope_b;
    return std::pair<Vec3, Vec3>(p, v);
  };
  const auto [dp, v] = cubic(to_vec(a.velocity), to_vec(b.position) - to_vec(a.position), to_vec(b.velocity));
  const Vec3 whole = step_between(a, b, true);
  const auto [turn, rate] = cubic(to_vec(a.angular_velocity), whole, turn_rate(whole, to_vec(b.angular_velocity)));
  const Quat q = (calc_exp(turn) * orientation_of(a)).normalized();
  return {to_array(Vec3(to_vec(a.position) + dp)), to_array(q), to_array(v), to_array(spin_of(turn, rate))};
}

}  // namespace abut
