// The fused step of contacts at points: one pass over the candidates where the general path makes several. In a large
// pile the time goes into fetching what each contact needs; here it is fetched once a step, shortly before the bodies
// need it.

#include <algorithm>
#include <cmath>

#include "abut/contact/patch_response.hpp"
#include "abut/contact/region/point_region.hpp"

namespace abut {

/// Flattened: left to itself the compiler calls the law's small functions (velocity of a point, rate of the gap), which
/// costs a pile 4 % more instructions (bench/count_instructions).
template <class Friction>
[[gnu::flatten]] void PointRegion::advance_patch(int point, const PointContact& geometry, const Friction& friction,
                                                 const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                                                 PointOutcome& outcome) {
  const int place = table_.patch_at[point];
  const Candidate& candidate = table_.candidates.candidate_of_point(point);
  Patch& patch = pool.patches[place];
  double* states = advance.friction_states + static_cast<std::ptrdiff_t>(advance.stride) * place;
  if (advance.stride >= 3) {
    Eigen::Map<Vec3> z(states);
    z -= geometry.normal * geometry.normal.dot(z);
  }
  PatchResponse response;
  calc_patch_response(patch, table_.rules[patch.rule].normal, geometry, motion, spheres_[candidate.collider_a].carrier,
                      spheres_[candidate.collider_b].carrier, advance.time, friction,
                      {states, advance.max_rate, patch.effective_mass, advance.step}, response);
  patch.note_acting(advance.time, response);
  const double h = advance.step;
  double sum = response.force.sum();
  if (advance.stride >= 3) Eigen::Map<Vec3>{states} += h * response.z_rate;
  if (advance.stride >= 4) states[3] += h * response.dwell_rate;
  for (int k = 0; k < advance.stride; ++k) sum += states[k];
  double powers[kNumPatchWorks];
  response.power.write(powers);
  double* works = advance.works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * place;
  for (int k = 0; k < kNumPatchWorks; ++k) {
    works[k] += h * powers[k];
    sum += works[k];
  }
  if (!(0.0 * sum == 0.0)) outcome.is_finite = false;
  outcome.deepest = std::max(outcome.deepest, -geometry.gap);
  loads_[point] = {response.force, response.point};
  acts_[point] = 1;
}

/// Candidates begin <= c < end, all of one rule.
template <class Friction>
void PointRegion::advance_run(int begin, int end, const Friction& friction, const BodyMotion& motion,
                              const PointAdvance& advance, PatchPool& pool, std::vector<unsigned char>& waits,
                              PointOutcome& outcome) {
  PointContact geometry[kMaxPairPoints];
  for (int c = begin; c < end; ++c) {
    const Candidate& candidate = table_.candidates[c];
    if (!calc_plain_spheres(candidate, motion, geometry)) calc_geometry(c, motion, geometry);
    for (int k = 0; k < candidate.pair.num_points; ++k) {
      const int point = candidate.first_point + k;
      const bool overlaps = geometry[k].gap < 0.0;
      const bool goes_on = overlaps && table_.patch_at[point] >= 0;
      acts_[point] = goes_on;
      if (goes_on) {
        advance_patch(point, geometry[k], friction, motion, advance, pool, outcome);
      } else if (overlaps || table_.patch_at[point] >= 0) {
        outcome.changed.push_back(point);
        for (const int collider : {candidate.collider_a, candidate.collider_b}) {
          unsigned char& waits_here = waits[spheres_[collider].carrier];
          if (waits_here == 0) waits_here = 1;
        }
      }
    }
  }
}

void PointRegion::advance_points(int begin_link, int end_link, const BodyMotion& motion, const PointAdvance& advance,
                                 PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome) {
  const int end = table_.candidates.first_owned(end_link);
  for (int c = table_.candidates.first_owned(begin_link); c < end;) {
    const int rule = table_.candidates[c].rule;
    int run_end = c + 1;
    while (run_end < end && table_.candidates[run_end].rule == rule) ++run_end;
    std::visit([&](const auto& friction) { advance_run(c, run_end, friction, motion, advance, pool, waits, outcome); },
               table_.rules[rule].friction);
    c = run_end;
  }
}

void PointRegion::advance_point(int point, const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                                PointOutcome& outcome) {
  const int rule = table_.candidates.candidate_of_point(point).rule;
  std::visit(
      [&](const auto& friction) {
        advance_patch(point, table_.geometry[point], friction, motion, advance, pool, outcome);
      },
      table_.rules[rule].friction);
}

void PointRegion::list_points_of_links() {
  loads_.resize(table_.candidates.num_points());
  acts_.assign(table_.candidates.num_points(), 0);
  int num_links = 0;
  for (const Collider& collider : table_.colliders) num_links = std::max(num_links, collider.link + 1);
  link_begin_.assign(num_links + 1, 0);
  const auto links_of = [this](int point) {
    const Candidate& candidate = table_.candidates.candidate_of_point(point);
    return std::array{table_.colliders[candidate.collider_a].link, table_.colliders[candidate.collider_b].link};
  };
  for (int point = 0; point < table_.candidates.num_points(); ++point) {
    for (const int link : links_of(point)) ++link_begin_[link + 1];
  }
  for (int link = 0; link < num_links; ++link) link_begin_[link + 1] += link_begin_[link];
  points_of_link_.resize(link_begin_[num_links]);
  std::vector<int> next(link_begin_.begin(), link_begin_.end() - 1);
  for (int point = 0; point < table_.candidates.num_points(); ++point) {
    const std::array<int, 2> links = links_of(point);
    for (int side = 0; side < 2; ++side) points_of_link_[next[links[side]]++] = 2 * point + side;
  }
}

void PointRegion::add_loads(int link, const Vec3& center_of_mass, Vec3& force, Vec3& torque) const {
  if (link + 1 >= static_cast<int>(link_begin_.size())) return;
  for (int i = link_begin_[link]; i < link_begin_[link + 1]; ++i) {
    const int point = points_of_link_[i] >> 1;
    if (acts_[point] == 0) continue;
    const PointLoad& load = loads_[point];
    const Vec3 own = (points_of_link_[i] & 1) != 0 ? Vec3(-load.force) : load.force;
    force += own;
    torque += Vec3(load.point - center_of_mass).cross(own);
  }
}

}  // namespace abut
