#include "abut/sim/step_works.hpp"

namespace abut {

namespace {

double& stepping_loss(State& state) { return state.works[static_cast<int>(GlobalWork::time_stepping)]; }

}  // namespace

void StepWorks::book_stored_change(const Dynamics& dynamics, State& state) {
  const double stored = dynamics.calc_stored_energy();
  if (stored_) stepping_loss(state) -= stored - *stored_;
  stored_ = stored;
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
