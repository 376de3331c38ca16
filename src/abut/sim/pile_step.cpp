#include <algorithm>
#include <atomic>

#include "abut/sim/dynamics.hpp"

namespace abut {

namespace {

/// Leaves of one parallel chunk at least; and of one block, whose data stay in the nearest cache through all stages.
constexpr int kAdvanceGrain = 32;
constexpr int kBlock = 32;

}  // namespace

bool Dynamics::is_pile() const {
  const bool only_points = std::none_of(model_.rules.begin(), model_.rules.end(),
                                        [](const ContactRule& rule) { return rule.volume || rule.perimeter; });
  return only_points && num_v() == 6 * model_.tree.num_free_leaves() && model_.joint_loads.empty() &&
         model_.prescribed.empty() && model_.springs.empty() && model_.forces.empty();
}

bool Dynamics::advance(double t, double h, State& state, const UpdatePatches& update) {
  is_current_ = false;
  const auto make_advance = [&] {
    return PointAdvance{t,        h, state.y.data() + friction_start(), stride_, state.works.data() + kNumGlobalWorks,
                        max_rate_};
  };
  bool is_ok = contacts_.advance_points(motion(), make_advance(), state.pool);
  if (contacts_.find_changes(motion(), state.pool)) {
    for (const PatchChange& change : update()) {
      if (!change.begins) continue;
      // begin_patch() may have moved the vectors.
      is_ok = contacts_.advance_point(change.point, motion(), make_advance(), state.pool) && is_ok;
    }
  }
  contact_evaluations_ += static_cast<long>(state.pool.active.size());
  return is_ok && advance_leaves(h, state.y.data());
}

bool Dynamics::advance_leaves(double h, double* y) {
  const Tree& tree = model_.tree;
  rates_.resize(num_q() + num_v());
  before_.resize(num_q() + num_v());
  const std::size_t nq = static_cast<std::size_t>(num_q()), nv = static_cast<std::size_t>(num_v());
  const std::span<double> q(y, nq), v(y + nq, nv), q_dot(rates_.data(), nq), v_dot(rates_.data() + nq, nv);
  const AppliedLoads loads{model_.scene.gravity, wrenches_, tau_};
  std::atomic<bool> is_finite{true};
  threads_.parallel_for(tree.num_free_leaves(), kAdvanceGrain, [&](int chunk_begin, int chunk_end) {
    for (int begin = chunk_begin; begin < chunk_end; begin += kBlock) {
      const int end = std::min(begin + kBlock, chunk_end);
      for (int k = begin; k < end; ++k) {
        const int link = tree.free_leaf_data()[k].link;
        wrenches_[link] = {};
        contacts_.add_loads(link, kinematics_.p_WCm[link], wrenches_[link].force, wrenches_[link].torque);
      }
      calc_free_leaf_accelerations(tree, begin, end, kinematics_, loads, v_dot);
      double sum = 0.0;
      for (int k = begin; k < end; ++k) {
        const FreeLeaf& leaf = tree.free_leaf_data()[k];
        std::copy_n(y + leaf.q_start, 7, before_.data() + leaf.q_start);
        std::copy_n(y + nq + leaf.v_start, 6, before_.data() + nq + leaf.v_start);
        for (int i = 0; i < 6; ++i) sum += v[leaf.v_start + i] += h * v_dot[leaf.v_start + i];
      }
      calc_free_leaf_q_dot(tree, begin, end, q, v, q_dot);
      for (int k = begin; k < end; ++k) {
        const FreeLeaf& leaf = tree.free_leaf_data()[k];
        for (int i = 0; i < 7; ++i) sum += q[leaf.q_start + i] += h * q_dot[leaf.q_start + i];
      }
      normalize_free_leaf_quaternions(tree, begin, end, q);
      calc_free_leaf_kinematics(tree, begin, end, q, v, kinematics_);
      if (!(0.0 * sum == 0.0)) is_finite.store(false, std::memory_order_relaxed);
    }
  });
  if (is_finite) return true;
  std::copy(before_.begin(), before_.end(), y);
  return false;
}

}  // namespace abut
