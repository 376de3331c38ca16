#include "abut/sim/step_works.hpp"

#include "abut/multibody/spatial.hpp"

namespace abut {

namespace {

/// Kinetic energy of mechanisms and of the turning of free bodies, whose spins stand in v.
double calc_turning_energy(const Tree& tree, const Kinematics& poses, const Kinematics& articulated,
                           std::span<const double> v) {
  double energy = 0.0;
  for (const FreeLeaf& leaf : tree.free_leaf_data()) {
    const Vec3 w = poses.X_WB[leaf.link].R.transpose() * Eigen::Map<const Vec3>(v.data() + leaf.v_start + 3);
    energy += 0.5 * w.dot(leaf.inertia * w);
  }
  for (const int link : tree.articulated_links()) {
    Vec6 velocity;
    velocity << articulated.v_WCm[link], articulated.w_WB[link];
    energy += 0.5 * velocity.dot(spatial::calc_rigid_inertia(tree.link(link), link, articulated) * velocity);
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
  const std::span<const double> v = std::span<const double>(state.y).subspan(dynamics.num_q(), dynamics.num_v());
  const Kinematics& now = dynamics.kinematics();
  stepping_loss(state) += *turning_ - calc_turning_energy(dynamics.model().tree, now, now, v);
  turning_.reset();
}

void StepWorks::book(const Dynamics& dynamics, State& state, const FreeMotion& free, const JointRows& joints,
                     std::span<const double> v_end, double h) {
  const Model& model = dynamics.model();
  const bool has_loads = !model.springs.empty() || !model.bushings.empty() || dynamics.has_applied_forces();
  const std::span<const double> q = std::span<const double>(state.y).first(dynamics.num_q());
  end_.resize(model.tree);
  if (has_loads) {
    calc_kinematics(model.tree, q, v_end, end_);
    dynamics.add_load_works(state.time, h, end_, state.works.data());
  } else if (!model.tree.articulated_links().empty()) {
    calc_articulated_kinematics(model.tree, q, v_end, end_);
  }
  const std::span<const double> v_start = std::span<const double>(state.y).subspan(q.size(), v_end.size());
  stepping_loss(state) -= calc_gravity_work(dynamics, v_end, h) + free.calc_turning_work(dynamics, v_end);
  stepping_loss(state) -= free.loop_work();
  joints.book(v_start, v_end, state.works.data());
  if (dynamics.num_work_states() > 0) state.y[dynamics.num_q() + dynamics.num_v()] += free.prescribed_work();
  turning_ = calc_turning_energy(model.tree, dynamics.kinematics(), end_, v_end);
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
