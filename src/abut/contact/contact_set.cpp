#include "abut/contact/contact_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "abut/base/error.hpp"
#include "abut/contact/contact_failure.hpp"
#include "abut/contact/patch_response.hpp"
#include "abut/contact/region/perimeter_response.hpp"
#include "abut/contact/region/perimeter_site.hpp"
#include "abut/contact/region/volume_response.hpp"
#include "abut/geometry/curvature.hpp"
#include "abut/geometry/manifold/mesh_manifold.hpp"

namespace abut {

namespace {

/// Below these counts a parallel section costs more than it saves.
constexpr int kCandidateGrain = 256;
constexpr int kPatchGrain = 64;

/// Up to so many changes are entered one by one into the lists of active patches; more make the lists anew.
constexpr std::size_t kFewChanges = 8;

/// Solids farther apart than this part of the smaller one's radius, and than they come in some steps, have no points.
constexpr double kManifoldReach = 0.2;

/// Hertz stiffness from the curvatures at the touch, held until the patch ends [N/m^1.5]. A sharp edge has no curvature
/// of its own; it is taken as flat, so that the other body's curvature decides. Pairs where both are sharp or flat are
/// refused when the model is compiled.
double calc_material_stiffness(double contact_modulus, const PatchKey& key, const Collider& a, const Collider& b,
                               const BodyMotion& motion, const PointContact& contact) {
  const auto curvature_of = [&](const Collider& collider, const Vec3& outward) {
    const Pose X_WS = calc_collider_pose(collider, motion.X_WB[collider.link]);
    return calc_surface_curvature(collider.shape, X_WS, contact.point, outward)
        .value_or(SurfaceCurvature{0.0, 0.0, any_perpendicular(outward)});
  };
  const RelativeCurvature relative =
      calc_relative_curvature(curvature_of(a, -contact.normal), curvature_of(b, contact.normal));
  try {
    return make_hertz_contact(contact_modulus, relative.a, relative.b).stiffness;
  } catch (const InputError& error) {
    throw ContactFailure(key, error.what());
  }
}

/// What a part of a volumetric patch takes of the measure that is hidden: its share of the volume, or the root of it
/// where the measure is a root of the energy.
double calc_hidden_share(const VolumeContact& volume, double share) {
  return volume.has_field ? std::sqrt(share) : share;
}

}  // namespace

std::vector<int> PatchPool::compact() {
  std::vector<int> old_places = active;
  std::vector<Patch> packed;
  packed.reserve(active.size());
  for (const int place : active) packed.push_back(patches[place]);
  patches = std::move(packed);
  if (!perimeters.empty()) {
    std::vector<PerimeterMemory> memories;
    for (const int place : active) memories.push_back(std::move(perimeters[place]));
    perimeters = std::move(memories);
  }
  free_places.clear();
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = static_cast<int>(i);
  return old_places;
}

ContactSet::ContactSet(const std::vector<Collider>& colliders, const std::vector<ContactRule>& rules,
                       FindRule find_rule, ThreadPool* pool)
    : colliders_(colliders), rules_(rules), threads_(pool), candidates_(colliders, std::move(find_rule)) {
  for (const Collider& collider : colliders) {
    const auto* sphere = std::get_if<Sphere>(&collider.shape);
    spheres_.push_back(
        {collider.is_at_center_of_mass ? collider.link : -1, collider.link, sphere != nullptr ? sphere->radius : 0.0});
    if (collider.link >= static_cast<int>(num_moving_colliders_.size()))
      num_moving_colliders_.resize(collider.link + 1);
    if (!collider.is_static) ++num_moving_colliders_[collider.link];
  }
}

ContactSet::~ContactSet() = default;

bool ContactSet::refresh_candidates(const BodyMotion& motion, PatchPool& pool) {
  if (!candidates_.refresh(motion)) return false;
  take_candidates(pool);
  return true;
}

bool ContactSet::cover_sweep(bool must, PatchPool& pool) {
  if (!candidates_.cover_sweep(must)) return false;
  take_candidates(pool);
  return true;
}

/// Brings everything that is kept for each candidate in line with a new list.
void ContactSet::take_candidates(PatchPool& pool) {
  make_room();
  memories_.assign(candidates_.size(), {});
  match_manifolds();
  match_patches(pool);
}

/// For what is found anew at each look.
void ContactSet::make_room() {
  geometry_.resize(candidates_.num_points());
  overlaps_.assign(candidates_.num_points(), 0);
  make_sites();
  link_begin_.clear();
}

void ContactSet::match_manifolds() {
  std::vector<std::pair<std::pair<int, int>, ManifoldMemory>> old;
  for (std::size_t i = 0; i < manifolds_.size(); ++i) {
    if (manifold_pairs_[i].first >= 0) old.emplace_back(manifold_pairs_[i], manifolds_[i]);
  }
  const auto less = [](const auto& x, const auto& y) { return x.first < y.first; };
  std::sort(old.begin(), old.end(), less);
  manifolds_.clear();
  manifold_pairs_.clear();
  for (int c = 0; c < candidates_.size(); ++c) {
    const Candidate& candidate = candidates_[c];
    if (candidate.site >= 0 || candidate.perimeter >= 0 || !is_manifold(candidate.pair.kind)) continue;
    manifolds_.resize(candidates_.size());
    manifold_pairs_.resize(candidates_.size(), {-1, -1});
    manifold_pairs_[c] = {candidate.collider_a, candidate.collider_b};
    const auto found = std::lower_bound(old.begin(), old.end(), std::pair(manifold_pairs_[c], ManifoldMemory{}), less);
    if (found != old.end() && found->first == manifold_pairs_[c]) manifolds_[c] = found->second;
  }
}

void ContactSet::make_sites() {
  sites_.clear();
  sites_.reserve(candidates_.num_sites());
  volumes_.assign(candidates_.num_volumes(), {});
  perimeters_.clear();
  perimeters_.reserve(candidates_.num_perimeters());
  for (int c = 0; c < candidates_.size(); ++c) {
    const Candidate& candidate = candidates_[c];
    if (candidate.perimeter >= 0) {
      perimeters_.push_back(std::make_unique<PerimeterSite>(colliders_[candidate.collider_a],
                                                            colliders_[candidate.collider_b], rules_[candidate.rule]));
    }
    if (candidate.site < 0) continue;
    const VolumeRule& rule = rules_[candidate.rule].volume.value();
    sites_.emplace_back(make_volume_cells(colliders_, candidate.collider_a, rule.cells),
                        make_volume_cells(colliders_, candidate.collider_b, rule.cells), rule);
  }
}

const VolumeContact* ContactSet::volume_geometry(int point) const {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  return candidate.site < 0 ? nullptr : &volumes_[candidate.first_volume + point - candidate.first_point];
}

void ContactSet::match_patches(PatchPool& pool) {
  std::vector<std::pair<PatchKey, int>> places;
  for (const int place : pool.active) places.emplace_back(pool.patches[place].key, place);
  std::sort(places.begin(), places.end());
  patch_at_.assign(candidates_.num_points(), -1);
  std::size_t matched = 0;
  for (int c = 0; c < candidates_.size(); ++c) {
    const Candidate& candidate = candidates_[c];
    for (int k = 0; k < candidate.pair.num_points; ++k) {
      const PatchKey key{candidate.collider_a, candidate.collider_b, k};
      const auto found = std::lower_bound(places.begin(), places.end(), std::pair(key, -1));
      if (found == places.end() || found->first != key) continue;
      patch_at_[candidate.first_point + k] = found->second;
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
  active_points_.clear();
  active_candidates_.clear();
  for (int point = 0; point < num_points(); ++point) {
    if (patch_at_[point] < 0) continue;
    pool.active.push_back(patch_at_[point]);
    active_points_.push_back(point);
    const int candidate = candidates_.candidate_index_of_point(point);
    if (active_candidates_.empty() || active_candidates_.back() != candidate) active_candidates_.push_back(candidate);
  }
}

void ContactSet::relist_active(int point, PatchPool& pool) {
  const auto found = std::lower_bound(active_points_.begin(), active_points_.end(), point);
  const auto at = found - active_points_.begin();
  const bool is_listed = found != active_points_.end() && *found == point;
  const bool is_active = patch_at_[point] >= 0;
  if (is_active && !is_listed) {
    active_points_.insert(found, point);
    pool.active.insert(pool.active.begin() + at, patch_at_[point]);
  } else if (is_active) {
    pool.active[at] = patch_at_[point];
  } else if (is_listed) {
    active_points_.erase(found);
    pool.active.erase(pool.active.begin() + at);
  }
  const int index = candidates_.candidate_index_of_point(point);
  const Candidate& candidate = candidates_[index];
  const auto first = patch_at_.begin() + candidate.first_point;
  const bool is_candidate_active =
      std::any_of(first, first + candidate.pair.num_points, [](int place) { return place >= 0; });
  const auto place = std::lower_bound(active_candidates_.begin(), active_candidates_.end(), index);
  const bool is_candidate_listed = place != active_candidates_.end() && *place == index;
  if (is_candidate_active && !is_candidate_listed) active_candidates_.insert(place, index);
  if (!is_candidate_active && is_candidate_listed) active_candidates_.erase(place);
}

Vec3 ContactSet::calc_center(int index, const BodyMotion& motion) const {
  const Collider& collider = colliders_[index];
  const Pose& X_WB = motion.X_WB[collider.link];
  return collider.is_centered ? X_WB.p : Vec3(X_WB * collider.X_LS.p);
}

void ContactSet::calc_volume_geometry(const Candidate& candidate, const BodyMotion& motion, const PatchPool& pool,
                                      Gaps gaps) {
  std::array<const Patch*, kMaxVolumePieces> patches{};
  for (int k = 0; k < candidate.pair.num_points; ++k) {
    const int place = patch_at_[candidate.first_point + k];
    if (place >= 0) patches[k] = &pool.patches[place];
  }
  sites_[candidate.site].calc(motion, std::span(patches).first(candidate.pair.num_points), gaps,
                              &geometry_[candidate.first_point], &volumes_[candidate.first_volume]);
}

void ContactSet::calc_candidate_geometry(int index, const BodyMotion& motion, const PatchPool& pool, Gaps gaps) {
  const Candidate& candidate = candidates_[index];
  if (candidate.site >= 0) return calc_volume_geometry(candidate, motion, pool, gaps);
  if (candidate.perimeter >= 0) {
    geometry_[candidate.first_point] = perimeters_[candidate.perimeter]->calc(motion, step_);
    return;
  }
  calc_point_geometry(index, motion, &geometry_[candidate.first_point]);
}

void ContactSet::calc_point_geometry(int index, const BodyMotion& motion, PointContact* out) {
  const Candidate& candidate = candidates_[index];
  if (calc_plain_spheres(candidate, motion, out)) return;
  const Collider& a = colliders_[candidate.collider_a];
  const Collider& b = colliders_[candidate.collider_b];
  const Pose& X_WB = motion.X_WB[b.link];
  if (is_manifold(candidate.pair.kind)) return calc_manifold_geometry(index, motion, out);
  if (candidate.pair.kind == PointPairKind::kSphereHalfSpace && !candidate.pair.swapped) {
    const HalfSpace& plane = std::get<HalfSpace>(b.shape);
    const Pose X_WS = calc_collider_pose(b, X_WB);
    const Vec3 n = X_WS.R * plane.normal;
    *out = sphere_half_space(calc_center(candidate.collider_a, motion), spheres_[candidate.collider_a].radius, n,
                             n.dot(X_WS.p) + plane.offset);
    return;
  }
  if (candidate.pair.kind == PointPairKind::kCapsuleCapsule && calc_carried_geometry(candidate, motion, out)) return;
  calc_point_contacts(candidate.pair, a.shape, calc_collider_pose(a, motion.X_WB[a.link]), b.shape,
                      calc_collider_pose(b, X_WB), memories_[index], out);
}

void ContactSet::calc_manifold_geometry(int index, const BodyMotion& motion, PointContact* out) {
  const Candidate& candidate = candidates_[index];
  const bool swapped = candidate.pair.swapped;
  const Collider& a = colliders_[swapped ? candidate.collider_b : candidate.collider_a];
  const Collider& b = colliders_[swapped ? candidate.collider_a : candidate.collider_b];
  const Pose X_WA = calc_collider_pose(a, motion.X_WB[a.link]), X_WB = calc_collider_pose(b, motion.X_WB[b.link]);
  // No point of either comes nearer to the other by more than this in the step [m/s].
  double speed = (motion.v_WCm[a.link] - motion.v_WCm[b.link]).norm();
  double size = a.solid->radius();
  speed += motion.w_WB[a.link].norm() * (a.solid->radius() + (X_WA.p - motion.p_WCm[a.link]).norm());
  // A half-space that turns is met where the other is.
  const double arm = b.solid->is_half_space() ? (X_WA.p - motion.p_WCm[b.link]).norm() + a.solid->radius()
                                              : (X_WB.p - motion.p_WCm[b.link]).norm() + b.solid->radius();
  speed += motion.w_WB[b.link].norm() * arm;
  if (!b.solid->is_half_space()) size = std::min(size, b.solid->radius());
  const double reach = kManifoldReach * size + 4.0 * step_ * speed;
  if (candidate.pair.kind == PointPairKind::kMeshManifold) {
    calc_mesh_manifold(*a.solid, X_WA, *std::get<Mesh>(b.shape).solid, X_WB, reach, manifolds_[index], out);
  } else {
    calc_manifold(*a.solid, X_WA, *b.solid, X_WB, reach, manifolds_[index], out);
  }
  for (int k = 0; swapped && k < candidate.pair.num_points; ++k) out[k] = mirror(out[k]);
}

void ContactSet::calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps) {
  threads_->parallel_for(candidates_.size(), kCandidateGrain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      calc_candidate_geometry(c, motion, pool, gaps);
      const int first = candidates_[c].first_point;
      for (int point = first; point < first + candidates_[c].pair.num_points; ++point) {
        overlaps_[point] = geometry_[point].gap < 0.0;
      }
    }
  });
}

