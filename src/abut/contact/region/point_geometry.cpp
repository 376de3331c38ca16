#include <algorithm>
#include <array>
#include <cmath>

#include "abut/contact/region/point_region.hpp"
#include "abut/geometry/capsule_pair.hpp"
#include "abut/geometry/manifold/mesh_manifold.hpp"

namespace abut {

namespace {

/// Solids farther apart than this part of the smaller one's radius, and than they come in some steps, have no points.
constexpr double kManifoldReach = 0.2;

}  // namespace

void PointRegion::match_manifolds() {
  std::vector<std::pair<std::pair<int, int>, ManifoldMemory>> old;
  for (std::size_t i = 0; i < manifolds_.size(); ++i) {
    if (manifold_pairs_[i].first >= 0) old.emplace_back(manifold_pairs_[i], manifolds_[i]);
  }
  const auto less = [](const auto& x, const auto& y) { return x.first < y.first; };
  std::sort(old.begin(), old.end(), less);
  manifolds_.clear();
  manifold_pairs_.clear();
  for (int c = 0; c < table_.candidates.size(); ++c) {
    const Candidate& candidate = table_.candidates[c];
    if (candidate.region != kKind || !is_manifold(candidate.pair.kind)) continue;
    manifolds_.resize(table_.candidates.size());
    manifold_pairs_.resize(table_.candidates.size(), {-1, -1});
    manifold_pairs_[c] = {candidate.collider_a, candidate.collider_b};
    const auto found = std::lower_bound(old.begin(), old.end(), std::pair(manifold_pairs_[c], ManifoldMemory{}), less);
    if (found != old.end() && found->first == manifold_pairs_[c]) manifolds_[c] = found->second;
  }
}

Vec3 PointRegion::calc_center(int index, const BodyMotion& motion) const {
  const Collider& collider = table_.colliders[index];
  const Pose& X_WB = motion.X_WB[collider.link];
  return collider.is_centered ? X_WB.p : Vec3(X_WB * collider.X_LS.p);
}

void PointRegion::calc_geometry(int index, const BodyMotion& motion, PointContact* out) {
  const Candidate& candidate = table_.candidates[index];
  if (calc_plain_spheres(candidate, motion, out)) return;
  const Collider& a = table_.colliders[candidate.collider_a];
  const Collider& b = table_.colliders[candidate.collider_b];
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
  // Hard bodies have no springs to hand over: their points have true gaps, or are lifted off. What a point that does
  // not carry has for a gap otherwise tells only when its turn comes, and hard contact would push that deep an overlap
  // apart.
  const bool is_hard = a.solid != nullptr && b.solid != nullptr;
  if (candidate.pair.kind == PointPairKind::kCapsuleCapsule && !is_hard &&
      calc_carried_geometry(candidate, motion, out)) {
    return;
  }
  calc_point_contacts(candidate.pair, a.shape, calc_collider_pose(a, motion.X_WB[a.link]), b.shape,
                      calc_collider_pose(b, X_WB), memories_[index], out);
}

void PointRegion::calc_manifold_geometry(int index, const BodyMotion& motion, PointContact* out) {
  const Candidate& candidate = table_.candidates[index];
  const bool swapped = candidate.pair.swapped;
  const Collider& a = table_.colliders[swapped ? candidate.collider_b : candidate.collider_a];
  const Collider& b = table_.colliders[swapped ? candidate.collider_a : candidate.collider_b];
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
  const double reach = kManifoldReach * size + 4.0 * table_.step * speed;
  if (candidate.pair.kind == PointPairKind::kMeshManifold) {
    calc_mesh_manifold(*a.solid, X_WA, *std::get<Mesh>(b.shape).solid, X_WB, reach, manifolds_[index], out);
  } else {
    calc_manifold(*a.solid, X_WA, *b.solid, X_WB, reach, manifolds_[index], out);
  }
  for (int k = 0; swapped && k < candidate.pair.num_points; ++k) out[k] = mirror(out[k]);
}

PatchKin PointRegion::find_kin(int point, const BodyMotion& motion, PatchPool&) const {
  const Candidate& candidate = table_.candidates.candidate_of_point(point);
  if (table_.patch_at[point] >= 0 || candidate.pair.kind != PointPairKind::kCapsuleCapsule) return {};
  const Collider &a = table_.colliders[candidate.collider_a], &b = table_.colliders[candidate.collider_b];
  std::array<bool, kCapsuleCapsulePoints> carries{};
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) carries[i] = table_.patch_at[candidate.first_point + i] >= 0;
  const int forerunner = find_forerunner(std::get<Capsule>(a.shape), calc_collider_pose(a, motion.X_WB[a.link]),
                                         std::get<Capsule>(b.shape), calc_collider_pose(b, motion.X_WB[b.link]),
                                         point - candidate.first_point, carries);
  PatchKin kin;
  if (forerunner >= 0) kin.place = table_.patch_at[candidate.first_point + forerunner];
  return kin;
}

/// Points of two capsules that carry do so until another takes over.
bool PointRegion::calc_carried_geometry(const Candidate& candidate, const BodyMotion& motion, PointContact* out) const {
  std::array<bool, kCapsuleCapsulePoints> carries{};
  for (int i = 0; i < kCapsuleCapsulePoints; ++i) carries[i] = table_.patch_at[candidate.first_point + i] >= 0;
  if (std::none_of(carries.begin(), carries.end(), [](bool does) { return does; })) return false;
  const Collider &a = table_.colliders[candidate.collider_a], &b = table_.colliders[candidate.collider_b];
  calc_carried_capsules(std::get<Capsule>(a.shape), calc_collider_pose(a, motion.X_WB[a.link]),
                        std::get<Capsule>(b.shape), calc_collider_pose(b, motion.X_WB[b.link]), carries, out);
  return true;
}

}  // namespace abut
