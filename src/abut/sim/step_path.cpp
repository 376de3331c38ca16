#include "abut/sim/step_path.hpp"

#include "abut/multibody/joint.hpp"

namespace abut {

namespace {

/// The rotation by w [rad].
Mat3 make_turn(const Vec3& w) {
  const double angle = w.norm();
  if (angle == 0.0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, w / angle).toRotationMatrix();
}

}  // namespace

void StepPath::begin(const Kinematics& motion, std::span<const double> q) {
  poses_ = motion.X_WB;
  centers_ = motion.p_WCm;
  q_begin_.assign(q.begin(), q.end());
}

void StepPath::end(const Kinematics& motion, std::span<const double> q, double h) {
  end_ = &motion;
  h_ = h;
  q_end_.assign(q.begin(), q.end());
  part_ = -1.0;
}

Pose StepPath::calc_pose(int link, double part) const {
  if (part == 0.0) return poses_[link];
  if (part == 1.0) return end_->X_WB[link];
  if (tree_.free_leaf_index(link) >= 0) return calc_free_pose(link, part);
  if (part != part_) bend(part);
  return between_.X_WB[link];
}

/// By part of the turn that the angular velocity says and, what is left of the way to the end, by part of that.
Pose StepPath::calc_free_pose(int link, double part) const {
  const Pose& X0 = poses_[link];
  const Vec3 w = h_ * end_->w_WB[link];
  const Eigen::AngleAxisd rest(Mat3(end_->X_WB[link].R * X0.R.transpose() * make_turn(-w)));
  const Mat3 R = make_turn(part * rest.angle() * rest.axis()) * make_turn(part * w) * X0.R;
  const Vec3 arm = X0.R.transpose() * (X0.p - centers_[link]);
  const Vec3 center = centers_[link] + part * (end_->p_WCm[link] - centers_[link]);
  return {R, Vec3(center + R * arm)};
}

void StepPath::bend(double part) const {
  q_between_.resize(q_begin_.size());
  for (std::size_t i = 0; i < q_begin_.size(); ++i) q_between_[i] = q_begin_[i] + part * (q_end_[i] - q_begin_[i]);
  for (const int index : tree_.articulated_links()) {
    const Link& link = tree_.link(index);
    const int offset = quaternion_offset(link.joint);
    if (offset < 0) continue;
    // Quaternions of opposite signs are the same orientation: between them the shorter way.
    const double* before = q_begin_.data() + link.q_start + offset;
    const double* after = q_end_.data() + link.q_start + offset;
    double cosine = 0.0;
    for (int k = 0; k < 4; ++k) cosine += before[k] * after[k];
    const double sign = cosine < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 4; ++k)
      q_between_[link.q_start + offset + k] = (1.0 - part) * before[k] + part * sign * after[k];
  }
  v_between_.assign(tree_.num_v(), 0.0);
  between_.resize(tree_);
  calc_articulated_kinematics(tree_, q_between_, v_between_, between_);
  part_ = part;
}

}  // namespace abut