void ContactSet::calc_geometry(const BodyMotion& motion, const PatchPool& pool, Gaps gaps,
                               std::span<const char> is_point_wanted) {
  threads_->parallel_for(candidates_.size(), kCandidateGrain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c) {
      const auto points = is_point_wanted.subspan(candidates_[c].first_point, candidates_[c].pair.num_points);
      if (std::any_of(points.begin(), points.end(), [](char is_wanted) { return is_wanted != 0; }))
        calc_candidate_geometry(c, motion, pool, gaps);
    }
  });
}

void ContactSet::calc_active_geometry(const BodyMotion& motion, const PatchPool& pool) {
  threads_->parallel_for(static_cast<int>(active_candidates_.size()), kPatchGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      // Perimeter patches hold their forces, and the curve they belong to, over the step.
      if (candidates_[active_candidates_[i]].perimeter < 0)
        calc_candidate_geometry(active_candidates_[i], motion, pool, Gaps::exact);
    }
  });
}

bool ContactSet::lacks_field(int point) const {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  return candidate.site >= 0 && sites_[candidate.site].lacks_field();
}

void ContactSet::note_step(const BodyMotion& motion, const double* works, PatchPool& pool) const {
  if (sites_.empty()) return;
  for (std::size_t i = 0; i < pool.active.size(); ++i) {
    Patch& patch = pool.patches[pool.active[i]];
    const PointContact& contact = geometry_[active_points_[i]];
    if (!patch.is_volume || !(contact.gap < 0.0)) continue;
    note_patch(active_points_[i], motion, patch);
    if (!lacks_field(active_points_[i])) continue;
    const double stored = PatchWork::read(works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * pool.active[i]).elastic;
    patch.give_back = calc_give_back(patch, *volume_geometry(active_points_[i]), stored);
  }
}

