#include <algorithm>
#include <atomic>

#include "abut/sim/dynamics.hpp"

namespace abut {

namespace {

/// Bodies of one block: its data stay in the nearest cache from the contacts to the new poses.
constexpr int kBlock = 32;
/// Fewer bodies are not worth a thread of their own.
constexpr int kLeastPart = 32;
/// Of bodies that wait.
constexpr int kWaitingGrain = 8;
/// Bodies of one part where there are many: a thread that the system has put aside then delays nobody for long.
constexpr int kLargePart = 1000;

int choose_num_parts(int num_leaves, int num_threads) {
  if (num_threads == 1) return 1;
  const int rounds = std::max(1, num_leaves / num_threads / kLargePart);
  return std::clamp(num_leaves / kLeastPart, 1, num_threads * std::min(rounds, 4));
}

}  // namespace

bool Dynamics::is_pile() const {
  const bool all_fused = std::all_of(model_.rules.begin(), model_.rules.end(),
                                     [](const ContactRule& rule) { return rule.traits().has_fused_step; });
  return all_fused && num_v() == 6 * model_.tree.num_free_leaves() && model_.joint_loads.empty() &&
         model_.prescribed.empty() && model_.springs.empty() && model_.bushings.empty() && model_.forces.empty();
}

bool Dynamics::advance(double t, double h, State& state, const UpdatePatches& update) {
  is_current_ = false;
  if (!contacts_.has_points_of_links()) {
    contacts_.list_points_of_links();
    pile_ = make_pile_plan(model_.tree, contacts_, model_.colliders,
                           choose_num_parts(model_.tree.num_free_leaves(), threads_.num_threads()));
  }
  rates_.resize(num_q() + num_v());
  before_.resize(num_q() + num_v());
  // Made anew when patches have begun, which may have moved the vectors.
  const auto make_advance = [&] {
    return PointAdvance{t,        h, state.y.data() + friction_start(), stride_, state.works.data() + kNumGlobalWorks,
                        max_rate_};
  };
  const PointAdvance advance = make_advance();
  threads_.parallel_for(static_cast<int>(pile_.parts.size()), 1, [&](int begin, int end) {
    for (int part = begin; part < end; ++part) advance_part(pile_.parts[part], advance, state);
  });
  PointOutcome total = pile_.take_outcome(model_.tree, contacts_.candidates(), model_.colliders);
  if (!total.changed.empty()) {
    contacts_.calc_point_geometry(total.changed, motion(), state.pool);
    for (const PatchChange& change : update(total.changed)) {
      if (change.begins) contacts_.advance_point(change.point, motion(), make_advance(), state.pool, total);
    }
  }
  pile_.deepest = total.deepest;
  contact_evaluations_ += static_cast<long>(state.pool.active.size());
  if (total.is_finite && advance_waiting(h, state.y.data())) return true;
  for (const int leaf : pile_.waiting) save_leaf(leaf, state.y.data());
  std::copy(before_.begin(), before_.end(), state.y.begin());
  return false;
}

void Dynamics::advance_part(PilePlan::Part& part, const PointAdvance& advance, State& state) {
  const std::span<const FreeLeaf> leaves = model_.tree.free_leaf_data();
  const BodyMotion now = motion();
  for (int begin = part.begin; begin < part.end; begin += kBlock) {
    const int end = std::min(begin + kBlock, part.end);
    contacts_.advance_points(leaves[begin].link, leaves[end - 1].link + 1, now, advance, state.pool, pile_.waits,
                             part.outcome);
    for (int k = begin; k < end;) {
      int run_end = k;
      while (run_end < end && pile_.waits[leaves[run_end].link] == 0) ++run_end;
      if (run_end > k && !advance_leaves(k, run_end, advance.step, state.y.data())) part.outcome.is_finite = false;
      k = run_end + 1;
    }
  }
}

bool Dynamics::advance_waiting(double h, double* y) {
  std::atomic<bool> is_finite{true};
  const std::vector<int>& waiting = pile_.waiting;
  threads_.parallel_for(static_cast<int>(waiting.size()), kWaitingGrain, [&](int begin, int end) {
    for (int i = begin; i < end;) {
      int run_end = i + 1;
      while (run_end < end && waiting[run_end] == waiting[run_end - 1] + 1) ++run_end;
      if (!advance_leaves(waiting[i], waiting[run_end - 1] + 1, h, y))
        is_finite.store(false, std::memory_order_relaxed);
      i = run_end;
    }
  });
  return is_finite;
}

void Dynamics::save_leaf(int k, const double* y) {
  const FreeLeaf& leaf = model_.tree.free_leaf_data()[k];
  std::copy_n(y + leaf.q_start, 7, before_.data() + leaf.q_start);
  std::copy_n(y + num_q() + leaf.v_start, 6, before_.data() + num_q() + leaf.v_start);
}

bool Dynamics::advance_leaves(int begin, int end, double h, double* y) {
  const Tree& tree = model_.tree;
  const std::span<const FreeLeaf> leaves = tree.free_leaf_data();
  const std::size_t nq = static_cast<std::size_t>(num_q()), nv = static_cast<std::size_t>(num_v());
  const std::span<double> q(y, nq), v(y + nq, nv), q_dot(rates_.data(), nq), v_dot(rates_.data() + nq, nv);
  for (int k = begin; k < end; ++k) {
    const int link = leaves[k].link;
    wrenches_[link] = {};
    contacts_.add_loads(link, kinematics_.p_WCm[link], wrenches_[link].force, wrenches_[link].torque);
  }
  calc_free_leaf_accelerations(tree, begin, end, kinematics_, {model_.scene.gravity, wrenches_, tau_}, v_dot);
  double sum = 0.0;
  for (int k = begin; k < end; ++k) {
    save_leaf(k, y);
    for (int i = 0; i < 6; ++i) sum += v[leaves[k].v_start + i] += h * v_dot[leaves[k].v_start + i];
  }
  calc_free_leaf_q_dot(tree, begin, end, q, v, q_dot);
  for (int k = begin; k < end; ++k) {
    for (int i = 0; i < 7; ++i) sum += q[leaves[k].q_start + i] += h * q_dot[leaves[k].q_start + i];
  }
  normalize_free_leaf_quaternions(tree, begin, end, q);
  calc_free_leaf_kinematics(tree, begin, end, q, v, kinematics_);
  // Written only when it happens, which is seldom, so that the threads need not pass it around.
  if (contacts_.candidates().needs_refresh(leaves[begin].link, leaves[end - 1].link + 1, motion()))
    is_list_outdated_.store(true, std::memory_order_relaxed);
  return 0.0 * sum == 0.0;
}

}  // namespace abut
