#include "abut/contact/region/volume_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "abut/contact/region/bristle_sharing.hpp"
#include "abut/contact/region/grip.hpp"
#include "abut/contact/region/volume_response.hpp"
#include "abut/geometry/volume/cell_layout.hpp"

namespace abut {

namespace {

/// Part of its force that damping may take away before the grip of a volume is looked at [1].
constexpr double kSureGrip = 0.25;

/// The stages of a step see each spring and its damper all along it, and the error control holds their force to the
/// tolerance. One that keeps more than this part of its spring's force in all of them has none to lose between them
/// [1].
constexpr double kPressing = 0.25;

/// Whether a volume presses in whatever direction its bodies move, no point of it faster than `speed` [m/s]: then its
/// depth fields need not be looked at.
bool is_sure_to_grip(const NormalLawParameters& rule, const Patch& patch, const VolumeContact& volume, double speed,
                     double time) {
  const NormalCoefficients& c = patch.normal;
  if (c.exponent != c.damping_exponent) return false;
  const double energy = estimate_volume_energy(patch, volume, volume.volume);
  return std::max(calc_damping(rule, c, patch.blow, energy, -speed, time),
                  calc_damping(rule, c, patch.blow, energy, speed, time)) *
             speed <=
         kSureGrip * c.stiffness;
}

CellJoining cells_of(const ContactRule& rule) { return std::get<VolumeRule>(rule.region).cells; }

/// What a part of a volumetric patch takes of the measure that is hidden: its share of the volume, or the root of it
/// where the measure is a root of the energy.
double calc_hidden_share(const VolumeContact& volume, double share) {
  return volume.has_field ? std::sqrt(share) : share;
}

}  // namespace

/// Cells that count as one body make one candidate, of their leaders.
std::optional<Candidate> VolumeRegion::propose(const std::vector<Collider>& colliders, const ContactRule& rule,
                                               const RuleMatch& match, int collider_a, int collider_b) {
  const CellJoining joining = cells_of(rule);
  const auto find_leader = [&](int index) {
    const Collider& collider = colliders[index];
    if (collider.layout == nullptr) return index;
    return index - collider.cell + collider.layout->leader(collider.cell, joining);
  };
  Candidate candidate{find_leader(collider_a), find_leader(collider_b), match.rule, {}, kKind};
  candidate.pair.num_points = count_volume_slots(make_volume_cells(colliders, candidate.collider_a, joining),
                                                 make_volume_cells(colliders, candidate.collider_b, joining));
  return candidate;
}

bool VolumeRegion::has_several_points(const std::vector<Collider>& colliders, const ContactRule& rule,
                                      const PatchKey& key) {
  return count_volume_slots(make_volume_cells(colliders, key.collider_a, cells_of(rule)),
                            make_volume_cells(colliders, key.collider_b, cells_of(rule))) > 1;
}

void VolumeRegion::make_room() {
  const CandidateList& candidates = table_.candidates;
  sites_.clear();
  sites_.reserve(candidates.num_sites(kKind));
  volumes_.assign(candidates.num_own_points(kKind), {});
  for (int c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    if (candidate.region != kKind) continue;
    const auto& rule = std::get<VolumeRule>(table_.rules[candidate.rule].region);
    sites_.emplace_back(make_volume_cells(table_.colliders, candidate.collider_a, rule.cells),
                        make_volume_cells(table_.colliders, candidate.collider_b, rule.cells), rule);
  }
}

void VolumeRegion::remember(ContactMemory& memory) const {
  memory.watches.clear();
  for (const VolumeSite& site : sites_) site.for_each_watch([&](const ApartWatch& w) { memory.watches.push_back(w); });
}

void VolumeRegion::recall(const ContactMemory& memory) {
  std::size_t next = 0;
  for (VolumeSite& site : sites_) site.for_each_watch([&](ApartWatch& w) { w = memory.watches[next++]; });
}

void VolumeRegion::detect(int index, const BodyMotion& motion, const PatchPool& pool, Gaps gaps) {
  const Candidate& candidate = table_.candidates[index];
  std::array<const Patch*, kMaxVolumePieces> patches{};
  for (int k = 0; k < candidate.pair.num_points; ++k) {
    const int place = table_.patch_at[candidate.first_point + k];
    if (place >= 0) patches[k] = &pool.patches[place];
  }
  sites_[candidate.site].calc(motion, std::span(patches).first(candidate.pair.num_points), gaps,
                              &table_.geometry[candidate.first_point], &volumes_[candidate.first_own_point]);
}

double VolumeRegion::calc_approach_rate(int point, const BodyMotion& motion) const {
  const VolumeContact& volume = volume_at(point);
  if (!volume.has_field || !(volume.volume > 0.0)) return -table_.calc_gap_rate(point, motion);
  const Candidate& candidate = table_.candidates.candidate_of_point(point);
  const int link_a = table_.link_a(candidate), link_b = table_.link_b(candidate);
  const Vec3& center = table_.geometry[point].point;
  const Vec3 velocity = calc_point_velocity(motion, link_a, center) - calc_point_velocity(motion, link_b, center);
  return calc_field_rate(volume, velocity, motion.w_WB[link_a] - motion.w_WB[link_b]);
}

double VolumeRegion::calc_hidden_measure(int point) const {
  const VolumeContact& volume = volume_at(point);
  return volume.has_field ? std::sqrt(volume.field_energy) : volume.volume;
}

void VolumeRegion::begin(int point, const BodyMotion& motion, Patch& patch) {
  const NormalLawParameters& rule = table_.rules[patch.rule].normal;
  VolumeSite& site = sites_[table_.candidates.candidate_of_point(point).site];
  patch.by_depth = site.make_law_by_depth(patch.normal, motion, table_.geometry[point].normal);
  patch.blow = make_blow(rule, patch.normal, patch.by_depth, patch.touch_speed, patch.effective_mass, patch.touch_time);
  note_patch(point, motion, patch);
}

void VolumeRegion::inherit(int point, const Patch& kin, double share, Patch& patch) const {
  patch.relaxation_measure = calc_hidden_share(volume_at(point), share) * kin.relaxation_measure;
}

PatchKin VolumeRegion::find_kin(int point, const BodyMotion& motion, PatchPool& pool) const {
  const VolumeContact& volume = volume_at(point);
  if (volume.kin < 0) return {};
  const int kin_point = table_.candidates.candidate_of_point(point).first_point + volume.kin;
  PatchKin kin;
  kin.place = table_.patch_at[kin_point];
  if (kin.place < 0 || table_.patch_at[point] >= 0) return kin;
  Patch& patch = pool.patches[kin.place];
  const Vec3 before = motion.X_WB[table_.colliders[patch.key.collider_b].link] * patch.last_centroid;
  kin.share = volume.volume / (volume.volume + volume_at(kin_point).volume);
  kin.gyration_radius = calc_last_radius(patch, motion);
  kin.arm = table_.geometry[point].point - before;
  kin.retreat = table_.geometry[kin_point].point - before;
  note_patch(kin_point, motion, patch);
  return kin;
}

void VolumeRegion::follow_begin(int point, double, const PatchKin& kin, const CalcEffectiveMass&,
                                PatchPool& pool) const {
  if (kin.place < 0) return;
  pool.patches[kin.place].relaxation_measure *= calc_hidden_share(volume_at(point), 1.0 - kin.share);
}

void VolumeRegion::note_patch(int point, const BodyMotion& motion, Patch& patch) const {
  const Pose& X_WB = motion.X_WB[table_.colliders[patch.key.collider_b].link];
  const VolumeContact& volume = volume_at(point);
  patch.last_normal = table_.geometry[point].normal;
  patch.last_centroid = X_WB.inverse() * table_.geometry[point].point;
  patch.last_volume = volume.volume;
  patch.last_inertia = X_WB.R.transpose() * volume.inertia * X_WB.R;
}

void VolumeRegion::note_step(const BodyMotion& motion, const double* works, PatchPool& pool) const {
  if (sites_.empty()) return;
  for (std::size_t i = 0; i < pool.active.size(); ++i) {
    Patch& patch = pool.patches[pool.active[i]];
    const int point = table_.active_points[i];
    if (patch.region != kKind || !(table_.geometry[point].gap < 0.0)) continue;
    note_patch(point, motion, patch);
    if (!site_at(point).lacks_field()) continue;
    const double stored = PatchWork::read(works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * pool.active[i]).elastic;
    patch.give_back = calc_give_back(patch, volume_at(point), stored);
  }
}

int VolumeRegion::respond(const ResponseInput& input, int begin, int end, std::vector<PatchResponse>& responses,
                          const ConsumeResponse& consume) const {
  const ContactRule& rule = table_.rules[input.pool.patches[input.pool.active[begin]].rule];
  return std::visit(
      [&](const auto& friction) {
        return for_run_of_rule(input.pool, begin, end, [&](int i, const Patch& patch, int place) {
          const int point = table_.active_points[i];
          calc_volume_response(patch, rule.normal, table_.geometry[point], volume_at(point), input.motion,
                               table_.colliders[patch.key.collider_a].link, table_.colliders[patch.key.collider_b].link,
                               input.time, friction, input.make_friction_input(place), responses[i]);
          if (consume) consume(place, responses[i]);
        });
      },
      rule.friction);
}

bool VolumeRegion::grips_surely(int point, const Patch& patch, const BodyMotion& motion, double time,
                                const PatchPool& pool) {
  const VolumeContact& volume = volume_at(point);
  if (volume.volume > 0.0) {
    const Candidate& candidate = table_.candidates.candidate_of_point(point);
    const int a = table_.link_a(candidate), b = table_.link_b(candidate);
    const Vec3& centroid = table_.geometry[point].point;
    const Vec3 velocity = calc_point_velocity(motion, a, centroid) - calc_point_velocity(motion, b, centroid);
    // A mean over the volume turns about its centroid at the root mean square of its distances at most.
    const double radius = std::sqrt(0.5 * volume.inertia.trace() / volume.volume);
    const double speed = velocity.norm() + radius * (motion.w_WB[a] - motion.w_WB[b]).norm();
    if (is_sure_to_grip(table_.rules[patch.rule].normal, patch, volume, speed, time)) return true;
  }
  detect(table_.candidates.candidate_index_of_point(point), motion, pool, Gaps::exact);
  return false;
}

bool VolumeRegion::presses(int point, const Patch& patch, const PatchResponse& response) const {
  const VolumeContact& volume = volume_at(point);
  return volume.has_field && response.volume > 0.0 &&
         response.normal_force > kPressing * patch.normal.stiffness * volume.field_force.norm();
}

double VolumeRegion::calc_grip(int point, const Patch& patch, const BodyMotion& motion, double time) const {
  const double depth = std::max(0.0, -table_.geometry[point].gap), rate = calc_approach_rate(point, motion);
  const double energy = calc_volume_energy(patch, volume_at(point));
  return calc_patch_grip(patch, calc_volume_law_now(table_.rules[patch.rule].normal, patch, energy, rate, time), depth,
                         rate);
}

bool VolumeRegion::describe(const Patch&, const BodyMotion&, const PatchResponse& response, PatchShape& shape) const {
  shape.normal = response.normal;
  shape.area = response.area;
  shape.flatness = calc_flatness(response.volume, response.area, response.inertia, response.normal);
  return true;
}

void VolumeRegion::describe_peak(const Patch& patch, const PatchShape& shape, PatchPeak& peak) const {
  if (shape.area > 0.0) peak.mean_pressure = patch.peak_force / shape.area;
}

std::optional<PatchOverlap> VolumeRegion::find_overlap(int point) const {
  const VolumeContact& volume = volume_at(point);
  return PatchOverlap{volume.volume,  volume.area,       volume.gyration_radius,
                      volume.inertia, volume.definition, site_at(point).lacks_field()};
}

}  // namespace abut