void ContactSet::note_patch(int point, const BodyMotion& motion, Patch& patch) const {
  const Pose& X_WB = motion.X_WB[colliders_[patch.key.collider_b].link];
  const VolumeContact* volume = volume_geometry(point);
  patch.last_normal = geometry_[point].normal;
  patch.last_centroid = X_WB.inverse() * geometry_[point].point;
  patch.last_volume = volume->volume;
  patch.last_inertia = X_WB.R.transpose() * volume->inertia * X_WB.R;
}

void ContactSet::advance_perimeters(const BodyMotion& motion, double time, const double* works, PatchPool& pool) {
  if (perimeters_.empty()) return;
  for (std::size_t i = 0; i < pool.active.size(); ++i) {
    const int place = pool.active[i];
    const Patch& patch = pool.patches[place];
    if (!patch.is_perimeter) continue;
    const Candidate& candidate = candidates_.candidate_of_point(active_points_[i]);
    const PatchWork work = PatchWork::read(works + static_cast<std::ptrdiff_t>(kNumPatchWorks) * place);
    perimeters_[candidate.perimeter]->advance(
        motion, {time, step_, patch.effective_mass, work.friction - work.viscous, work.elastic},
        pool.perimeters[place]);
  }
}

void ContactSet::list_curve(int point, std::vector<std::array<Vec3, 2>>& out) const {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  if (candidate.perimeter >= 0) perimeters_[candidate.perimeter]->list_curve(out);
}

