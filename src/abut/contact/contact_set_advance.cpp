// The fused step of ContactSet: one pass over the candidates where the general path makes several. In a large pile the
// time goes into fetching what each contact needs; here it is fetched once a step, shortly before the bodies need it.

#include <algorithm>
#include <cmath>

#include "abut/contact/contact_set.hpp"
#include "abut/contact/patch_response.hpp"

namespace abut {

template <class Friction>
void ContactSet::advance_patch(int point, const PointContact& geometry, const Friction& friction,
                               const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                               PointOutcome& outcome) {
  const int place = patch_at_[point];
  const Candidate& candidate = candidates_.candidate_of_point(point);
  Patch& patch = pool.patches[place];
  double* states = advance.friction_states + static_cast<std::ptrdiff_t>(advance.stride) * place;
  if (advance.stride >= 3) {
    Eigen::Map<Vec3> z(states);
    z -= geometry.normal * geometry.normal.dot(z);
  }
  PatchResponse response;
  calc_patch_response(patch, rules_[patch.rule].normal, geometry, motion, spheres_[candidate.collider_a].carrier,
                      spheres_[candidate.collider_b].carrier, advance.time, friction,
                      {states, advance.max_rate, patch.effective_mass}, response);
  patch.note_peak(advance.time, response);
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
void ContactSet::advance_run(int begin, int end, const Friction& friction, const BodyMotion& motion,
                             const PointAdvance& advance, PatchPool& pool, std::vector<unsigned char>& waits,
                             PointOutcome& outcome) {
  PointContact geometry[kMaxPairPoints];
  for (int c = begin; c < end; ++c) {
    const Candidate& candidate = candidates_[c];
    if (!calc_plain_spheres(candidate, motion, geometry)) calc_point_geometry(c, motion, geometry);
    for (int k = 0; k < candidate.pair.num_points; ++k) {
      const int point = candidate.first_point + k;
      const bool overlaps = geometry[k].gap < 0.0;
      const bool goes_on = overlaps && patch_at_[point] >= 0;
      acts_[point] = goes_on;
      if (goes_on) {
        advance_patch(point, geometry[k], friction, motion, advance, pool, outcome);
      } else if (overlaps || patch_at_[point] >= 0) {
        outcome.changed.push_back(point);
        for (const int collider : {candidate.collider_a, candidate.collider_b}) {
          unsigned char& waits_here = waits[spheres_[collider].carrier];
          if (waits_here == 0) waits_here = 1;
        }
      }
    }
  }
}

void ContactSet::advance_points(int begin_link, int end_link, const BodyMotion& motion, const PointAdvance& advance,
                                PatchPool& pool, std::vector<unsigned char>& waits, PointOutcome& outcome) {
  const int end = candidates_.first_owned(end_link);
  for (int c = candidates_.first_owned(begin_link); c < end;) {
    const int rule = candidates_[c].rule;
    int run_end = c + 1;
    while (run_end < end && candidates_[run_end].rule == rule) ++run_end;
    std::visit([&](const auto& friction) { advance_run(c, run_end, friction, motion, advance, pool, waits, outcome); },
               rules_[rule].friction);
    c = run_end;
  }
}

void ContactSet::advance_point(int point, const BodyMotion& motion, const PointAdvance& advance, PatchPool& pool,
                               PointOutcome& outcome) {
  const int rule = candidates_.candidate_of_point(point).rule;
  std::visit(
      [&](const auto& friction) { advance_patch(point, geometry_[point], friction, motion, advance, pool, outcome); },
      rules_[rule].friction);
}

void ContactSet::calc_point_geometry(std::span<const int> points, const BodyMotion& motion, const PatchPool& pool) {
  for (const int point : points)
    calc_candidate_geometry(candidates_.candidate_index_of_point(point), motion, pool, Gaps::exact);
}

void ContactSet::list_points_of_links() {
  loads_.resize(num_points());
  acts_.assign(num_points(), 0);
  int num_links = 0;
  for (const Collider& collider : colliders_) num_links = std::max(num_links, collider.link + 1);
  link_begin_.assign(num_links + 1, 0);
  const auto links_of = [this](int point) {
    const Candidate& candidate = candidates_.candidate_of_point(point);
    return std::array{colliders_[candidate.collider_a].link, colliders_[candidate.collider_b].link};
  };
  for (int point = 0; point < num_points(); ++point) {
    for (const int link : links_of(point)) ++link_begin_[link + 1];
  }
  for (int link = 0; link < num_links; ++link) link_begin_[link + 1] += link_begin_[link];
  points_of_link_.resize(link_begin_[num_links]);
  std::vector<int> next(link_begin_.begin(), link_begin_.end() - 1);
  for (int point = 0; point < num_points(); ++point) {
    const std::array<int, 2> links = links_of(point);
    for (int side = 0; side < 2; ++side) points_of_link_[next[links[side]]++] = 2 * point + side;
  }
}

void ContactSet::add_loads(int link, const Vec3& center_of_mass, Vec3& force, Vec3& torque) const {
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
