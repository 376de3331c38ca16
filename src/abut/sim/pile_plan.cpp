#include "abut/sim/pile_plan.hpp"

#include <algorithm>

namespace abut {

namespace {

/// What a body, a pair that is looked at, and a contact cost, in parts of one another (bench/pile_bench).
constexpr int kBodyWork = 4, kCandidateWork = 1, kContactWork = 5;

/// Work up to each free leaf, and up to the end.
std::vector<int> sum_work(const Tree& tree, const ContactSet& contacts) {
  const CandidateList& candidates = contacts.candidates();
  std::vector<int> sums{0};
  for (const FreeLeaf& leaf : tree.free_leaf_data()) {
    int work = kBodyWork;
    for (int c = candidates.first_owned(leaf.link); c < candidates.first_owned(leaf.link + 1); ++c) {
      work += kCandidateWork;
      for (int k = 0; k < candidates[c].pair.num_points; ++k)
        work += contacts.has_patch(candidates[c].first_point + k) ? kContactWork : 0;
    }
    sums.push_back(sums.back() + work);
  }
  return sums;
}

}  // namespace

PilePlan make_pile_plan(const Tree& tree, const ContactSet& contacts, const std::vector<Collider>& colliders,
                        int num_parts) {
  const std::span<const FreeLeaf> leaves = tree.free_leaf_data();
  const CandidateList& candidates = contacts.candidates();
  const std::vector<int> work = sum_work(tree, contacts);
  PilePlan plan;
  plan.parts.resize(num_parts);
  std::vector<int> part_of_link(tree.num_links(), -1);
  for (int p = 0; p < num_parts; ++p) {
    const auto bound = [&](int part) {
      const double goal = static_cast<double>(work.back()) * part / num_parts;
      return static_cast<int>(std::lower_bound(work.begin(), work.end(), goal) - work.begin());
    };
    plan.parts[p].begin = bound(p);
    plan.parts[p].end = bound(p + 1);
    for (int k = plan.parts[p].begin; k < plan.parts[p].end; ++k) part_of_link[leaves[k].link] = p;
  }
  // Links that cannot move never step; to mark them would only make the threads meet.
  plan.waits.assign(tree.num_links(), PilePlan::kBorder);
  for (const FreeLeaf& leaf : leaves) plan.waits[leaf.link] = 0;
  for (int c = 0; c < candidates.size(); ++c) {
    const int a = colliders[candidates[c].collider_a].link, b = colliders[candidates[c].collider_b].link;
    if (part_of_link[a] >= 0 && part_of_link[b] >= 0 && part_of_link[a] != part_of_link[b])
      plan.waits[std::max(a, b)] = PilePlan::kBorder;
  }
  for (int k = 0; k < tree.num_free_leaves(); ++k) {
    if (plan.waits[leaves[k].link] != 0) plan.border.push_back(k);
  }
  return plan;
}

PointOutcome PilePlan::take_outcome(const Tree& tree, const CandidateList& candidates,
                                    const std::vector<Collider>& colliders) {
  PointOutcome total;
  for (Part& part : parts) {
    total.is_finite = total.is_finite && part.outcome.is_finite;
    total.deepest = std::max(total.deepest, part.outcome.deepest);
    total.changed.insert(total.changed.end(), part.outcome.changed.begin(), part.outcome.changed.end());
    part.outcome.is_finite = true;
    part.outcome.deepest = 0.0;
    part.outcome.changed.clear();
  }
  waiting = border;
  for (const int point : total.changed) {
    const Candidate& candidate = candidates.candidate_of_point(point);
    for (const int collider : {candidate.collider_a, candidate.collider_b}) {
      const int link = colliders[collider].link;
      if (waits[link] == 0 || waits[link] == kBorder) continue;
      waits[link] = 0;
      waiting.push_back(tree.free_leaf_index(link));
    }
  }
  std::sort(waiting.begin(), waiting.end());
  return total;
}

}  // namespace abut
