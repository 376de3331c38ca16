#include "abut/multibody/energy.hpp"

namespace abut {
namespace {

/// Angular momentum about the centre of mass in the link's own axes [kg m^2/s], with the angular velocity there
/// [rad/s].
struct Spin {
  Vec3 w_B, momentum_B;
};

Spin calc_spin(const Tree& tree, int index, const Kinematics& k) {
  const std::size_t i = static_cast<std::size_t>(index);
  const Vec3 w_B = k.X_WB[i].R.transpose() * k.w_WB[i];
  return {w_B, tree.link(index).mass.inertia * w_B};
}

}  // namespace

double calc_kinetic_energy(const Tree& tree, const Kinematics& kinematics) {
  double energy = 0.0;
  for (int i = 0; i < tree.num_links(); ++i) {
    const Spin spin = calc_spin(tree, i, kinematics);
    const double speed_squared = kinematics.v_WCm[static_cast<std::size_t>(i)].squaredNorm();
    energy += 0.5 * (tree.link(i).mass.mass * speed_squared + spin.w_B.dot(spin.momentum_B));
  }
  return energy;
}

double calc_potential_energy(const Tree& tree, const Kinematics& kinematics, const Vec3& gravity) {
  double energy = 0.0;
  for (int i = 0; i < tree.num_links(); ++i) {
    if (tree.is_static(i)) continue;
    energy -= tree.link(i).mass.mass * gravity.dot(kinematics.p_WCm[static_cast<std::size_t>(i)]);
  }
  return energy;
}

Momentum calc_momentum(const Tree& tree, const Kinematics& kinematics) {
  Momentum total;
  for (int index = 0; index < tree.num_links(); ++index) {
    const std::size_t i = static_cast<std::size_t>(index);
    const Vec3 linear = tree.link(index).mass.mass * kinematics.v_WCm[i];
    const Vec3 spin = kinematics.X_WB[i].R * calc_spin(tree, index, kinematics).momentum_B;
    total.linear += linear;
    total.angular += kinematics.p_WCm[i].cross(linear) + spin;
  }
  return total;
}

}  // namespace abut
