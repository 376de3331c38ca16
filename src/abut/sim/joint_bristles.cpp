// Dry friction of joints under continuous time: bristles that hold a load at rest.

#include <algorithm>
#include <cmath>

#include "abut/sim/dynamics.hpp"

namespace abut {

namespace {

/// What is not given follows from the inertia of the coordinate; rules that a fixed step cannot follow give way to it.
JointStiction make_stiction(const JointLoad& load, double inertia, double max_rate) {
  constexpr double kTravel = 1e-4;      // [rad] or [m]
  constexpr double kSmoothPart = 0.01;  // of v_stribeck
  const bool is_finite = std::isfinite(inertia);
  JointStiction out;
  out.coulomb = load.coulomb;
  out.stiction = load.stiction;
  out.sigma_0 = load.stiction / kTravel;
  if (std::isfinite(max_rate) && is_finite) out.sigma_0 = std::min(out.sigma_0, inertia * max_rate * max_rate / 16.0);
  if (load.sigma_0 > 0.0) out.sigma_0 = load.sigma_0;
  out.sigma_1 = is_finite ? 2.0 * std::sqrt(out.sigma_0 * inertia) : load.coulomb / load.v_eps;
  if (std::isfinite(max_rate) && is_finite) out.sigma_1 = std::min(out.sigma_1, 0.5 * inertia * max_rate);
  if (load.sigma_1 > 0.0) out.sigma_1 = load.sigma_1;
  out.v_stribeck = load.v_stribeck > 0.0 ? load.v_stribeck : out.stiction / out.sigma_1;
  out.tau_dwell = load.tau_dwell;
  out.v_eps = std::min(load.v_eps, kSmoothPart * out.v_stribeck);
  return out;
}

}  // namespace

void Dynamics::make_joint_bristles() {
  if (!method_traits(model_.scene.run.method).follows_laws) return;
  for (std::size_t i = 0; i < model_.joint_loads.size(); ++i) {
    const JointLoad& load = model_.joint_loads[i].load;
    if (!(load.coulomb > 0.0)) continue;
    joint_bristles_.push_back({static_cast<int>(i), 0.0, {}, {}, num_joint_states_});
    num_joint_states_ += load.tau_dwell > 0.0 ? 2 : 1;
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
    if (load.has_stiction) bristle.stiction = make_stiction(load, bristle.inertia, max_rate);
  }
}

void Dynamics::add_joint_bristles(double* z_rates, double* powers) {
  for (std::size_t i = 0; i < joint_bristles_.size(); ++i) {
    const int v_index = model_.joint_loads[joint_bristles_[i].entry].v_index;
    const JointBristle& bristle = joint_bristles_[i];
    const double z = z_now_[bristle.state];
    const JointLoad& load = model_.joint_loads[bristle.entry].load;
    JointFrictionRates rates;
    if (load.has_stiction) {
      const bool dwells = load.tau_dwell > 0.0;
      rates = calc_joint_stiction(bristle.stiction, z, dwells ? z_now_[bristle.state + 1] : 0.0, v_now_[v_index],
                                  dwells ? &z_rates[bristle.state + 1] : nullptr);
    } else {
      rates = calc_joint_friction(bristle.friction, z, v_now_[v_index]);
    }
    tau_[v_index] += rates.force;
    z_rates[bristle.state] = rates.z_rate;
    powers[static_cast<int>(GlobalWork::joint_friction)] += rates.heat;
  }
}

/// As if the joint had gone at its first speed for ever: what rests has its stiction.
void Dynamics::start_dwell(double* y) const {
  for (const JointBristle& bristle : joint_bristles_) {
    const JointLoadEntry& entry = model_.joint_loads[bristle.entry];
    if (!(entry.load.tau_dwell > 0.0)) continue;
    const double part = model_.v0[entry.v_index] / bristle.stiction.v_stribeck;
    y[joint_bristle_start() + bristle.state + 1] = std::exp(-part * part);
  }
}

double Dynamics::joint_bristle_scale(int state) const {
  for (const JointBristle& bristle : joint_bristles_) {
    if (bristle.state == state && model_.joint_loads[bristle.entry].load.has_stiction)
      return bristle.stiction.stiction / bristle.stiction.sigma_0;
    if (bristle.state == state) return kJointBristleTravel;
  }
  return 1.0;
}

}  // namespace abut