bool ContactSet::has_turning_normals(const PatchPool& pool) const {
  const auto is_fixed_plane = [this](int collider) {
    return colliders_[collider].is_static && std::holds_alternative<HalfSpace>(colliders_[collider].shape);
  };
  return std::any_of(pool.active.begin(), pool.active.end(), [&](int place) {
    const PatchKey& key = pool.patches[place].key;
    return pool.patches[place].is_volume || (!is_fixed_plane(key.collider_a) && !is_fixed_plane(key.collider_b));
  });
}

double ContactSet::calc_gap_rate(int point, const BodyMotion& motion) const {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  const PointContact& contact = geometry_[point];
  const int link_a = colliders_[candidate.collider_a].link, link_b = colliders_[candidate.collider_b].link;
  const Vec3 velocity =
      calc_point_velocity(motion, link_a, contact.point) - calc_point_velocity(motion, link_b, contact.point);
  return abut::calc_gap_rate(contact, velocity, motion, link_a, link_b);
}

double ContactSet::calc_approach_rate(int point, const BodyMotion& motion) const {
  const VolumeContact* volume = volume_geometry(point);
  if (volume == nullptr || !volume->has_field || !(volume->volume > 0.0)) return -calc_gap_rate(point, motion);
  const Candidate& candidate = candidates_.candidate_of_point(point);
  const int link_a = colliders_[candidate.collider_a].link, link_b = colliders_[candidate.collider_b].link;
  const Vec3& center = geometry_[point].point;
  const Vec3 velocity = calc_point_velocity(motion, link_a, center) - calc_point_velocity(motion, link_b, center);
  return calc_field_rate(*volume, velocity, motion.w_WB[link_a] - motion.w_WB[link_b]);
}

