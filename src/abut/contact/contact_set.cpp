#include "abut/contact/contact_set.hpp"

#include <algorithm>

#include "abut/base/error.hpp"

namespace abut {

namespace {

/// Below these counts a parallel section costs more than it saves.
constexpr int kCandidateGrain = 256;
constexpr int kPatchGrain = 64;

}  // namespace

ContactSet::ContactSet(const std::vector<Collider>& colliders, const std::vector<ContactRule>& rules,
                       FindRule find_rule, ThreadPool* pool)
    : table_{colliders, rules, CandidateList(colliders, rules, std::move(find_rule)), {}, {}, {}, 0.0},
      regions_(table_),
      threads_(pool) {}

bool ContactSet::refresh_candidates(const BodyMotion& motion, PatchPool& pool) {
  if (!table_.candidates.refresh(motion)) return false;
  take_candidates(pool);
  return true;
}

bool ContactSet::cover_sweep(bool must, PatchPool& pool) {
  if (!table_.candidates.cover_sweep(must)) return false;
  take_candidates(pool);
  return true;
}

/// Brings everything that is kept for each candidate in line with a new list.
void ContactSet::take_candidates(PatchPool& pool) {
  make_room();
  regions_.for_each([](auto& region) { region.take_candidates(); });
  match_patches(pool);
}

/// For what is found anew at each look.
void ContactSet::make_room() {
  table_.geometry.resize(table_.candidates.num_points());
  overlaps_.assign(table_.candidates.num_points(), 0);
  regions_.for_each([](auto& region) { region.make_room(); });
}

void ContactSet::remember(ContactMemory& memory) const {
  regions_.for_each([&](const auto& region) { region.remember(memory); });
}

void ContactSet::recall(const ContactMemory& memory) {
  regions_.for_each([&](auto& region) { region.recall(memory); });
}

bool ContactSet::holds_forces() const {
  return std::any_of(kRegions.begin(), kRegions.end(), [&](const RegionTraits& region) {
    return region.is_held_over_steps && table_.candidates.num_sites(region.kind) > 0;
  });
}

void ContactSet::match_patches(PatchPool& pool) {
  std::vector<std::pair<PatchKey, int>> places;
  for (const int place : pool.active) places.emplace_back(pool.patches[place].key, place);
  std::sort(places.begin(), places.end());
  table_.patch_at.assign(table_.candidates.num_points(), -1);
  std::size_t matched = 0;
  for (int c = 0; c < table_.candidates.size(); ++c) {
    const Candidate& candidate = table_.candidates[c];
    for (int k = 0; k < candidate.pair.num_points; ++k) {
      const PatchKey key{candidate.collider_a, candidate.collider_b, k};
      const auto found = std::lower_bound(places.begin(), places.end(), std::pair(key, -1));
      if (found == places.end() || found->first != key) continue;
      table_.patch_at[candidate.first_point + k] = found->second;
      ++matched;
    }
  }
  // Patches that have come apart were ended before the list was made anew; the others overlap, and so do their boxes.
  ABUT_REQUIRE(matched == places.size(), "{} of {} patches are not among the candidates", places.size() - matched,
               places.size());
  list_active(pool);
}

void ContactSet::list_active(PatchPool& pool) {
  pool.active.clear();
  table_.active_points.clear();
  active_candidates_.clear();
  for (int point = 0; point < num_points(); ++point) {
    if (table_.patch_at[point] < 0) continue;
    pool.active.push_back(table_.patch_at[point]);
    table_.active_points.push_back(point);
    const int candidate = table_.candidates.candidate_index_of_point(point);
    if (active_candidates_.empty() || active_candidates_.back() != candidate) active_candidates_.push_back(candidate);
  }
}

void ContactSet::relist_active(int point, PatchPool& pool) {
  const auto found = std::lower_bound(table_.active_points.begin(), table_.active_points.end(), point);
  const auto at = found - table_.active_points.begin();
  const bool is_listed = found != table_.active_points.end() && *found == point;
  const bool is_active = table_.patch_at[point] >= 0;
  if (is_active && !is_listed) {
    table_.active_points.insert(found, point);
    pool.active.insert(pool.active.begin() + at, table_.patch_at[point]);
  } else if (is_active) {
    pool.active[at] = table_.patch_at[point];
  } else if (is_listed) {
    table_.active_points.erase(found);
    pool.active.erase(pool.active.begin() + at);
  }
  const int index = table_.candidates.candidate_index_of_point(point);
  const Candidate& candidate = table_.candidates[index];
  const auto first = table_.patch_at.begin() + candidate.first_point;
  const bool is_candidate_active =
      std::any_of(first, first + candidate.pair.num_points, [](int place) { return place >= 0; });
  const auto place = std::lower_bound(active_candidates_.begin(), active_candidates_.end(), index);
  const bool is_candidate_listed = place != active_candidates_.end() && *place == index;
  if (is_candidate_active && !is_candidate_listed) active_candidates_.insert(place, index);
  if (!is_candidate_active && is_candidate_listed) active_candidates_.erase(place);
}

template <class CandidateAt, class Use>
void ContactSet::for_runs(int begin, int end, const CandidateAt& candidate_at, const Use& use) {
  const CandidateList& candidates = table_.candidates;
  while (begin < end) {
    const RegionKind kind = candidates[candidate_at(begin)].region;
    with_region(kind, [&](auto& region) {
      do {
        use(region, candidate_at(begin));
        ++begin;
      } while (begin < end && candidates[candidate_at(begin)].region == kind);
    });
  }
}

void ContactSet::calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps) {
  const auto itself = [](int candidate) { return candidate; };
  threads_->parallel_for(table_.candidates.size(), kCandidateGrain, [&](int begin, int end) {
    for_runs(begin, end, itself, [&](auto& region, int c) {
      region.detect(c, motion, pool, gaps);
      const Candidate& candidate = table_.candidates[c];
      const int end_point = candidate.first_point + candidate.pair.num_points;
      for (int point = candidate.first_point; point < end_point; ++point) {
        overlaps_[point] = table_.geometry[point].gap < 0.0;
      }
    });
  });
}

