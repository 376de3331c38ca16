#include "abut/sim/ncp_mechanism.hpp"

#include <algorithm>

#include "abut/multibody/configuration.hpp"

namespace abut {

NcpMechanism::NcpMechanism(const Dynamics& dynamics, const State& state)
    : dynamics_(dynamics), state_(state), tree_(dynamics.model().tree), parts_(tree_) {}

void NcpMechanism::begin(const FreeMotion& free, JointRows& joints, double h) {
  mechanism_ = {};
  load_rows_.clear();
  if (tree_.articulated_links().empty()) return;
  v_free_ = free.speeds();
  system_.clear();
  parts_.begin(dynamics_.kinematics(), v_free_, system_);
  links_.clear();
  for (const int link : tree_.articulated_links()) {
    if (!tree_.is_immovable(link)) parts_.part_of(link);
  }
  const int n = system_.num_velocities();
  mechanism_.mass = MatX::Zero(n, n);
  mechanism_.free_speeds = VecX::Zero(n);
  const VecX momentum = Eigen::Map<const VecX>(system_.momentum().data(), n);
  for (int p = 0; p < system_.num_parts(); ++p) {
    const int at = system_.part_start(p), size = system_.part_size(p);
    const Eigen::Map<const MatX> mass(system_.mass(p), size, size);
    mechanism_.mass.block(at, at, size, size) = mass;
    mechanism_.free_speeds.segment(at, size) = mass.ldlt().solve(momentum.segment(at, size));
  }
  for (std::size_t k = 0; k < joints.rows().size(); ++k) {
    const JointRow& row = joints.rows()[k];
    if (row.row < 0) continue;
    mechanism_.loads.push_back({parts_.calc_speed_index(row.v_index), row.impulse, row.weight, row.lower, row.upper});
    load_rows_.push_back(k);
  }
  mechanism_.move = [this, h](const VecX& speeds, std::vector<LayerBody>& bodies) { move_links(speeds, h, bodies); };
}

void NcpMechanism::add_link(int link, LayerBody& body) {
  // A frame weighs nothing; what is moved through it is judged by the link that carries it.
  int weighty = link;
  while (!(tree_.link(weighty).mass.mass > 0.0) && tree_.link(weighty).parent != kWorld) {
    weighty = tree_.link(weighty).parent;
  }
  body.mass = tree_.link(weighty).mass.mass;
  body.link = static_cast<int>(links_.size());
  links_.push_back(link);
  const int part = parts_.part_of(link);
  Mat6X jacobian = Mat6X::Zero(6, system_.num_velocities());
  jacobian.middleCols(system_.part_start(part), system_.part_size(part)) = parts_.calc_center_jacobian(link);
  mechanism_.jacobians.push_back(std::move(jacobian));
}

void NcpMechanism::write_loads(const LayerStepResult& result, JointRows& joints) const {
  for (std::size_t k = 0; k < load_rows_.size(); ++k) joints.rows()[load_rows_[k]].x = result.loads[k];
}

void NcpMechanism::write_speeds(const LayerStepResult& result, std::span<double> v) const {
  if (result.speeds.size() == 0) return;
  parts_.write_velocities({result.speeds.data(), static_cast<std::size_t>(result.speeds.size())}, v);
}

void NcpMechanism::write_coordinates(const LayerStepResult& result, double h, std::span<double> q) {
  if (result.speeds.size() == 0) return;
  calc_end(result.speeds, h);
  std::copy(q_end_.begin(), q_end_.end(), q.begin());
}

/// Coordinates at the end of a step with these speeds of the mechanism; of other bodies they mean nothing.
void NcpMechanism::calc_end(const VecX& speeds, double h) {
  v_end_ = v_free_;
  parts_.write_velocities({speeds.data(), static_cast<std::size_t>(speeds.size())}, v_end_);
  const std::span<const double> q = std::span<const double>(state_.y).first(dynamics_.num_q());
  q_end_.assign(q.begin(), q.end());
  move_coordinates(tree_, v_end_, h, q_end_);
}

void NcpMechanism::move_links(const VecX& speeds, double h, std::vector<LayerBody>& bodies) {
  calc_end(speeds, h);
  end_.resize(tree_);
  calc_articulated_kinematics(tree_, q_end_, v_end_, end_);
  for (const int link : links_) {
    bodies[link].R = end_.X_WB[link].R;
    bodies[link].p = end_.p_WCm[link];
    bodies[link].v = end_.v_WCm[link];
    bodies[link].w = end_.w_WB[link];
  }
}

}  // namespace abut