void ContactSet::make_law(const NormalLawParameters& rule, double stiffness, Patch& patch) {
  patch.normal = make_normal_coefficients(rule, stiffness, patch.touch_speed, patch.effective_mass);
  patch.by_depth = patch.normal;
  patch.blow = make_blow(rule, patch.normal, patch.by_depth, patch.touch_speed, patch.effective_mass, patch.touch_time);
}

Patch ContactSet::make_patch(int point, const BodyMotion& motion, double time, bool is_located,
                             const EffectiveMass& effective_mass, const Patch* kin, double share) {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  const Collider& a = colliders_[candidate.collider_a];
  const Collider& b = colliders_[candidate.collider_b];
  const ContactRule& rule = rules_[candidate.rule];
  const PointContact& contact = geometry_[point];
  const VolumeContact* volume = volume_geometry(point);

  Patch patch;
  patch.key = {candidate.collider_a, candidate.collider_b, point - candidate.first_point};
  patch.rule = candidate.rule;
  patch.effective_mass = effective_mass(a.link, b.link, contact.point + contact.arm, contact.normal);
  patch.touch_time = time;
  patch.touch_speed = std::max(0.0, -calc_gap_rate(point, motion));
  const bool is_perimeter = candidate.perimeter >= 0;
  if (!is_located && !is_perimeter) {
    patch.relaxation_measure = std::max(
        0.0, volume == nullptr ? -contact.gap : (volume->has_field ? std::sqrt(volume->field_energy) : volume->volume));
  }
  patch.relaxation_time = rule.relaxation_time;
  const double stiffness = rule.contact_modulus
                               ? calc_material_stiffness(*rule.contact_modulus, patch.key, a, b, motion, contact)
                               : rule.normal.stiffness.value();
  make_law(rule.normal, stiffness, patch);
  if (is_perimeter) {
    patch.is_perimeter = true;
    // For estimates: the curve of a patch half as wide as the smaller body.
    const double length = std::numbers::pi * std::min(a.surface->radius(), b.surface->radius());
    patch.by_depth.stiffness *= length;
    patch.by_depth.damping *= length;
    patch.blow.renews = false;  // it knows its own
  }
  if (volume != nullptr) {
    patch.is_volume = true;
    patch.by_depth = sites_[candidate.site].make_law_by_depth(patch.normal, motion, contact.normal);
    patch.blow =
        make_blow(rule.normal, patch.normal, patch.by_depth, patch.touch_speed, patch.effective_mass, patch.touch_time);
    note_patch(point, motion, patch);
  }
  if (kin != nullptr) {
    patch.normal = kin->normal;
    patch.blow = kin->blow;
    patch.touch_time = kin->touch_time;
    patch.touch_speed = kin->touch_speed;
    patch.relaxation_measure = (volume != nullptr ? calc_hidden_share(*volume, share) : 1.0) * kin->relaxation_measure;
    patch.relaxation_time = kin->relaxation_time;
    if (volume == nullptr) {
      patch.by_depth = kin->by_depth;
      patch.effective_mass = kin->effective_mass;
      patch.has_let_go = kin->has_let_go;
      patch.watches_grip = kin->watches_grip;
    }
  }
  patch.in_use = true;
  return patch;
}

