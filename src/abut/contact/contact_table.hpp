#pragma once

#include <vector>

#include "abut/base/function_view.hpp"
#include "abut/contact/body_motion.hpp"
#include "abut/contact/candidate_list.hpp"
#include "abut/contact/collider.hpp"
#include "abut/contact/contact_rule.hpp"
#include "abut/contact/gaps.hpp"
#include "abut/contact/patch_pool.hpp"
#include "abut/contact/patch_response.hpp"

namespace abut {

/// What the regions of a contact set have in common: the candidates, and of each of their points what was found last.
struct ContactTable {
  const std::vector<Collider>& colliders;
  const std::vector<ContactRule>& rules;
  CandidateList candidates;
  std::vector<PointContact> geometry;
  std::vector<int> patch_at;       ///< place of the point's patch, -1 where there is none
  std::vector<int> active_points;  ///< of the pool's active patches
  double step = 0.0;               ///< length of fixed steps [s]

  /// Rate of the gap at a candidate point [m/s].
  double calc_gap_rate(int point, const BodyMotion& motion) const {
    const Candidate& candidate = candidates.candidate_of_point(point);
    const PointContact& contact = geometry[point];
    const int a = link_a(candidate), b = link_b(candidate);
    const Vec3 velocity = calc_point_velocity(motion, a, contact.point) - calc_point_velocity(motion, b, contact.point);
    return abut::calc_gap_rate(contact, velocity, motion, a, b);
  }
  int link_a(const Candidate& candidate) const { return colliders[candidate.collider_a].link; }
  int link_b(const Candidate& candidate) const { return colliders[candidate.collider_b].link; }
};

/// Effective mass seen by a contact between two links at a point along a normal [kg].
using CalcEffectiveMass = FunctionView<double(int link_a, int link_b, const Vec3& point, const Vec3& normal)>;

/// Of active patches.
struct ResponseInput {
  BodyMotion motion;
  double time;  ///< [s]
  const PatchPool& pool;
  const double* friction_states;  ///< `stride` numbers for each place of the pool (z, then dwell)
  int stride;
  double max_rate;    ///< fastest relaxation a fixed step can follow [1/s]
  double step = 0.0;  ///< fixed, or 0 [s]

  FrictionInput make_friction_input(int place) const {
    return {friction_states + static_cast<std::ptrdiff_t>(stride) * place, max_rate, pool.patches[place].effective_mass,
            step};
  }
};

/// Handed each response right after it was computed, possibly on several threads at once: may write only to what
/// belongs to this place.
using ConsumeResponse = FunctionView<void(int place, const PatchResponse&)>;

/// Calls respond(i, patch, place) for the active patches from `begin` on, as long as they are of one rule and before
/// `end`; returns the first that is not.
template <class Respond>
int for_run_of_rule(const PatchPool& pool, int begin, int end, const Respond& respond) {
  const int rule = pool.patches[pool.active[begin]].rule;
  int i = begin;
  do {
    const int place = pool.active[i];
    respond(i, pool.patches[place], place);
    ++i;
  } while (i < end && pool.patches[pool.active[i]].rule == rule);
  return i;
}

/// The normal law of a patch from its touch speed and effective mass, as one of depth.
inline void make_patch_law(const NormalLawParameters& rule, double stiffness, Patch& patch) {
  patch.normal = make_normal_coefficients(rule, stiffness, patch.touch_speed, patch.effective_mass);
  patch.by_depth = patch.normal;
  patch.blow = make_blow(rule, patch.normal, patch.by_depth, patch.touch_speed, patch.effective_mass, patch.touch_time);
}

}  // namespace abut
