#include "abut/sim/mechanism_parts.hpp"

#include <cmath>

namespace abut {
namespace {

/// A of the header. Below a hundredth of a radian by its series, whose next term is t^4 / 30240.
Mat3 calc_turn_rate_matrix(const Vec3& theta) {
  const double t = theta.norm();
  const double c =
      t < 1e-2 ? 1.0 / 12.0 + t * t / 720.0 : 1.0 / (t * t) - (1.0 + std::cos(t)) / (2.0 * t * std::sin(t));
  const Mat3 cross = skew(theta);
  return Mat3::Identity() - 0.5 * cross + c * cross * cross;
}

}  // namespace

BushingResponse calc_bushing(const Bushing& bushing, const Kinematics& k) {
  const auto place = [&](int link) { return link == kWorld ? Pose() : k.X_WB[static_cast<std::size_t>(link)]; };
  const auto turning = [&](int link) { return link == kWorld ? Vec3::Zero() : k.w_WB[static_cast<std::size_t>(link)]; };
  const Pose X_WF = place(bushing.link_a) * bushing.X_AF, X_WM = place(bushing.link_b) * bushing.X_BM;
  BushingResponse out;
  out.point = X_WM.p;
  const Eigen::AngleAxisd turn(Mat3(X_WF.R.transpose() * X_WM.R));
  const Vec3 theta = turn.angle() * turn.axis();
  const Mat3 A = calc_turn_rate_matrix(theta);
  out.xi << X_WF.R.transpose() * (X_WM.p - X_WF.p), theta;
  const Vec3 v = k.calc_point_velocity(bushing.link_b, out.point) - k.calc_point_velocity(bushing.link_a, out.point);
  const Vec3 w = turning(bushing.link_b) - turning(bushing.link_a);
  Vec6 rate;
  rate << X_WF.R.transpose() * v, A * (X_WF.R.transpose() * w);
  const Vec6 elastic = bushing.stiffness * out.xi, damped = bushing.damping * rate;
  const auto force_of = [&](const Vec6& f) { return Vec3(-(X_WF.R * f.head<3>())); };
  const auto torque_of = [&](const Vec6& f) { return Vec3(-(X_WF.R * (A.transpose() * f.tail<3>()))); };
  out.elastic_force = force_of(elastic);
  out.elastic_torque = torque_of(elastic);
  out.force = out.elastic_force + force_of(damped);
  out.torque = out.elastic_torque + torque_of(damped);
  out.stored = 0.5 * out.xi.dot(elastic);
  out.damping_power = rate.dot(damped);
  return out;
}

}  // namespace abut