int ContactSet::take_place(int point, Patch patch, PatchPool& pool) {
  int place = static_cast<int>(pool.patches.size());
  if (pool.free_places.empty()) {
    pool.patches.emplace_back();
  } else {
    place = pool.free_places.back();
    pool.free_places.pop_back();
  }
  if (patch.is_perimeter) {
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
  pool.patches[place] = std::move(patch);
  patch_at_[point] = place;
  return place;
}

void ContactSet::give_back_place(int point, PatchPool& pool) {
  const int place = patch_at_[point];
  pool.patches[place].in_use = false;
  pool.free_places.push_back(place);
  patch_at_[point] = -1;
}

int ContactSet::take_patch(int point, const BodyMotion& motion, double time, bool is_located,
                           const EffectiveMass& effective_mass, PatchPool& pool, const PatchKin& kin) {
  Patch* parent = kin.place < 0 ? nullptr : &pool.patches[kin.place];
  Patch patch = make_patch(point, motion, time, is_located, effective_mass, parent, kin.share);
  const bool is_point = !patch.is_volume && !patch.is_perimeter;
  if (parent != nullptr && !is_point)
    parent->relaxation_measure *= calc_hidden_share(*volume_geometry(point), 1.0 - kin.share);
  const int place = take_place(point, std::move(patch), pool);
  if (is_point && parent == nullptr) share_impact(point, time, effective_mass, pool);
  return place;
}

int ContactSet::begin_patch(int point, const BodyMotion& motion, double time, bool is_located,
                            const EffectiveMass& effective_mass, PatchPool& pool, const PatchKin& kin) {
  ABUT_REQUIRE(patch_at_[point] < 0, "candidate point {} already has a patch", point);
  const int place = take_patch(point, motion, time, is_located, effective_mass, pool, kin);
  list_active(pool);
  return place;
}

void ContactSet::end_patch(int point, PatchPool& pool) {
  ABUT_REQUIRE(patch_at_[point] >= 0, "candidate point {} has no patch to end", point);
  give_back_place(point, pool);
  list_active(pool);
}

void ContactSet::update_patches(const BodyMotion& motion, double time, bool is_located,
                                const EffectiveMass& effective_mass, PatchPool& pool,
                                std::vector<PatchChange>& changes) {
  changed_points_.clear();
  for (int point = 0; point < num_points(); ++point) {
    if ((overlaps_[point] != 0) != (patch_at_[point] >= 0)) changed_points_.push_back(point);
  }
  update_patches(changed_points_, motion, time, is_located, effective_mass, pool, changes);
}

void ContactSet::update_patches(std::span<const int> changed_points, const BodyMotion& motion, double time,
                                bool is_located, const EffectiveMass& effective_mass, PatchPool& pool,
                                std::vector<PatchChange>& changes) {
  changes.clear();
  for (const int point : changed_points) {
    const bool overlaps = patch_at_[point] < 0;
    PatchChange change{point, patch_at_[point], overlaps, calc_gap_rate(point, motion), {}, {}};
    change.kin = find_kin(point, motion, pool);
    if (overlaps) {
      change.place = take_patch(point, motion, time, is_located, effective_mass, pool, change.kin);
    } else {
      change.patch = pool.patches[change.place];
      give_back_place(point, pool);
    }
    changes.push_back(change);
  }
  if (changes.size() > kFewChanges) return list_active(pool);
  for (const int point : changed_points) relist_active(point, pool);
}

void ContactSet::calc_responses(const BodyMotion& motion, double time, bool geometry_is_current, const PatchPool& pool,
                                const double* friction_states, int stride, double max_rate,
                                std::vector<PatchResponse>& responses, const Consume& consume) {
  if (!geometry_is_current) calc_active_geometry(motion, pool);
  responses.resize(pool.active.size());
  threads_->parallel_for(static_cast<int>(pool.active.size()), kPatchGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      respond(i, motion, time, pool, friction_states, stride, max_rate, responses[i]);
      if (consume) consume(pool.active[i], responses[i]);
    }
  });
}

