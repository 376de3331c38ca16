#include "abut/contact/region/perimeter_region.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "abut/contact/region/perimeter_response.hpp"
#include "abut/contact/region/perimeter_site.hpp"

namespace abut {

PerimeterRegion::PerimeterRegion(ContactTable& table) : table_(table) {}

PerimeterRegion::~PerimeterRegion() = default;

void PerimeterRegion::make_room() {
  const CandidateList& candidates = table_.candidates;
  sites_.clear();
  sites_.reserve(candidates.num_sites(kKind));
  for (int c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    if (candidate.region != kKind) continue;
    sites_.push_back(std::make_unique<PerimeterSite>(
        table_.colliders[candidate.collider_a], table_.colliders[candidate.collider_b], table_.rules[candidate.rule]));
  }
}

void PerimeterRegion::detect(int index, const BodyMotion& motion, const PatchPool&, Gaps) {
  const Candidate& candidate = table_.candidates[index];
  table_.geometry[candidate.first_point] = sites_[candidate.site]->calc(motion, table_.step);
}

void PerimeterRegion::begin(int, const BodyMotion&, Patch& patch) {
  const Collider &a = table_.colliders[patch.key.collider_a], &b = table_.colliders[patch.key.collider_b];
  // For estimates: the curve of a patch half as wide as the smaller body.
  const double length = std::numbers::pi * std::min(a.surface->radius(), b.surface->radius());
  patch.by_depth.stiffness *= length;
  patch.by_depth.damping *= length;
  patch.blow.renews = false;  // it knows its own
}

/// What was there before lends its memory, so that nothing is allocated for the new one.
void PerimeterRegion::take_place(int place, PatchPool& pool) const {
  if (pool.perimeters.size() < pool.patches.size()) pool.perimeters.resize(pool.patches.size());
  PerimeterMemory& memory = pool.perimeters[place];
  memory.pairs.clear();
  memory.places.clear();
  memory.loops.clear();
  memory.hold = PerimeterHold{};
  memory.time = -std::numeric_limits<double>::infinity();
  memory.stored_at_touch = memory.made = memory.bristle_energy = memory.next_bristle_energy = memory.friction_work =
      memory.bristle_stiffness = memory.fullness = memory.slenderness = memory.peak_force = 0.0;
}

double PerimeterRegion::end(int place, const PatchPool& pool, PatchWork& work) const {
  const double lost = pool.perimeters[place].calc_elastic_energy(work.elastic);
  work.elastic = 0.0;
  return lost;
}

void PerimeterRegion::begin_step(const BodyMotion& motion, double time, const double* works, PatchPool& pool) {
  if (sites_.empty()) return;
  for (std::size_t i = 0; i < pool.active.size(); ++i) {
    const int place = pool.active[i];
    const Patch& patch = pool.patches[place];
    if (patch.region != kKind) continue;
    const Candidate& candidate = table_.candidates.candidate_of_point(table_.active_points[i]);
    const PatchWork work = PatchWork::read(works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * place);
    sites_[candidate.site]->advance(
        motion, {time, table_.step, patch.effective_mass, work.friction - work.viscous, work.elastic},
        pool.perimeters[place]);
  }
}

int PerimeterRegion::respond(const ResponseInput& input, int begin, int end, std::vector<PatchResponse>& responses,
                             const ConsumeResponse& consume) const {
  return for_run_of_rule(input.pool, begin, end, [&](int i, const Patch& patch, int place) {
    calc_perimeter_response(input.pool.perimeters[place], input.motion, table_.colliders[patch.key.collider_a].link,
                            table_.colliders[patch.key.collider_b].link, responses[i]);
    if (consume) consume(place, responses[i]);
  });
}

double PerimeterRegion::calc_elastic_energy(int place, const PatchResponse&, const PatchWork& work, double,
                                            const PatchPool& pool) const {
  return pool.perimeters[place].calc_elastic_energy(work.elastic);
}

double PerimeterRegion::calc_start_energy(int place, const PatchResponse& response, const PatchWork&, double,
                                          const PatchPool& pool) const {
  return abut::calc_elastic_energy(pool.patches[place].by_depth, std::max(0.0, -response.gap));
}

double PerimeterRegion::calc_bristle_energy(int place, const PatchResponse&, const PatchPool& pool, const double*,
                                            int) const {
  return pool.perimeters[place].bristle_energy;
}

void PerimeterRegion::list_curve(int point, std::vector<std::array<Vec3, 2>>& out) const {
  sites_[table_.candidates.candidate_of_point(point).site]->list_curve(out);
}

}  // namespace abut
