// How patches begin and end.

#include <algorithm>

#include "abut/base/error.hpp"
#include "abut/contact/contact_failure.hpp"
#include "abut/contact/contact_set.hpp"
#include "abut/contact/law/hertz_stiffness.hpp"
#include "abut/geometry/curvature.hpp"

namespace abut {

namespace {

/// Up to so many changes are entered one by one into the lists of active patches; more make the lists anew.
constexpr std::size_t kFewChanges = 8;

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

}  // namespace

Patch ContactSet::make_patch(int point, const BodyMotion& motion, double time, bool is_located,
                             const EffectiveMass& effective_mass, const Patch* kin, double share) {
  const Candidate& candidate = candidate_of_point(point);
  const Collider& a = table_.colliders[candidate.collider_a];
  const Collider& b = table_.colliders[candidate.collider_b];
  const ContactRule& rule = table_.rules[candidate.rule];
  const PointContact& contact = table_.geometry[point];

  Patch patch;
  patch.key = {candidate.collider_a, candidate.collider_b, point - candidate.first_point};
  patch.rule = candidate.rule;
  patch.region = candidate.region;
  patch.effective_mass = effective_mass(a.link, b.link, contact.point + contact.arm, contact.normal);
  patch.touch_time = time;
  patch.touch_speed = std::max(0.0, -calc_gap_rate(point, motion));
  patch.relaxation_time = rule.relaxation_time;
  const double stiffness = rule.contact_modulus
                               ? calc_material_stiffness(*rule.contact_modulus, patch.key, a, b, motion, contact)
                               : rule.normal.stiffness.value();
  make_patch_law(rule.normal, stiffness, patch);
  with_region(candidate.region, [&](auto& region) {
    if (!is_located) patch.relaxation_measure = std::max(0.0, region.calc_hidden_measure(point));
    region.begin(point, motion, patch);
    if (kin == nullptr) return;
    patch.normal = kin->normal;
    patch.blow = kin->blow;
    patch.touch_time = kin->touch_time;
    patch.touch_speed = kin->touch_speed;
    patch.relaxation_time = kin->relaxation_time;
    region.inherit(point, *kin, share, patch);
  });
  patch.in_use = true;
  return patch;
}

PatchKin ContactSet::find_kin(int point, const BodyMotion& motion, PatchPool& pool) const {
  return with_region_of(point, [&](const auto& region) { return region.find_kin(point, motion, pool); });
}

int ContactSet::take_place(int point, Patch patch, PatchPool& pool) {
  int place = static_cast<int>(pool.patches.size());
  if (pool.free_places.empty()) {
    pool.patches.emplace_back();
  } else {
    place = pool.free_places.back();
    pool.free_places.pop_back();
  }
  pool.patches[place] = std::move(patch);
  table_.patch_at[point] = place;
  return place;
}

void ContactSet::give_back_place(int point, PatchPool& pool) {
  const int place = table_.patch_at[point];
  pool.patches[place].in_use = false;
  pool.free_places.push_back(place);
  table_.patch_at[point] = -1;
}

int ContactSet::take_patch(int point, const BodyMotion& motion, double time, bool is_located,
                           const EffectiveMass& effective_mass, PatchPool& pool, const PatchKin& kin) {
  const Patch* parent = kin.place < 0 ? nullptr : &pool.patches[kin.place];
  const int place =
      take_place(point, make_patch(point, motion, time, is_located, effective_mass, parent, kin.share), pool);
  with_region_of(point, [&](const auto& region) {
    region.take_place(place, pool);
    region.follow_begin(point, time, kin, effective_mass, pool);
  });
  return place;
}

int ContactSet::begin_patch(int point, const BodyMotion& motion, double time, bool is_located,
                            const EffectiveMass& effective_mass, PatchPool& pool, const PatchKin& kin) {
  ABUT_REQUIRE(table_.patch_at[point] < 0, "candidate point {} already has a patch", point);
  const int place = take_patch(point, motion, time, is_located, effective_mass, pool, kin);
  list_active(pool);
  return place;
}

void ContactSet::end_patch(int point, PatchPool& pool) {
  ABUT_REQUIRE(table_.patch_at[point] >= 0, "candidate point {} has no patch to end", point);
  give_back_place(point, pool);
  list_active(pool);
}

void ContactSet::update_patches(const BodyMotion& motion, double time, bool is_located,
                                const EffectiveMass& effective_mass, PatchPool& pool,
                                std::vector<PatchChange>& changes) {
  changed_points_.clear();
  for (int point = 0; point < num_points(); ++point) {
    if ((overlaps_[point] != 0) != (table_.patch_at[point] >= 0)) changed_points_.push_back(point);
  }
  update_patches(changed_points_, motion, time, is_located, effective_mass, pool, changes);
}

void ContactSet::update_patches(std::span<const int> changed_points, const BodyMotion& motion, double time,
                                bool is_located, const EffectiveMass& effective_mass, PatchPool& pool,
                                std::vector<PatchChange>& changes) {
  changes.clear();
  for (const int point : changed_points) {
    const bool overlaps = table_.patch_at[point] < 0;
    PatchChange change{point, table_.patch_at[point], overlaps, calc_gap_rate(point, motion), {}, {}};
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

}  // namespace abut
