#include "abut/sim/step_works.hpp"

#include "abut/multibody/inverse_dynamics.hpp"
#include "abut/multibody/spatial.hpp"

namespace abut {

namespace {

/// I(q) w of a free body, world axes.
Vec3 calc_spin_momentum(const FreeLeaf& leaf, const Mat3& R, const Vec3& w) {
  return R * (leaf.inertia * (R.transpose() * w));
}

double calc_articulated_energy(const Tree& tree, const Kinematics& kinematics) {
  double energy = 0.0;
  for (const int link : tree.articulated_links()) {
    Vec6 velocity;
    velocity << kinematics.v_WCm[link], kinematics.w_WB[link];
    energy += 0.5 * velocity.dot(spatial::calc_rigid_inertia(tree.link(link), link, kinematics) * velocity);
  }
  return energy;
}

double& stepping_loss(State& state) { return state.works[static_cast<int>(GlobalWork::time_stepping)]; }

}  // namespace

void StepWorks::book_stored_change(const Dynamics& dynamics, State& state) {
  const double stored = dynamics.calc_stored_energy();
  if (stored_) stepping_loss(state) -= stored - *stored_;
  stored_ = stored;
  if (!turning_) return;
  const double now = calc_spin_term(dynamics);
  stepping_loss(state) += rule_ == TurningRule::velocities ? *turning_ - now : 0.5 * (now - *turning_);
  stepping_loss(state) += carried_ - calc_articulated_energy(dynamics.model().tree, dynamics.kinematics());
  turning_.reset();
}

/// At the new pose and speeds, of free bodies: w+ . I(q+) w+ / 2, or w . I(q+) w+.
double StepWorks::calc_spin_term(const Dynamics& dynamics) const {
  const Tree& tree = dynamics.model().tree;
  const Kinematics& now = dynamics.kinematics();
  double sum = 0.0;
  for (std::size_t i = 0; i < tree.free_leaf_data().size(); ++i) {
    const FreeLeaf& leaf = tree.free_leaf_data()[i];
    const Vec3& w = now.w_WB[leaf.link];
    const Vec3 momentum = calc_spin_momentum(leaf, now.X_WB[leaf.link].R, w);
    sum += rule_ == TurningRule::velocities ? 0.5 * w.dot(momentum) : spins_[i].dot(momentum);
  }
  return sum;
}

/// At the old pose, for what is found at the new one.
void StepWorks::keep_turning(const Dynamics& dynamics, std::span<const double> v_end) {
  const Tree& tree = dynamics.model().tree;
  const Kinematics& now = dynamics.kinematics();
  turning_ = 0.0;
  carried_ = calc_articulated_energy(tree, end_);
  spins_.resize(tree.free_leaf_data().size());
  for (std::size_t i = 0; i < spins_.size(); ++i) {
    const FreeLeaf& leaf = tree.free_leaf_data()[i];
    const Mat3& R = now.X_WB[leaf.link].R;
    const Vec3 w_end = Eigen::Map<const Vec3>(v_end.data() + leaf.v_start + 3);
    spins_[i] = now.w_WB[leaf.link];
    *turning_ += rule_ == TurningRule::velocities ? 0.5 * w_end.dot(calc_spin_momentum(leaf, R, w_end))
                                                  : w_end.dot(calc_spin_momentum(leaf, R, spins_[i]));
  }
}

/// Of gyroscopic and centrifugal forces, as they are at the start, at the mean of the velocities.
double StepWorks::calc_bias_work(const Dynamics& dynamics, std::span<const double> v_start,
                                 std::span<const double> v_end, double h) const {
  const Tree& tree = dynamics.model().tree;
  const Kinematics& now = dynamics.kinematics();
  double power = 0.0;  // twice the mean
  for (const FreeLeaf& leaf : tree.free_leaf_data()) {
    if (rule_ == TurningRule::momenta) break;
    const Vec3& w = now.w_WB[leaf.link];
    const Vec3 torque = calc_spin_momentum(leaf, now.X_WB[leaf.link].R, w).cross(w);
    power += torque.dot(Eigen::Map<const Vec3>(v_end.data() + leaf.v_start + 3));
  }
  if (tree.articulated_links().empty()) return 0.5 * h * power;
  const std::vector<double> rest(v_end.size(), 0.0);
  const VecX bias = calc_inverse_dynamics(tree, now, {}, rest);
  for (const int index : tree.articulated_links()) {
    const Link& link = tree.link(index);
    for (int k = link.v_start; k < link.v_start + link.num_v; ++k) power -= bias[k] * (v_start[k] + v_end[k]);
  }
  return 0.5 * h * power;
}

void StepWorks::book(const Dynamics& dynamics, State& state, std::span<const double> v_end, double h) {
  const Model& model = dynamics.model();
  const bool has_loads = !model.springs.empty() || !model.forces.empty() || !model.joint_loads.empty();
  const std::span<const double> q = std::span<const double>(state.y).first(dynamics.num_q());
  end_.resize(model.tree);
  if (has_loads) {
    calc_kinematics(model.tree, q, v_end, end_);
    dynamics.add_load_works(state.time, h, v_end, end_, state.works.data());
  } else if (!model.tree.articulated_links().empty()) {
    calc_articulated_kinematics(model.tree, q, v_end, end_);
  }
  stepping_loss(state) -= calc_gravity_work(dynamics, v_end, h);
  const std::span<const double> v_start = std::span<const double>(state.y).subspan(q.size(), v_end.size());
  stepping_loss(state) -= calc_bias_work(dynamics, v_start, v_end, h);
  keep_turning(dynamics, v_end);
}

double StepWorks::calc_gravity_work(const Dynamics& dynamics, std::span<const double> v_end, double h) const {
  const Tree& tree = dynamics.model().tree;
  const Kinematics& now = dynamics.kinematics();
  Vec3 momentum = Vec3::Zero();  // twice the mean over the step
  for (const FreeLeaf& leaf : tree.free_leaf_data()) {
    momentum += leaf.mass * (now.v_WCm[leaf.link] + Eigen::Map<const Vec3>(v_end.data() + leaf.v_start));
  }
  for (const int link : tree.articulated_links()) {
    if (!tree.is_static(link)) momentum += tree.link(link).mass.mass * (now.v_WCm[link] + end_.v_WCm[link]);
  }
  return 0.5 * h * dynamics.model().scene.gravity.dot(momentum);
}

}  // namespace abut
