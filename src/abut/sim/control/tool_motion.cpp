#include "abut/sim/control/tool_motion.hpp"

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>

#include "abut/multibody/frame_motion.hpp"

namespace abut {

namespace {

/// Below this reciprocal condition the arm counts as singular; least squares are then damped by this part of J [1].
constexpr double kSingular = 1e-5, kDamping = 1e-2;

int find_body_link(const Model& model, const std::string& body) {
  for (int link = 0; link < model.tree.num_links(); ++link) {
    if (model.body_name(link) == body) return link;
  }
  return kWorld;
}

}  // namespace

Vec3 calc_rotation_vector(const Mat3& R) {
  Quat q(R);
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  if (sine < 1e-12) return 2.0 * q.vec();
  return 2.0 * std::atan2(sine, q.w()) / sine * q.vec();
}

Mat3 calc_rotation(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  if (angle == 0.0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, rotation_vector / angle).toRotationMatrix();
}

ToolMotion::ToolMotion(const ToolSpec& tool, std::span<const NominalMassSpec> nominal, const ControlSite& site)
    : arm_(site, nominal),
      link_(arm_.find_link(find_body_link(site.model, tool.body))),
      X_BT_(calc_orientation(tool.orientation, tool.rotation), tool.position) {
  if (link_ < 0)
    throw InputError(fmt::format("body '{}' of controller '{}' does not hang on the joints that it commands", tool.body,
                                 site.spec.name));
}

void ToolMotion::update(const ControlInput& input) {
  arm_.update(input);
  const Kinematics& k = arm_.kinematics();
  X_WT_ = k.X_WB[link_] * X_BT_;
  const MatX J = calc_frame_jacobian(arm_.tree(), k, link_, X_WT_.p);
  twist_ = J * arm_.v();
  bias_ = calc_frame_bias(arm_.tree(), k, link_, X_WT_.p) + J * arm_.prescribed_acceleration();
  J_.resize(6, static_cast<long>(arm_.motor_speeds().size()));
  for (long c = 0; c < J_.cols(); ++c) J_.col(c) = J.col(arm_.motor_speeds()[static_cast<std::size_t>(c)]);
}

Vec6 ToolMotion::calc_error(const ToolReference& reference) const {
  Vec6 error;
  error << reference.position - X_WT_.p, calc_rotation_vector(reference.R * X_WT_.R.transpose());
  return error;
}

VecX ToolMotion::calc_joint_accelerations(const Vec6& wanted, double damping) const {
  const Vec6 rest = wanted - bias_;
  const long n = J_.cols();
  if (n == 6) {
    const Mat6 J = J_;
    const Eigen::PartialPivLU<Mat6> lu(J);
    if (lu.rcond() > kSingular) return lu.solve(rest);
  } else if (n < 6) {
    return Eigen::CompleteOrthogonalDecomposition<MatX>(J_).solve(rest);
  }
  VecX speeds(n);
  for (long c = 0; c < n; ++c) speeds[c] = arm_.v()[arm_.motor_speeds()[static_cast<std::size_t>(c)]];
  const VecX braked = n > 6 ? VecX(-damping * speeds) : VecX::Zero(n);
  Mat6 A = J_ * J_.transpose();
  if (const double scale = A.trace() / 6.0; Eigen::FullPivLU<Mat6>(A).rcond() < kSingular * kSingular || n == 6)
    A.diagonal().array() += kDamping * kDamping * scale;
  return braked + J_.transpose() * A.partialPivLu().solve(rest - J_ * braked);
}

VecX ToolMotion::calc_forces(const Vec6& acceleration, double damping) const {
  return arm_.calc_forces(calc_joint_accelerations(acceleration, damping));
}

VecX ToolMotion::calc_forces(const Vec6& acceleration, double damping, const Vec6& wrench) const {
  return calc_forces(acceleration, damping) - J_.transpose() * wrench;
}

VecX ToolMotion::calc_static_forces(const Vec6& wrench) const {
  return J_.transpose() * wrench + arm_.calc_forces(VecX::Zero(J_.cols()));
}

PoseReference::PoseReference(const std::optional<TrajectorySpec>& spec, const ControlSite& site, const ToolSpec& tool)
    : path_(std::vector<double>(6, 0.0)) {
  if (spec) {
    path_ = Trajectory(*spec, 6);
    return;
  }
  Kinematics k;
  calc_kinematics(site.model.tree, site.model.q0, site.model.v0, k);
  const int link = find_body_link(site.model, tool.body);
  const Pose X_WT = k.X_WB[link] * Pose(calc_orientation(tool.orientation, tool.rotation), tool.position);
  const Vec3 turn = calc_rotation_vector(X_WT.R);
  path_ = Trajectory({X_WT.p.x(), X_WT.p.y(), X_WT.p.z(), turn.x(), turn.y(), turn.z()});
}

ToolReference PoseReference::sample(double t) const {
  std::array<MotionSample, 6> now;
  path_.sample(t, now);
  ToolReference reference;
  Vec3 turn, turn_rate;
  for (int i = 0; i < 3; ++i) {
    reference.position[i] = now[i].value;
    reference.twist[i] = now[i].rate;
    turn[i] = now[3 + i].value;
    turn_rate[i] = now[3 + i].rate;
  }
  reference.R = calc_rotation(turn);
  // Angular velocity of a rotation whose vector changes: the left Jacobian of the exponential.
  const double angle = turn.norm();
  const Mat3 X = skew(turn);
  Mat3 left = Mat3::Identity() + 0.5 * X;
  if (angle > 1e-6)
    left = Mat3::Identity() + (1.0 - std::cos(angle)) / (angle * angle) * X +
           (angle - std::sin(angle)) / (angle * angle * angle) * X * X;
  reference.twist.tail<3>() = left * turn_rate;
  return reference;
}

}  // namespace abut