PatchResponse ContactSet::calc_response(int index, const BodyMotion& motion, double time, const PatchPool& pool,
                                        const double* friction_states, int stride, double max_rate) {
  complete_geometry(active_points_[index], motion, pool);
  PatchResponse response;
  respond(index, motion, time, pool, friction_states, stride, max_rate, response);
  return response;
}

void ContactSet::respond(int index, const BodyMotion& motion, double time, const PatchPool& pool,
                         const double* friction_states, int stride, double max_rate, PatchResponse& response) const {
  const int place = pool.active[index];
  const Patch& patch = pool.patches[place];
  const int link_a = colliders_[patch.key.collider_a].link;
  const int link_b = colliders_[patch.key.collider_b].link;
  if (patch.is_perimeter) return calc_perimeter_response(pool.perimeters[place], motion, link_a, link_b, response);
  const ContactRule& rule = rules_[patch.rule];
  const FrictionInput input{friction_states + static_cast<std::ptrdiff_t>(stride) * place, max_rate,
                            patch.effective_mass};
  const PointContact& geometry = geometry_[active_points_[index]];
  const VolumeContact* volume = patch.is_volume ? volume_geometry(active_points_[index]) : nullptr;
  std::visit(
      [&](const auto& friction) {
        if (volume != nullptr) {
          calc_volume_response(patch, rule.normal, geometry, *volume, motion, link_a, link_b, time, friction, input,
                               response);
        } else {
          calc_patch_response(patch, rule.normal, geometry, motion, link_a, link_b, time, friction, input, response);
        }
      },
      rule.friction);
}

}  // namespace abut
