#include "abut/sim/link_forces.hpp"

namespace abut {

void calc_link_forces(const Tree& tree, const Vec3& gravity, std::span<const Wrench> loads,
                      std::span<const double> vdot, LinkForces& forces) {
  std::vector<Wrench> all(loads.begin(), loads.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].force += forces.contacts[i].force;
    all[i].torque += forces.contacts[i].torque;
  }
  calc_joint_wrenches(tree, forces.at, {gravity, all, {}}, vdot, forces.joints);
}

void take_mechanisms(const Tree& tree, const Kinematics& other, Kinematics& motion) {
  if (tree.articulated_links().empty()) return;
  for (const int link : tree.articulated_links()) {
    const auto i = static_cast<std::size_t>(link);
    motion.X_WB[i] = other.X_WB[i];
    motion.p_WCm[i] = other.p_WCm[i];
    motion.v_WCm[i] = other.v_WCm[i];
    motion.w_WB[i] = other.w_WB[i];
  }
  motion.S = other.S;
  motion.bias = other.bias;
}

}  // namespace abut
