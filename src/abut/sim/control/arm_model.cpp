#include "abut/sim/control/arm_model.hpp"

#include <algorithm>
#include <map>

#include "abut/multibody/configuration.hpp"
#include "abut/multibody/inverse_dynamics.hpp"

namespace abut {

namespace {

/// Links up to the world from those that the motors move, and everything that hangs on them.
std::vector<char> find_members(const Model& model, std::span<const ControlledMotor> motors) {
  const Tree& tree = model.tree;
  std::vector<char> is_member(static_cast<std::size_t>(tree.num_links()), 0);
  for (int i = 0; i < tree.num_links(); ++i) {
    const bool has_motor = std::any_of(motors.begin(), motors.end(), [&](const ControlledMotor& motor) {
      return tree.link(i).num_v > 0 && motor.v_index == tree.v_start(i);
    });
    for (int k = i; has_motor && k != kWorld; k = tree.link(k).parent) is_member[k] = 1;
  }
  for (int i = 0; i < tree.num_links(); ++i) {
    const int parent = tree.link(i).parent;
    if (parent != kWorld && is_member[parent] && !tree.is_static(parent)) is_member[i] = 1;
  }
  return is_member;
}

}  // namespace

ArmModel::ArmModel(const ControlSite& site, std::span<const NominalMassSpec> nominal)
    : gravity_(site.model.scene.gravity) {
  const Tree& whole = site.model.tree;
  const std::vector<char> is_member = find_members(site.model, site.motors);
  std::vector<LinkSpec> specs;
  std::map<int, int> own_v;
  int num_v = 0;
  for (int i = 0; i < whole.num_links(); ++i) {
    if (!is_member[i]) continue;
    const Link& link = whole.link(i);
    LinkSpec spec;
    spec.name = whole.name(i);
    spec.parent = link.parent == kWorld ? kWorld : find_link(link.parent);
    spec.joint = link.joint;
    spec.X_PF = link.X_PF;
    spec.X_BM = link.X_MB.inverse();
    spec.axis = link.axes[0];
    spec.axis_2 = link.axes[1];
    if (link.joint == JointType::planar) spec.axis = link.axes[2];
    spec.mass = link.mass;
    for (const NominalMassSpec& other : nominal) {
      if (site.model.body_name(i) != other.body || !(link.mass.mass > 0.0)) continue;
      spec.mass.inertia *= other.mass / link.mass.mass;
      spec.mass.mass = other.mass;
    }
    for (int k = 0; k < link.num_v; ++k) own_v[link.v_start + k] = num_v++;
    model_links_.push_back(i);
    q_of_.push_back({link.q_start, link.q_start + link.num_q});
    v_of_.push_back({link.v_start, link.v_start + link.num_v});
    specs.push_back(std::move(spec));
  }
  tree_ = Tree(specs);
  q_.setZero(tree_.num_q());
  v_.setZero(tree_.num_v());
  passive_force_.setZero(tree_.num_v());
  prescribed_.setZero(tree_.num_v());
  for (const ControlledMotor& motor : site.motors) motor_speeds_.push_back(own_v.at(motor.v_index));
  for (const JointLoadEntry& entry : site.model.joint_loads) {
    const auto found = own_v.find(entry.v_index);
    if (found == own_v.end()) continue;
    PassiveLoad passive{entry.q_index, entry.v_index, found->second, entry.load};
    passive.load.motor = {};
    passive.load.coulomb = 0.0;
    passive_.push_back(passive);
  }
  kinematics_.resize(tree_);
}

int ArmModel::find_link(int model_link) const {
  const auto found = std::find(model_links_.begin(), model_links_.end(), model_link);
  return found == model_links_.end() ? -1 : static_cast<int>(found - model_links_.begin());
}

void ArmModel::update(const ControlInput& input) {
  int q = 0, v = 0;
  for (std::size_t i = 0; i < model_links_.size(); ++i) {
    for (int k = q_of_[i].begin; k < q_of_[i].end; ++k) q_[q++] = input.q[k];
    for (int k = v_of_[i].begin; k < v_of_[i].end; ++k) {
      prescribed_[v] = input.prescribed_acceleration.empty() ? 0.0 : input.prescribed_acceleration[k];
      v_[v++] = input.v[k];
    }
  }
  calc_kinematics(tree_, as_span(q_), as_span(v_), kinematics_);
  passive_force_.setZero();
  for (const PassiveLoad& passive : passive_) {
    const double coordinate = passive.q >= 0 ? input.q[passive.q] : 0.0;
    passive_force_[passive.own_v] += calc_joint_load(passive.load, coordinate, input.v[passive.v]).force;
  }
}

VecX ArmModel::calc_forces(const VecX& motor_accelerations) const {
  VecX vdot = prescribed_;
  for (std::size_t i = 0; i < motor_speeds_.size(); ++i)
    vdot[motor_speeds_[i]] = motor_accelerations[static_cast<long>(i)];
  AppliedLoads loads;
  loads.gravity = gravity_;
  loads.tau = as_span(passive_force_);
  const VecX all = calc_inverse_dynamics(tree_, kinematics_, loads, as_span(vdot));
  VecX forces(motor_accelerations.size());
  for (std::size_t i = 0; i < motor_speeds_.size(); ++i) forces[static_cast<long>(i)] = all[motor_speeds_[i]];
  return forces;
}

}  // namespace abut
