#include "abut/sim/free_motion.hpp"

#include <cmath>

#include "abut/multibody/turning.hpp"

namespace abut {

void FreeMotion::calc(Dynamics& dynamics, double t, const double* y, std::span<const double> tau, double h,
                      bool is_explicit) {
  const int num_q = dynamics.num_q(), num_v = dynamics.num_v();
  h_ = h;
  rates_.resize(dynamics.size());
  dynamics.calc_rates(t, y, rates_.data(), nullptr);
  v_start_.assign(y + num_q, y + num_q + num_v);
  v_free_.resize(num_v);
  for (int i = 0; i < num_v; ++i) v_free_[i] = v_start_[i] + h * rates_[num_q + i];
  turn_bodies(dynamics, is_explicit);
  prescribed_work_ = loop_work_ = 0.0;
  prescribed_force_.assign(num_v, 0.0);
  // Each time the error falls by about h times the fastest turning; where it does not, the step is far too long.
  constexpr int kMost = 12;
  if (!dynamics.model().tree.articulated_links().empty()) move_mechanisms(dynamics, t, y, tau, is_explicit ? 1 : kMost);
}

void FreeMotion::turn_bodies(const Dynamics& dynamics, bool is_explicit) {
  const std::span<const FreeLeaf> leaves = dynamics.model().tree.free_leaf_data();
  gyroscopic_.assign(leaves.size(), Vec3::Zero());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const FreeLeaf& leaf = leaves[i];
    if (leaf.isotropic) continue;
    const Mat3& R = dynamics.kinematics().X_WB[leaf.link].R;
    const Vec3 w = R.transpose() * Eigen::Map<const Vec3>(v_start_.data() + leaf.v_start + 3);
    const Vec3 acceleration =
        R.transpose() * Eigen::Map<const Vec3>(rates_.data() + dynamics.num_q() + leaf.v_start + 3);
    const Vec3 torque = leaf.inertia * acceleration - Vec3(leaf.inertia * w).cross(w);
    const Vec3 end = is_explicit ? Vec3(w + h_ * acceleration) : calc_turned_spin(leaf.inertia, w, torque, h_);
    Eigen::Map<Vec3>{v_free_.data() + leaf.v_start + 3} = R * end;
    gyroscopic_[i] = R * (leaf.inertia * (end - w) - h_ * torque);
  }
}

void FreeMotion::move_mechanisms(Dynamics& dynamics, double t, const double* y, std::span<const double> tau, int most) {
  const Model& model = dynamics.model();
  const std::span<const double> q(y, dynamics.num_q());
  prescribed_acceleration_.assign(dynamics.num_v(), 0.0);
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    const int i = model.prescribed[k].v_index;
    const double rate = dynamics.prescribed_motion(k, t + h_).rate;
    prescribed_acceleration_[i] = (rate - v_start_[i]) / h_;
  }
  const AppliedLoads loads{model.scene.gravity, dynamics.wrenches(), tau};
  at_mean_.resize(model.tree);
  at_end_.resize(model.tree);
  mean_ = v_start_;
  vdot_.resize(dynamics.num_v());
  constexpr double kSettled = 1e-12;  // of the largest speed
  double last = HUGE_VAL;
  LoopSolver* loops = dynamics.loops();
  loop_speeds_.clear();
  if (loops != nullptr) {
    calc_articulated_kinematics(model.tree, q, v_start_, at_mean_);
    loops->look(at_mean_, q, v_start_);
    for (std::size_t i = 0; i < model.loops.islands().size(); ++i) loop_speeds_.push_back(loops->values(i).speed);
  }
  for (int k = 0; k < most; ++k) {
    calc_articulated_kinematics(model.tree, q, mean_, at_mean_);
    calc_articulated_accelerations(model.tree, at_mean_, loads, prescribed_acceleration_, workspace_, vdot_,
                                   prescribed_force_);
    if (loops != nullptr) {
      loops->look(at_mean_, q, mean_);
      loops->factor(at_mean_, workspace_.bodies);
      loops->add_accelerations(at_mean_, workspace_.bodies, vdot_, prescribed_force_, h_, &loop_speeds_);
    }
    double change = 0.0, largest = 0.0;
    for (const int index : model.tree.articulated_links()) {
      const Link& link = model.tree.link(index);
      for (int i = link.v_start; i < link.v_start + link.num_v; ++i) {
        v_free_[i] = v_start_[i] + h_ * vdot_[i];
        const double mean = 0.5 * (v_start_[i] + v_free_[i]);
        change = std::max(change, std::abs(mean - mean_[i]));
        largest = std::max(largest, std::abs(mean));
      }
    }
    if (change <= kSettled * largest || !(change < last) || k + 1 == most) break;
    last = change;
    for (std::size_t i = 0; i < mean_.size(); ++i) mean_[i] = 0.5 * (v_start_[i] + v_free_[i]);
  }
  if (loops != nullptr) {
    calc_articulated_kinematics(model.tree, q, v_free_, at_end_);
    const LoopSet& set = model.loops;
    std::vector<LoopGeometry> geometry;
    LoopSet::Values end;
    for (std::size_t i = 0; i < set.islands().size(); ++i) {
      set.calc_values(model.tree, set.islands()[i], at_end_, q, v_free_, geometry, end);
      loop_work_ += 0.5 * h_ * loops->multipliers(i).dot(loop_speeds_[i] + end.speed);
    }
  }
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    const int i = model.prescribed[k].v_index;
    v_free_[i] = dynamics.prescribed_motion(k, t + h_).rate;
    prescribed_work_ += h_ * prescribed_force_[i] * 0.5 * (v_start_[i] + v_free_[i]);
  }
}

double FreeMotion::calc_turning_work(const Dynamics& dynamics, std::span<const double> v_end) const {
  const Tree& tree = dynamics.model().tree;
  double work = 0.0;  // twice
  for (std::size_t i = 0; i < gyroscopic_.size(); ++i) {
    const int at = tree.free_leaf_data()[i].v_start + 3;
    work +=
        gyroscopic_[i].dot(Eigen::Map<const Vec3>(v_start_.data() + at) + Eigen::Map<const Vec3>(v_end.data() + at));
  }
  if (tree.articulated_links().empty()) return 0.5 * work;
  const std::vector<double> rest(v_end.size(), 0.0);
  const VecX bias = calc_inverse_dynamics(tree, at_mean_, {}, rest);
  for (const int index : tree.articulated_links()) {
    const Link& link = tree.link(index);
    for (int i = link.v_start; i < link.v_start + link.num_v; ++i) work -= h_ * bias[i] * (v_start_[i] + v_end[i]);
  }
  return 0.5 * work;
}

}  // namespace abut
