#include "abut/multibody/jacobian.hpp"

#include "abut/multibody/spatial.hpp"

namespace abut {

MatX calc_point_jacobian(const Tree& tree, const Kinematics& kinematics, int link, const Vec3& p_WQ) {
  MatX J = MatX::Zero(3, tree.num_v());
  for (int i = link; i != kWorld; i = tree.link(i).parent) {
    const Link& carrier = tree.link(i);
    if (carrier.num_v == 0) continue;
    const spatial::JointColumns S = spatial::calc_joint_columns(carrier, kinematics);
    const Vec3 arm = p_WQ - kinematics.p_WCm[static_cast<std::size_t>(i)];
    for (int c = 0; c < carrier.num_v; ++c) {
      J.col(carrier.v_start + c) = spatial::shift_motion(S.col(c), arm).head<3>();
    }
  }
  return J;
}

}  // namespace abut
