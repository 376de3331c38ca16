#include "abut/multibody/frame_motion.hpp"

#include "abut/multibody/spatial.hpp"

namespace abut {

MatX calc_frame_jacobian(const Tree& tree, const Kinematics& kinematics, int link, const Vec3& p_WQ) {
  MatX J = MatX::Zero(6, tree.num_v());
  for (int i = link; i != kWorld; i = tree.link(i).parent) {
    const Link& carrier = tree.link(i);
    if (carrier.num_v == 0) continue;
    const spatial::JointColumns S = spatial::calc_joint_columns(carrier, kinematics);
    const Vec3 arm = p_WQ - kinematics.p_WCm[static_cast<std::size_t>(i)];
    for (int c = 0; c < carrier.num_v; ++c) J.col(carrier.v_start + c) = spatial::shift_motion(S.col(c), arm);
  }
  return J;
}

Vec6 calc_frame_bias(const Tree& tree, const Kinematics& kinematics, int link, const Vec3& p_WQ) {
  Vec6 sum = Vec6::Zero();
  // The bias of each joint on the way, carried rigidly to the point; what turning adds there comes at the end.
  for (int i = link; i != kWorld; i = tree.link(i).parent) {
    const Link& carrier = tree.link(i);
    if (carrier.articulated_index < 0) continue;  // a free leaf at constant speed
    const Vec3 arm = p_WQ - kinematics.p_WCm[static_cast<std::size_t>(i)];
    sum += spatial::shift_motion(kinematics.bias[static_cast<std::size_t>(carrier.articulated_index)], arm);
  }
  const auto i = static_cast<std::size_t>(link);
  const Vec3& w = kinematics.w_WB[i];
  const Vec3 arm = p_WQ - kinematics.p_WCm[i];
  sum.head<3>() += w.cross(w.cross(arm));
  return sum;
}

}  // namespace abut
