// Patches that come from others: parts that break off from a volume, and points that take over from others.

#include <array>

#include "abut/contact/contact_set.hpp"
#include "abut/geometry/capsule_pair.hpp"

namespace abut {

PatchKin ContactSet::find_point_kin(int point, const BodyMotion& motion) const {
  const Candidate& candidate = candidates_.candidate_of_point(point);
  if (patch_at_[point] >= 0 || candidate.site >= 0 || candidate.perimeter >= 0 ||
      candidate.pair.kind != PointPairKind::kCapsuleCapsule)
    return {};
  const Collider &a = colliders_[candidate.collider_a], &b = colliders_[candidate.collider_b];
  std::array<bool, kCapsuleCapsulePoints> carries{};
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) carries[i] = patch_at_[candidate.first_point + i] >= 0;
  const int forerunner = find_forerunner(std::get<Capsule>(a.shape), calc_collider_pose(a, motion.X_WB[a.link]),
                                         std::get<Capsule>(b.shape), calc_collider_pose(b, motion.X_WB[b.link]),
                                         &geometry_[candidate.first_point], point - candidate.first_point, carries);
  PatchKin kin;
  if (forerunner >= 0) kin.place = patch_at_[candidate.first_point + forerunner];
  return kin;
}

/// Points of two capsules hand over while the difference of their gaps goes through a window of some times its
/// rounding: what they are lifted by there is all rounding. One that carries goes on until it is clearly lifted, or the
/// two capsules really part there; it would lift and touch again without end otherwise.
void ContactSet::hold_in_hand_over(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const {
  constexpr double kClear = 0.25, kTrace = 1e-12;  // of the sum of the radii
  const Collider &a = colliders_[candidate.collider_a], &b = colliders_[candidate.collider_b];
  const auto &capsule_a = std::get<Capsule>(a.shape), &capsule_b = std::get<Capsule>(b.shape);
  const double reach = capsule_a.radius + capsule_b.radius;
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) {
    if (!(out[i].gap > 0.0) || out[i].gap >= kClear * reach || patch_at_[candidate.first_point + i] < 0) continue;
    const double gap = calc_true_gap(capsule_a, calc_collider_pose(a, motion.X_WB[a.link]), capsule_b,
                                     calc_collider_pose(b, motion.X_WB[b.link]), out[i].point);
    if (gap < -kTrace * reach) out[i].gap = -kTrace * reach;
  }
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
