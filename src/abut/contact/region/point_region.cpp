#include "abut/contact/region/point_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/base/error.hpp"
#include "abut/contact/law/friction_law.hpp"
#include "abut/contact/region/bristle_sharing.hpp"
#include "abut/contact/region/grip.hpp"
#include "abut/geometry/capsule_pair.hpp"
#include "abut/geometry/manifold/hard_pair.hpp"

namespace abut {

namespace {

/// Whether the force of its points grows with depth^1.5, as Hertz has it.
bool is_hertzian(const Patch& patch) { return patch.normal.exponent == 1.5; }

}  // namespace

PointRegion::PointRegion(ContactTable& table) : table_(table) {
  for (const Collider& collider : table.colliders) {
    const auto* sphere = std::get_if<Sphere>(&collider.shape);
    spheres_.push_back(
        {collider.is_at_center_of_mass ? collider.link : -1, collider.link, sphere != nullptr ? sphere->radius : 0.0});
    if (collider.link >= static_cast<int>(num_moving_colliders_.size()))
      num_moving_colliders_.resize(collider.link + 1);
    if (!collider.is_static) ++num_moving_colliders_[collider.link];
  }
}

std::optional<Candidate> PointRegion::propose(const std::vector<Collider>& colliders, const ContactRule&,
                                              const RuleMatch& match, int collider_a, int collider_b) {
  const Collider &a = colliders[collider_a], &b = colliders[collider_b];
  const auto pair = match.is_hard ? find_hard_pair(a.shape, a.solid.get(), b.shape, b.solid.get())
                                  : find_point_pair(a.shape, b.shape);
  if (!pair) return std::nullopt;  // refused when the model is compiled, unless a rule disables the pair
  return Candidate{collider_a, collider_b, match.rule, *pair, kKind};
}

bool PointRegion::has_several_points(const std::vector<Collider>& colliders, const ContactRule&, const PatchKey& key) {
  const auto pair = find_point_pair(colliders[key.collider_a].shape, colliders[key.collider_b].shape);
  return !pair || pair->num_points > 1;  // those without are manifolds
}

void PointRegion::take_candidates() {
  memories_.assign(table_.candidates.size(), {});
  match_manifolds();
}

void PointRegion::remember(ContactMemory& memory) const {
  memory.pairs = memories_;
  memory.manifolds = manifolds_;
}

void PointRegion::recall(const ContactMemory& memory) {
  ABUT_REQUIRE(memory.pairs.size() == memories_.size(), "the candidates are others than those remembered");
  memories_ = memory.pairs;
  manifolds_ = memory.manifolds;
}

/// It goes on with the blow of the point whose part it takes over.
void PointRegion::inherit(int, const Patch& kin, double, Patch& patch) const {
  patch.relaxation_measure = kin.relaxation_measure;
  patch.by_depth = kin.by_depth;
  patch.effective_mass = kin.effective_mass;
  patch.has_let_go = kin.has_let_go;
  patch.watches_grip = kin.watches_grip;
}

void PointRegion::follow_begin(int point, double time, const PatchKin& kin, const CalcEffectiveMass& effective_mass,
                               PatchPool& pool) const {
  if (kin.place < 0) share_impact(point, time, effective_mass, pool);
}

void PointRegion::begin_numbers(int point, int place, const BodyMotion& motion, double time, const PatchPool& pool,
                                const PatchNumbers& numbers) const {
  const Patch& patch = pool.patches[place];
  const FrictionParameters& friction = table_.rules[patch.rule].friction;
  if (!bends_at_touch(friction) || !(time > 0.0)) return;
  const Candidate& candidate = table_.candidates.candidate_of_point(point);
  const PointContact& geometry = table_.geometry[point];
  const Vec3 velocity = calc_point_velocity(motion, table_.link_a(candidate), geometry.point) -
                        calc_point_velocity(motion, table_.link_b(candidate), geometry.point);
  write_deflection(calc_touch_deflection(friction, tangential(velocity, geometry.normal)), numbers.states_of(place));
}

/// The bristles go on as they are; the spring has a formula.
void PointRegion::split(int place, const PatchKin& kin, const BodyMotion&, const PatchPool& pool,
                        const PatchNumbers& numbers) const {
  share_bristles(pool.patches[kin.place].last_normal, kin, 0.0, numbers.stride, numbers.states_of(kin.place),
                 numbers.states_of(place));
}

int PointRegion::respond(const ResponseInput& input, int begin, int end, std::vector<PatchResponse>& responses,
                         const ConsumeResponse& consume) const {
  const ContactRule& rule = table_.rules[input.pool.patches[input.pool.active[begin]].rule];
  return std::visit(
      [&](const auto& friction) {
        return for_run_of_rule(input.pool, begin, end, [&](int i, const Patch& patch, int place) {
          calc_patch_response(patch, rule.normal, table_.geometry[table_.active_points[i]], input.motion,
                              table_.colliders[patch.key.collider_a].link, table_.colliders[patch.key.collider_b].link,
                              input.time, friction, input.make_friction_input(place), responses[i]);
          if (consume) consume(place, responses[i]);
        });
      },
      rule.friction);
}

double PointRegion::calc_grip(int point, const Patch& patch, const BodyMotion& motion, double time) const {
  const double depth = std::max(0.0, -table_.geometry[point].gap), rate = calc_approach_rate(point, motion);
  return calc_patch_grip(
      patch, calc_law_now(table_.rules[patch.rule].normal, patch.normal, patch.blow, depth, rate, time), depth, rate);
}

double PointRegion::calc_unbooked_energy(const Patch& patch, double gap, double time) const {
  if (patch.has_let_go) return 0.0;
  return abut::calc_elastic_energy(patch.normal, std::max(0.0, -gap - patch.hidden_measure(time)));
}

double PointRegion::calc_bristle_energy(int place, const PatchResponse& response, const PatchPool& pool,
                                        const double* states, int stride) const {
  return calc_stored_in_bristles(table_.rules[pool.patches[place].rule].friction, response, states, stride);
}

bool PointRegion::describe(const Patch& patch, const BodyMotion& motion, const PatchResponse& response,
                           PatchShape& shape) const {
  if (!is_hertzian(patch)) return false;
  shape.normal = response.normal;
  shape.site = make_hertz_site(table_.colliders[patch.key.collider_a], table_.colliders[patch.key.collider_b], motion,
                               {response.gap, response.normal, response.point});
  return true;
}

void PointRegion::describe_peak(const Patch& patch, const PatchShape& shape, PatchPeak& peak) const {
  if (!is_hertzian(patch)) return;
  const PatchSize size = calc_patch_size(shape.site, patch.peak_depth, patch.peak_force);
  peak = {size.short_axis,    size.long_axis,     calc_patch_ratio(shape.site, size),
          size.mean_pressure, size.peak_pressure, do_conform(shape.site)};
}

std::optional<HertzEllipse> PointRegion::find_hertz_ellipse(const Patch& patch, const BodyMotion& motion,
                                                            const PatchResponse& response, double time) const {
  PatchShape shape;
  if (!describe(patch, motion, response, shape)) return std::nullopt;
  const double depth = -response.gap - patch.hidden_measure(time);
  return HertzEllipse{shape.site, calc_patch_size(shape.site, depth, response.normal_force)};
}

}  // namespace abut
