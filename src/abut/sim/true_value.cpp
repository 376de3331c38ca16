#include "abut/sim/true_value.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "abut/sim/pair_distance.hpp"

namespace abut {

namespace {

void put(const Vec3& value, double*& out) {
  for (int i = 0; i < 3; ++i) *out++ = value[i];
}

Pose place_frame(const LinkFrame& frame, const Kinematics& k) {
  return frame.link == kWorld ? frame.X_LS : k.X_WB[frame.link] * frame.X_LS;
}

/// Force and torque about a link's centre of mass, as felt in a frame.
void add_wrench(const Vec3& force, const Vec3& torque, const Vec3& center, const Pose& X_WS, Vec6& sum) {
  sum.head<3>() += X_WS.R.transpose() * force;
  sum.tail<3>() += X_WS.R.transpose() * Vec3(torque + (center - X_WS.p).cross(force));
}

/// How a frame moves, world axes.
struct FrameMotion {
  Vec3 p, v, a;   ///< of its origin
  Vec3 w, alpha;  ///< of its axes
};

FrameMotion calc_frame_motion(const LinkFrame& frame, const Kinematics& k, const std::vector<Vec6>* accelerations) {
  FrameMotion motion;
  motion.p = place_frame(frame, k).p;
  motion.v = motion.a = motion.w = motion.alpha = Vec3::Zero();
  if (frame.link == kWorld) return motion;
  const Vec3 arm = motion.p - k.p_WCm[frame.link];
  motion.w = k.w_WB[frame.link];
  motion.v = k.v_WCm[frame.link] + motion.w.cross(arm);
  if (accelerations == nullptr) return motion;
  const Vec6& center = (*accelerations)[static_cast<std::size_t>(frame.link)];
  motion.alpha = center.tail<3>();
  motion.a = center.head<3>() + motion.alpha.cross(arm) + motion.w.cross(motion.w.cross(arm));
  return motion;
}

struct ValueMaker {
  const Sight& sight;
  double* out;

  void operator()(const ReactionPlan& plan) {
    Vec6 felt = Vec6::Zero();
    if (sight.forces.is_known()) {
      const Kinematics& at = sight.forces.at;
      const Vec6& total = sight.forces.joints.wrench[static_cast<std::size_t>(plan.link)];
      Vec6 wrench = total;
      if (plan.part != ReactionSensorSpec::Part::total) {
        const Vec6 actuated = calc_actuated_part(sight.model.tree, at, plan.link, total);
        wrench = plan.part == ReactionSensorSpec::Part::actuated ? actuated : Vec6(total - actuated);
      }
      add_wrench(wrench.head<3>(), wrench.tail<3>(), at.p_WCm[plan.link], place_frame(plan.frame, at), felt);
    }
    std::copy_n(felt.data(), 6, out);
  }

  void operator()(const ContactWrenchPlan& plan) {
    Vec6 felt = Vec6::Zero();
    if (sight.forces.is_known()) {
      const Kinematics& at = sight.forces.at;
      const Pose X_WS = place_frame(plan.frame, at);
      for (const int link : plan.links) {
        const Wrench& contacts = sight.forces.contacts[static_cast<std::size_t>(link)];
        add_wrench(contacts.force, contacts.torque, at.p_WCm[link], X_WS, felt);
      }
    }
    std::copy_n(felt.data(), 6, out);
  }

  void operator()(const MotionPlan& plan) {
    const Pose X_A = place_frame(plan.from, sight.now), X_B = place_frame(plan.frame, sight.now);
    const FrameMotion a = calc_frame_motion(plan.from, sight.now, nullptr);
    const FrameMotion b = calc_frame_motion(plan.frame, sight.now, nullptr);
    const Vec3 arm = b.p - a.p;
    put(X_A.R.transpose() * arm, out);
    Quat turn(Mat3(X_A.R.transpose() * X_B.R));
    if (turn.w() < 0.0) turn.coeffs() *= -1.0;
    *out++ = turn.w();
    put(turn.vec(), out);
    put(X_A.R.transpose() * Vec3(b.v - a.v - a.w.cross(arm)), out);
    put(X_A.R.transpose() * Vec3(b.w - a.w), out);
    put_accelerations(plan);
  }

  /// At the motion that they belong to: Coriolis' and centrifugal terms are those of the same instant.
  void put_accelerations(const MotionPlan& plan) {
    if (!sight.forces.is_known()) {
      std::fill_n(out, 6, 0.0);
      return;
    }
    const Kinematics& at = sight.forces.at;
    const Mat3 R = place_frame(plan.from, at).R.transpose();
    const FrameMotion a = calc_frame_motion(plan.from, at, &sight.forces.joints.acceleration);
    const FrameMotion b = calc_frame_motion(plan.frame, at, &sight.forces.joints.acceleration);
    const Vec3 arm = b.p - a.p, velocity = b.v - a.v - a.w.cross(arm);
    put(R * Vec3(b.a - a.a - a.alpha.cross(arm) - a.w.cross(a.w.cross(arm)) - 2.0 * a.w.cross(velocity)), out);
    put(R * Vec3(b.alpha - a.alpha - a.w.cross(b.w)), out);
  }

  void operator()(const JointPlan& plan) {
    const Link& link = sight.model.tree.link(plan.link);
    out = std::copy_n(sight.q.begin() + link.q_start, link.num_q, out);
    out = std::copy_n(sight.v.begin() + link.v_start, link.num_v, out);
    out = std::copy_n(sight.joint_forces.begin() + link.v_start, link.num_v, out);
  }

  void operator()(const GapPlan& plan) {
    std::optional<double> depth;
    for (const PatchResponse& response : sight.responses) {
      const bool is_meant = (response.link_a == plan.link_a && response.link_b == plan.link_b) ||
                            (response.link_a == plan.link_b && response.link_b == plan.link_a);
      if (is_meant) depth = std::max(depth.value_or(-response.gap), -response.gap);
    }
    double gap = std::numeric_limits<double>::infinity();
    if (depth) gap = -*depth;
    for (const auto& [a, b] : plan.colliders) {
      if (depth) break;
      const Collider &first = sight.model.colliders[static_cast<std::size_t>(a)],
                     &second = sight.model.colliders[static_cast<std::size_t>(b)];
      gap = std::min(gap, calc_pair_distance(first, calc_collider_pose(first, sight.now.X_WB[first.link]), second,
                                             calc_collider_pose(second, sight.now.X_WB[second.link])));
    }
    *out = gap;
  }
};

}  // namespace

void calc_true_value(const SensorPlan& plan, const Sight& sight, double* out) {
  std::visit(ValueMaker{sight, out}, plan.kind);
}

}  // namespace abut
