#include "abut/contact/region/volume_site.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "abut/contact/region/principal_normal.hpp"

namespace abut {

namespace {

/// Gaps below this part of the body's size are looked at closely: the normal at touch matters [1].
constexpr double kNearTouch = 1e-9;
/// How far a body is pushed to find the normal at touch, and to see how the volume grows, in parts of its size [1].
constexpr double kTouchProbe = 1e-7;
constexpr double kGrowthProbe = 1e-3;
/// Gap of bodies that are known not to overlap, but not how far they are apart, in parts of their size [1].
constexpr double kUnknownGap = 1e-9;
/// Below this part of V^(2/3) the area vector says nothing any more: one body has swallowed the other [1].
constexpr double kLeastArea = 1e-2;

/// New pieces no further from one with a patch than this many of their reaches are parts of it [1]. Chosen, not
/// derived: with 1 two sliding tori of facets still chattered, with 2 they do not.
constexpr double kBeside = 2.0;

/// Of two endless bodies, a cone on a plane, neither has a size; a decimetre will do for the probes [m].
double calc_size(const Collider& a, const Collider& b) {
  const double size = std::min(a.bounding_radius, b.bounding_radius);
  return std::isfinite(size) ? size : 0.1;
}

VolumeMetrics join(const VolumeMetrics& x, const VolumeMetrics& y) {
  VolumeMetrics sum;
  sum.volume = x.volume + y.volume;
  sum.area_vector = x.area_vector + y.area_vector;
  sum.centroid = (x.volume * x.centroid + y.volume * y.centroid) / sum.volume;
  for (const VolumeMetrics* part : {&x, &y}) {
    const Vec3 arm = part->centroid - sum.centroid;
    sum.inertia += part->inertia + part->volume * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  return sum;
}

/// Whether two pieces all but touch, taken for ellipsoids of their second moments: along the line of their middles.
bool are_close(const VolumeMetrics& x, const VolumeMetrics& y) {
  const Vec3 between = x.centroid - y.centroid;
  const double distance = between.norm();
  if (!(distance > 0.0)) return true;
  const Vec3 d = between / distance;
  // A solid ellipsoid that reaches r along d has the second moment V r^2 / 5 there, and tr J is twice the sum of all.
  const auto reach = [&d](const VolumeMetrics& piece) {
    const double moment = 0.5 * piece.inertia.trace() - d.dot(piece.inertia * d);
    return std::sqrt(5.0 * std::max(0.0, moment) / piece.volume);
  };
  return distance <= kBeside * (reach(x) + reach(y));
}

}  // namespace

int count_volume_slots(const Shape& a, const Shape& b) {
  return may_have_several_pieces(a) || may_have_several_pieces(b) ? kMaxVolumePieces : 1;
}

VolumeSite::VolumeSite(const Collider& a, const Collider& b, const VolumeRule& rule)
    : a_(&a),
      b_(&b),
      rule_(rule),
      num_slots_(count_volume_slots(a.shape, b.shape)),
      size_(calc_size(a, b)),
      watch_(size_),
      pair_(Interference::make(a.shape, b.shape, {.relative_error = rule.relative_error})),
      piece_of_slot_(num_slots_, -1),
      samples_of_slot_(num_slots_) {}

VolumeSite::Poses VolumeSite::calc_poses(const BodyMotion& motion) const {
  return {calc_collider_pose(*a_, motion.X_WB[a_->link]), calc_collider_pose(*b_, motion.X_WB[b_->link])};
}

Pose VolumeSite::calc_relative_pose(const Poses& poses) const {
  const bool is_a_smaller = a_->bounding_radius <= b_->bounding_radius;
  return is_a_smaller ? poses.X_WB.inverse() * poses.X_WA : poses.X_WA.inverse() * poses.X_WB;
}

void VolumeSite::clear_slots(double gap, const Vec3& normal, const Vec3& point, PointContact* geometry,
                             VolumeContact* volumes) const {
  std::fill(geometry, geometry + num_slots_, PointContact{gap, normal, point});
  std::fill(volumes, volumes + num_slots_, VolumeContact{});
}

void VolumeSite::calc(const BodyMotion& motion, std::span<const Patch* const> patches, Gaps gaps,
                      PointContact* geometry, VolumeContact* volumes) {
  const Poses poses = calc_poses(motion);
  const bool can_watch = gaps == Gaps::sign && std::isfinite(std::min(a_->bounding_radius, b_->bounding_radius));
  if (can_watch && watch_.is_apart(calc_relative_pose(poses)))
    return clear_slots(size_, calc_fallback_normal(poses), poses.X_WA.p, geometry, volumes);
  pieces_.clear();
  pair_.calc(poses.X_WA, poses.X_WB, pieces_);
  const Vec3 fallback = calc_fallback_normal(poses);
  if (pieces_.empty() && gaps == Gaps::sign) {
    if (can_watch && watch_.wants_distance())
      watch_.note(calc_relative_pose(poses), pair_.calc_separation(poses.X_WA, poses.X_WB).distance);
    return clear_slots(size_, fallback, poses.X_WA.p, geometry, volumes);
  }
  if (pieces_.empty()) {
    // One slot is on the watch for a touch; the others would otherwise all begin a contact at once.
    PointContact apart;
    describe_apart(poses, fallback, apart);
    const bool has_patch = std::any_of(patches.begin(), patches.end(), [](const Patch* p) { return p != nullptr; });
    for (int slot = 0; slot < num_slots_; ++slot) {
      const bool is_watched = has_patch ? patches[slot] != nullptr : slot == 0;
      geometry[slot] = is_watched ? apart : PointContact{std::max(size_, apart.gap), apart.normal, apart.point};
    }
    std::fill(volumes, volumes + num_slots_, VolumeContact{});
    return;
  }
  assign_pieces(motion.X_WB[b_->link], patches);
  for (int slot = 0; slot < num_slots_; ++slot) {
    volumes[slot] = VolumeContact{};
    if (piece_of_slot_[slot] < 0) {
      geometry[slot] = {size_, fallback, poses.X_WA.p};
    } else {
      describe_piece(pieces_[piece_of_slot_[slot]], fallback, patches[slot], geometry[slot], volumes[slot]);
    }
  }
  if (rule_.exact_spin) share_samples(poses, volumes);
}

/// Each patch goes on with the piece nearest to where it was, nearest ones first; new pieces take the free slots in
/// their own order, and what finds none is joined to the piece nearest to it. A new piece beside one that has a patch
/// is a part of that: where facets slide over each other pieces split and join without end, and only parts that have
/// come clear of each other are contacts of their own.
void VolumeSite::assign_pieces(const Pose& X_WL, std::span<const Patch* const> patches) {
  std::fill(piece_of_slot_.begin(), piece_of_slot_.end(), -1);
  const int num_pieces = static_cast<int>(pieces_.size());
  if (num_slots_ == 1) {
    for (int i = 1; i < num_pieces; ++i) pieces_[0] = join(pieces_[0], pieces_[i]);
    piece_of_slot_[0] = 0;
    return;
  }
  std::vector<std::tuple<double, int, int>> distances;
  for (int slot = 0; slot < num_slots_; ++slot) {
    if (patches[slot] == nullptr) continue;
    const Vec3 last = X_WL * patches[slot]->last_centroid;
    for (int i = 0; i < num_pieces; ++i) distances.emplace_back((pieces_[i].centroid - last).squaredNorm(), slot, i);
  }
  std::sort(distances.begin(), distances.end());
  std::vector<bool> is_taken(pieces_.size(), false);
  for (const auto& [distance, slot, piece] : distances) {
    if (piece_of_slot_[slot] >= 0 || is_taken[piece]) continue;
    piece_of_slot_[slot] = piece;
    is_taken[piece] = true;
  }
  int slot = 0;
  for (int i = 0; i < num_pieces; ++i) {
    if (is_taken[i]) continue;
    const auto beside = std::find_if(piece_of_slot_.begin(), piece_of_slot_.end(), [&](const int& other) {
      return other >= 0 && patches[&other - piece_of_slot_.data()] != nullptr && are_close(pieces_[other], pieces_[i]);
    });
    if (beside != piece_of_slot_.end()) {
      pieces_[*beside] = join(pieces_[*beside], pieces_[i]);
      continue;
    }
    while (slot < num_slots_ && (piece_of_slot_[slot] >= 0 || patches[slot] != nullptr)) ++slot;
    if (slot < num_slots_) {
      piece_of_slot_[slot] = i;
      continue;
    }
    int nearest = -1;
    for (const int other : piece_of_slot_) {
      if (other < 0) continue;
      const auto distance = [&](int k) { return (pieces_[k].centroid - pieces_[i].centroid).squaredNorm(); };
      if (nearest < 0 || distance(other) < distance(nearest)) nearest = other;
    }
    if (nearest >= 0) pieces_[nearest] = join(pieces_[nearest], pieces_[i]);
  }
}

void VolumeSite::describe_piece(const VolumeMetrics& piece, const Vec3& fallback, const Patch* patch,
                                PointContact& geometry, VolumeContact& volume) const {
  const double least_area = kLeastArea * std::cbrt(piece.volume) * std::cbrt(piece.volume);
  const double area = piece.area();
  const Vec3 previous = patch == nullptr ? Vec3::Zero() : patch->last_normal;
  const Vec3 geometric = area > least_area ? Vec3(piece.area_vector / area) : (previous.isZero() ? fallback : previous);
  const PrincipalNormal principal =
      rule_.is_normal_geometric ? PrincipalNormal{geometric, 1.0}
                                : calc_principal_normal(piece.inertia, geometric, previous, rule_.normal_memory);
  geometry.gap = -piece.volume / std::max(area, least_area);
  geometry.normal = principal.normal;
  geometry.point = piece.centroid;
  volume.volume = piece.volume;
  volume.spin_scale = rule_.spin_scale;
  volume.area = area;
  volume.inertia = piece.inertia;
  volume.definition = principal.definition;
  volume.gyration_radius =
      std::sqrt(std::max(0.0, principal.normal.dot(piece.inertia * principal.normal)) / piece.volume);
}

double VolumeSite::calc_gap(const Poses& poses) {
  const SeparationBound bound = pair_.calc_separation(poses.X_WA, poses.X_WB);
  return std::max(bound.distance, bound.is_exact ? 0.0 : kUnknownGap * size_);
}

void VolumeSite::describe_apart(const Poses& poses, const Vec3& fallback, PointContact& geometry) {
  geometry = {calc_gap(poses), fallback, poses.X_WA.p};
  if (geometry.gap > kNearTouch * size_) return;
  const VolumeMetrics touch = probe_touch(poses, fallback, geometry.gap + kTouchProbe * size_);
  if (!(touch.volume > 0.0) || !(touch.area() > 0.0)) return;
  geometry.normal = touch.area_vector.normalized();
  geometry.point = touch.centroid;
}

VolumeMetrics VolumeSite::probe(const Poses& poses, const Vec3& direction, double depth) {
  std::vector<VolumeMetrics> found;
  pair_.calc({poses.X_WA.R, Vec3(poses.X_WA.p - depth * direction)}, poses.X_WB, found);
  VolumeMetrics largest;
  for (const VolumeMetrics& piece : found) {
    if (piece.volume > largest.volume) largest = piece;
  }
  return largest;
}

/// In a hole or a groove the wall lies where the middles do not tell: then all sides are tried, and the best one once
/// more along the normal that it found, which takes the sideways part out of the push.
VolumeMetrics VolumeSite::probe_touch(const Poses& poses, const Vec3& expected, double depth) {
  VolumeMetrics best = probe(poses, expected, depth);
  if (best.volume > 0.0) return best;
  for (int code = 0; code < 27; ++code) {
    const Vec3 direction(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
    if (direction.isZero()) continue;
    const VolumeMetrics found = probe(poses, direction.normalized(), depth);
    if (found.volume > best.volume) best = found;
  }
  if (!(best.area() > 0.0)) return best;
  const VolumeMetrics straight = probe(poses, best.area_vector.normalized(), depth);
  return straight.volume > 0.0 ? straight : best;
}

/// From the middle of B to that of A; out of the plane where one is a half-space.
Vec3 VolumeSite::calc_fallback_normal(const Poses& poses) const {
  if (const auto* plane = std::get_if<HalfSpace>(&b_->shape)) return poses.X_WB.R * plane->normal;
  if (const auto* plane = std::get_if<HalfSpace>(&a_->shape)) return -(poses.X_WA.R * plane->normal);
  const Vec3 between = poses.X_WA * calc_shape_center(a_->shape) - poses.X_WB * calc_shape_center(b_->shape);
  const double distance = between.norm();
  return distance > 0.0 ? Vec3(between / distance) : Vec3::UnitZ();
}

NormalCoefficients VolumeSite::make_law_by_depth(const NormalCoefficients& by_volume, const BodyMotion& motion,
                                                 const Vec3& normal) {
  const Poses poses = calc_poses(motion);
  // From where the two just touch; bodies that overlap already are first drawn apart by their mean depth.
  const VolumeMetrics now = probe(poses, normal, 0.0);
  const double start = now.volume > 0.0 && now.area() > 0.0 ? -now.volume / now.area() : calc_gap(poses);
  const double depth = kGrowthProbe * size_;
  const double once = probe(poses, normal, start + depth).volume;
  const double twice = probe(poses, normal, start + 2.0 * depth).volume;
  NormalCoefficients law = by_volume;
  law.exponent = once > 0.0 && twice > once ? std::clamp(std::log2(twice / once), 1.0, 3.0) : 1.0;
  law.damping_exponent = law.exponent;
  // Where the probe finds nothing, the smallest force that could matter stands in for the unknown.
  const double growth = once > 0.0 ? once / std::pow(depth, law.exponent) : size_ * size_;
  law.stiffness *= growth;
  law.damping *= growth;
  return law;
}

void VolumeSite::share_samples(const Poses& poses, VolumeContact* volumes) {
  samples_.clear();
  pair_.calc_samples(poses.X_WA, poses.X_WB, rule_.spin_detail, samples_);
  for (std::vector<VolumeSample>& list : samples_of_slot_) list.clear();
  for (const VolumeSample& sample : samples_) {
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int slot = 0; slot < num_slots_; ++slot) {
      if (piece_of_slot_[slot] < 0) continue;
      const double distance = (pieces_[piece_of_slot_[slot]].centroid - sample.point).squaredNorm();
      if (distance < least) std::tie(least, nearest) = std::pair(distance, slot);
    }
    if (nearest >= 0) samples_of_slot_[nearest].push_back(sample);
  }
  for (int slot = 0; slot < num_slots_; ++slot) volumes[slot].samples = samples_of_slot_[slot];
}

}  // namespace abut
