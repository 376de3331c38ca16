// Patches that come from others: parts that break off from a volume, and points that take over from others.

#include <algorithm>
#include <array>

#include "abut/contact/contact_set.hpp"
#include "abut/geometry/capsule_pair.hpp"

namespace abut {

PatchKin ContactSet::find_point_kin(int point, const BodyMotion& motion) const {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  if (patch_at_[point] >= 0 || candidate.region != RegionKind::point ||
      candidate.pair.kind != PointPairKind::kCapsuleCapsule)
    return {};
  const Collider &a = colliders_[candidate.collider_a], &b = colliders_[candidate.collider_b];
  std::array<bool, kCapsuleCapsulePoints> carries{};
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) carries[i] = patch_at_[candidate.first_point + i] >= 0;
  const int forerunner = find_forerunner(std::get<Capsule>(a.shape), calc_collider_pose(a, motion.X_WB[a.link]),
                                         std::get<Capsule>(b.shape), calc_collider_pose(b, motion.X_WB[b.link]),
                                         point - candidate.first_point, carries);
  PatchKin kin;
  if (forerunner >= 0) kin.place = patch_at_[candidate.first_point + forerunner];
  return kin;
}

/// Points of two capsules that carry do so until another takes over.
bool ContactSet::calc_carried_geometry(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const {
  std::array<bool, kCapsuleCapsulePoints> carries{};
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) carries[i] = patch_at_[candidate.first_point + i] >= 0;
  if (std::none_of(carries.begin(), carries.end(), [](bool does) { return does; })) return false;
  const Collider &a = colliders_[candidate.collider_a], &b = colliders_[candidate.collider_b];
  calc_carried_capsules(std::get<Capsule>(a.shape), calc_collider_pose(a, motion.X_WB[a.link]),
                        std::get<Capsule>(b.shape), calc_collider_pose(b, motion.X_WB[b.link]), carries, out);
  return true;
}

PatchKin ContactSet::find_kin(int point, const BodyMotion& motion, PatchPool& pool) const {
  const VolumeContact* volume = volume_geometry(point);
  if (volume == nullptr) return find_point_kin(point, motion);
  if (volume->kin < 0) return {};
  const int kin_point = candidates_.candidate_of_point(point).first_point + volume->kin;
  PatchKin kin;
  kin.place = patch_at_[kin_point];
  if (kin.place < 0 || patch_at_[point] >= 0) return kin;
  Patch& patch = pool.patches[kin.place];
  const Vec3 before = motion.X_WB[colliders_[patch.key.collider_b].link] * patch.last_centroid;
  kin.share = volume->volume / (volume->volume + volume_geometry(kin_point)->volume);
  const Mat3& R = motion.X_WB[colliders_[patch.key.collider_b].link].R;
  kin.gyration_radius =
      VolumeMetrics{patch.last_volume, Vec3::Zero(), patch.last_inertia, Vec3::Zero()}.calc_gyration_radius(
          R.transpose() * patch.last_normal);
  kin.arm = geometry_[point].point - before;
  kin.retreat = geometry_[kin_point].point - before;
  note_patch(kin_point, motion, patch);
  return kin;
}

}  // namespace abut
