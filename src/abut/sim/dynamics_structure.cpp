#include "abut/sim/dynamics.hpp"

namespace abut {

/// Each free body and each independent tree is a block, and so are the friction states of each place of the pool. A
/// patch couples what it touches and its own states; a spring couples its two ends.
bool Dynamics::calc_structure(RateStructure* structure) const {
  // The work of prescribed motion depends on all that moves.
  if (num_work_states() > 0) return false;
  const Tree& tree = model_.tree;
  const int first_group = tree.num_free_leaves();
  const int first_place = first_group + static_cast<int>(tree.groups().size());
  const auto block_of_link = [&](int link) {
    if (tree.is_static(link)) return -1;
    const int leaf = tree.free_leaf_index(link);
    return leaf >= 0 ? leaf : first_group + tree.link(link).group;
  };
  structure->num_blocks = first_place + num_places();
  structure->block_of_state.resize(static_cast<std::size_t>(size()));
  for (int link = 0; link < tree.num_links(); ++link) {
    const Link& l = tree.link(link);
    const int block = block_of_link(link);
    for (int i = 0; i < l.num_q; ++i) structure->block_of_state[l.q_start + i] = block;
    for (int i = 0; i < l.num_v; ++i) structure->block_of_state[num_q() + l.v_start + i] = block;
  }
  for (const JointBristle& bristle : joint_bristles_) {
    const JointLoadEntry& entry = model_.joint_loads[bristle.entry];
    for (int i = 0; i < (entry.load.tau_dwell > 0.0 ? 2 : 1); ++i)
      structure->block_of_state[joint_bristle_start() + bristle.state + i] =
          structure->block_of_state[num_q() + entry.v_index];
  }
  for (int place = 0; place < num_places(); ++place) {
    for (int i = 0; i < stride_; ++i)
      structure->block_of_state[friction_start() + stride_ * place + i] = first_place + place;
  }
  structure->couplings.clear();
  const auto couple = [structure](int a, int b) {
    if (a >= 0 && b >= 0 && a != b) structure->couplings.emplace_back(a, b);
  };
  for (const int place : state_->pool.active) {
    const PatchKey& key = state_->pool.patches[place].key;
    const int a = block_of_link(model_.colliders[key.collider_a].link);
    const int b = block_of_link(model_.colliders[key.collider_b].link);
    couple(a, b);
    couple(a, first_place + place);
    couple(b, first_place + place);
  }
  for (const LoopIsland& island : model_.loops.islands()) {
    for (const int a : island.links) {
      for (const int b : island.links) {
        if (a < b) couple(block_of_link(a), block_of_link(b));
      }
    }
  }
  for (const CompliantCoupling& gearbox : model_.gearboxes)
    couple(structure->block_of_state[gearbox.q], structure->block_of_state[gearbox.q_of]);
  for (const Bushing& bushing : model_.bushings) couple(block_of_link(bushing.link_a), block_of_link(bushing.link_b));
  for (const PointSpring& spring : model_.springs) couple(block_of_link(spring.link_a), block_of_link(spring.link_b));
  return true;
}

}  // namespace abut