void ContactSet::calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps,
                               std::span<const char> is_point_wanted) {
  const auto itself = [](int candidate) { return candidate; };
  threads_->parallel_for(table_.candidates.size(), kCandidateGrain, [&](int begin, int end) {
    for_runs(begin, end, itself, [&](auto& region, int c) {
      const Candidate& candidate = table_.candidates[c];
      const auto points = is_point_wanted.subspan(candidate.first_point, candidate.pair.num_points);
      if (std::any_of(points.begin(), points.end(), [](char is_wanted) { return is_wanted != 0; }))
        region.detect(c, motion, pool, gaps);
    });
  });
}

void ContactSet::calc_active_geometry(const BodyMotion& motion, const PatchPool& pool) {
  const auto active = [this](int i) { return active_candidates_[i]; };
  threads_->parallel_for(static_cast<int>(active_candidates_.size()), kPatchGrain, [&](int begin, int end) {
    for_runs(begin, end, active, [&](auto& region, int c) {
      // Held forces keep the curve they belong to over the step.
      if constexpr (!region_traits(std::remove_cvref_t<decltype(region)>::kKind).is_held_over_steps)
        region.detect(c, motion, pool, Gaps::exact);
    });
  });
}

void ContactSet::complete_geometry(int point, const BodyMotion& motion, const PatchPool& pool) {
  const int candidate = table_.candidates.candidate_index_of_point(point);
  with_region_of(point, [&](auto& region) { region.detect(candidate, motion, pool, Gaps::exact); });
}

void ContactSet::begin_step(const BodyMotion& motion, double time, const double* works, PatchPool& pool) {
  regions_.for_each([&](auto& region) { region.begin_step(motion, time, works, pool); });
}

void ContactSet::note_step(const BodyMotion& motion, const double* works, PatchPool& pool) const {
  regions_.for_each([&](const auto& region) { region.note_step(motion, works, pool); });
}

int ContactSet::find_active_point(int place, const PatchPool& pool) const {
  const auto at = std::find(pool.active.begin(), pool.active.end(), place);
  return at == pool.active.end() ? -1 : table_.active_points[at - pool.active.begin()];
}

bool ContactSet::has_turning_normals(const PatchPool& pool) const {
  const auto is_fixed_plane = [this](int index) {
    const Collider& collider = table_.colliders[index];
    return collider.is_static && std::holds_alternative<HalfSpace>(collider.shape);
  };
  return std::any_of(pool.active.begin(), pool.active.end(), [&](int place) {
    const Patch& patch = pool.patches[place];
    return patch.traits().turns_on_planes ||
           (!is_fixed_plane(patch.key.collider_a) && !is_fixed_plane(patch.key.collider_b));
  });
}

void ContactSet::calc_responses(const ResponseInput& input, bool geometry_is_current,
                                std::vector<PatchResponse>& responses, const Consume& consume) {
  const PatchPool& pool = input.pool;
  if (!geometry_is_current) calc_active_geometry(input.motion, pool);
  responses.resize(pool.active.size());
  threads_->parallel_for(static_cast<int>(pool.active.size()), kPatchGrain, [&](int begin, int end) {
    while (begin < end) {
      begin = with_region(pool.patches[pool.active[begin]].region,
                          [&](const auto& region) { return region.respond(input, begin, end, responses, consume); });
    }
  });
}

PatchResponse ContactSet::calc_response(int index, const ResponseInput& input, std::vector<PatchResponse>& scratch) {
  complete_geometry(table_.active_points[index], input.motion, input.pool);
  scratch.resize(input.pool.active.size());
  with_region(input.pool.patches[input.pool.active[index]].region,
              [&](const auto& region) { return region.respond(input, index, index + 1, scratch, {}); });
  return scratch[index];
}

}  // namespace abut
