// Dry friction of joints under continuous time: bristles that hold a load at rest.

#include "abut/sim/dynamics.hpp"

namespace abut {

void Dynamics::make_joint_bristles() {
  if (!method_traits(model_.scene.run.method).follows_laws) return;
  for (std::size_t i = 0; i < model_.joint_loads.size(); ++i) {
    if (model_.joint_loads[i].load.coulomb > 0.0) joint_bristles_.push_back({static_cast<int>(i), 0.0, {}});
  }
  if (joint_bristles_.empty()) return;
  // The inertia of a coordinate is the force that gives it a unit acceleration, everything at rest.
  const std::vector<double> rest(num_v(), 0.0), held(num_v(), 0.0);
  calc_kinematics(model_.tree, model_.q0, rest, kinematics_);
  std::vector<double> tau(num_v(), 0.0), vdot(num_v(), 0.0), forces(num_v(), 0.0);
  std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
  for (JointBristle& bristle : joint_bristles_) {
    const int v_index = model_.joint_loads[bristle.entry].v_index;
    tau[v_index] = 1.0;
    calc_articulated_accelerations(model_.tree, kinematics_, {Vec3::Zero(), wrenches_, tau}, held, workspace_, vdot,
                                   forces);
    tau[v_index] = 0.0;
    // A prescribed coordinate does not answer: no step is too long for it.
    bristle.inertia = vdot[v_index] > 0.0 ? 1.0 / vdot[v_index] : std::numeric_limits<double>::infinity();
  }
  set_max_rate(max_rate_);
}

void Dynamics::set_max_rate(double max_rate) {
  max_rate_ = max_rate;
  for (JointBristle& bristle : joint_bristles_) {
    const JointLoad& load = model_.joint_loads[bristle.entry].load;
    bristle.friction = make_joint_friction(load.coulomb, load.v_eps, bristle.inertia, max_rate);
  }
}

void Dynamics::add_joint_bristles(double* z_rates, double* powers) {
  for (std::size_t i = 0; i < joint_bristles_.size(); ++i) {
    const int v_index = model_.joint_loads[joint_bristles_[i].entry].v_index;
    const JointFrictionRates rates = calc_joint_friction(joint_bristles_[i].friction, z_now_[i], v_now_[v_index]);
    tau_[v_index] += rates.force;
    z_rates[i] = rates.z_rate;
    powers[static_cast<int>(GlobalWork::joint_friction)] += rates.heat;
  }
}

}  // namespace abut
