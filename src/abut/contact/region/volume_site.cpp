#include "abut/contact/region/volume_site.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "abut/contact/region/principal_normal.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {

namespace {

/// Gaps below this part of the body's size are looked at closely: the normal at touch matters [1].
constexpr double kNearTouch = 1e-9;
/// How far a body is pushed to find the normal at touch, and to see how the volume grows, in parts of its size [1].
constexpr double kTouchProbe = 1e-7;
constexpr double kGrowthProbe = 1e-3;
/// Gap of bodies that are known not to overlap, but not how far they are apart, in parts of their size [1].
constexpr double kUnknownGap = 1e-9;
/// Gaps beyond this part of the size need not be exact for events: no touch is near [1].
constexpr double kFarGap = 1e-3;
/// Bounds on distances that are below zero by less than this part of the size are zero: rounding [1].
constexpr double kBoundRounding = 1e-12;
/// Distances of convex solids are right to this part of the size   [geometry/distance/support_distance.hpp]
constexpr double kDistanceRounding = 4e-12;
/// Hulls that come clear of each other when drawn apart by this part of the size only touch: beyond the rounding of
/// distances, whatever the angle to the normal up to 85 degrees, and far below any depth of hulls that are in each
/// other.
constexpr double kTouchingHulls = 1e-10;
/// Depth of a touch that lasts while nothing of it shows: no force, but not zero, where it would lift [m].
constexpr double kLasting = std::numeric_limits<double>::min();
/// Below this part of V^(2/3) the area vector says nothing any more: one body has swallowed the other [1].
constexpr double kLeastArea = 1e-2;
/// Below this part of V the force of a field has no direction to go by [1].
constexpr double kLeastForce = 1e-3;

/// A touch that is located begins shallower than this part of the body's size; a piece that begins deeper was there
/// before, as a part of another [1].
constexpr double kLocatedTouch = 1e-7;

/// New pieces no further from one with a patch than this many of their reaches are parts of it [1]. Chosen, not
/// derived: with 1 two sliding tori of facets still chattered, with 2 they do not.
constexpr double kBeside = 2.0;

/// Middle of the cells, in the frame of their link [m].
Vec3 calc_middle(const VolumeCells& cells) {
  Vec3 sum = Vec3::Zero();
  for (const Collider* cell : cells.list) sum += cell->X_LS * calc_shape_center(cell->shape);
  return sum / static_cast<double>(cells.list.size());
}

/// Largest distance of a cell from a point of its link's frame [m]: exact for flat ones, a bound for others.
double calc_farthest(const Collider& cell, const Vec3& from) {
  const auto* box = std::get_if<Box>(&cell.shape);
  const auto* polyhedron = std::get_if<Polyhedron>(&cell.shape);
  if (box == nullptr && polyhedron == nullptr) return (cell.X_LS.p - from).norm() + cell.bounding_radius;
  const std::vector<Vec3> corners =
      box != nullptr ? make_box_polyhedron(box->half_size).vertices() : polyhedron->solid->vertices();
  double farthest = 0.0;
  for (const Vec3& corner : corners) farthest = std::max(farthest, (cell.X_LS * corner - from).norm());
  return farthest;
}

/// About the middle of a box around all cells, so that it does not depend on how a body is cut.
double calc_radius(const VolumeCells& cells) {
  if (cells.list.size() == 1) return cells.first().bounding_radius;
  Aabb all;
  for (const Collider* cell : cells.list) {
    const Aabb own = calc_aabb(cell->shape, cell->X_LS);
    all.lower = all.lower.cwiseMin(own.lower);
    all.upper = all.upper.cwiseMax(own.upper);
  }
  double radius = 0.0;
  for (const Collider* cell : cells.list)
    radius = std::max(radius, calc_farthest(*cell, 0.5 * (all.lower + all.upper)));
  return radius;
}

/// Of two endless bodies, a cone on a plane, neither has a size; a decimetre will do for the probes [m].
double calc_size(const VolumeCells& a, const VolumeCells& b) {
  const double size = std::min(calc_radius(a), calc_radius(b));
  return std::isfinite(size) ? size : 0.1;
}

VolumeCells make_single(const Collider& collider) {
  return {{&collider}, nullptr, CellJoining::separate, !may_have_several_pieces(collider.shape)};
}

/// A patch at the end of its last step, where link b is now.
VolumeMetrics make_last_metrics(const Patch& patch, const Pose& X_WL) {
  return {patch.last_volume, Vec3(X_WL * patch.last_centroid), Mat3(X_WL.R * patch.last_inertia * X_WL.R.transpose()),
          Vec3::Zero()};
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

/// Slot whose patch was nearest to a piece at the end of the last step, in the measure of the patch; -1 without any.
int find_nearest_patch(const VolumeMetrics& piece, const Pose& X_WL, std::span<const Patch* const> patches) {
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t slot = 0; slot < patches.size(); ++slot) {
    if (patches[slot] == nullptr || !(patches[slot]->last_volume > 0.0)) continue;
    const double remoteness = calc_remoteness(make_last_metrics(*patches[slot], X_WL), piece.centroid);
    if (remoteness < least) std::tie(nearest, least) = std::pair(static_cast<int>(slot), remoteness);
  }
  return nearest;
}

/// Whether a piece is too thin to be sure of. The second moment of a thin piece over its volume is of the size of its
/// area, or rounding itself.
bool is_rounding(double volume, const Mat3& inertia, double size) {
  return volume * volume <= kNearTouch * size * std::abs(inertia.trace());
}

/// kLeastArea V^(2/3); zero, which saves the root, where the area is larger for sure.
double calc_least_area(const VolumeMetrics& piece, double area) {
  constexpr double kCube = 2.0 * kLeastArea * kLeastArea * kLeastArea;
  if (area * area * area > kCube * piece.volume * piece.volume) return 0.0;
  const double size = std::cbrt(piece.volume);
  return kLeastArea * size * size;
}

/// Volume over area. Of what is no more than rounding both are that, and their quotient is anything: there it is no
/// deeper than a cube of its volume, and than what is too thin to be sure of, so that the place of a touch is not known
/// from noise. (The cube alone is 1e-6 m for the 1e-18 m^3 that slices of a decimetre round to.)
double calc_mean_depth(const VolumeMetrics& piece, double least_area, double size) {
  const double depth = piece.volume / std::max(piece.area(), least_area);
  if (!is_rounding(piece.volume, piece.inertia, size)) return depth;
  return std::min({depth, std::cbrt(piece.volume), kNearTouch * size});
}

/// Whether a patch has shown no more than rounding so far. Of bodies that have just touched in several places rounding
/// chooses which of them overlap: a patch like that touches still when its piece does not show.
bool has_shown_only_rounding(const Patch& patch, double size) {
  return is_rounding(patch.last_volume, patch.last_inertia, size);
}

bool is_any(std::span<const Patch* const> patches) {
  return std::any_of(patches.begin(), patches.end(), [](const Patch* patch) { return patch != nullptr; });
}

/// Zero up to `rounding`, the distance itself from twice that on, a straight line between.
double leave_out_rounding(double distance, double rounding) {
  return distance < 2.0 * rounding ? std::max(0.0, 2.0 * (distance - rounding)) : distance;
}

}  // namespace

int count_volume_slots(const VolumeCells& a, const VolumeCells& b) {
  return may_have_several_pieces(a, b) ? kMaxVolumePieces : 1;
}

VolumeSite::VolumeSite(const VolumeCells& a, const VolumeCells& b, const VolumeRule& rule)
    : a_(a),
      b_(b),
      rule_(rule),
      num_slots_(count_volume_slots(a, b)),
      size_(calc_size(a, b)),
      pair_(a, b, rule.relative_error, rule.normal == VolumeNormal::field),
      has_field_(pair_.has_field()),
      piece_of_slot_(num_slots_, -1),
      samples_of_slot_(num_slots_) {}

VolumeSite::VolumeSite(const Collider& a, const Collider& b, const VolumeRule& rule)
    : VolumeSite(make_single(a), make_single(b), rule) {}

VolumeSite::Poses VolumeSite::calc_poses(const BodyMotion& motion) const {
  return {motion.X_WB[a_.first().link], motion.X_WB[b_.first().link]};
}

void VolumeSite::clear_slots(double gap, const Vec3& normal, const Vec3& point, PointContact* geometry,
                             VolumeContact* volumes) const {
  std::fill(geometry, geometry + num_slots_, PointContact{gap, normal, point});
  std::fill(volumes, volumes + num_slots_, VolumeContact{});
}

void VolumeSite::look(const Poses& poses, Gaps gaps, bool wants_wrenches) {
  now_ = find_known(poses, wants_wrenches);
  if (now_ < 0 && wants_wrenches && last_ >= 0 && last_ == find_known(poses, false)) {
    // The volumes are known, their forces not yet.
    Found& found = found_[now_ = last_];
    found.wrenches.clear();
    if (!found.pieces.empty()) pair_.calc_wrenches(poses.X_WA, poses.X_WB, found.wrenches);
    found.has_wrenches = true;
  } else if (now_ < 0) {
    now_ = last_ = gaps == Gaps::alone ? 1 : 0;
    Found& found = found_[now_];
    pair_.calc(poses.X_WA, poses.X_WB, gaps, found.pieces, wants_wrenches ? &found.wrenches : nullptr);
    found.poses = poses;
    found.is_valid = true;
    found.has_wrenches = wants_wrenches;
    found.apart.reset();
  }
  pieces_ = found_[now_].pieces;
  wrenches_.clear();
  if (wants_wrenches) wrenches_ = found_[now_].wrenches;
}

int VolumeSite::find_known(const Poses& poses, bool wants_wrenches) const {
  const auto is_same = [](const Pose& x, const Pose& y) { return x.p == y.p && x.R == y.R; };
  for (int i = 0; i < static_cast<int>(found_.size()); ++i) {
    const Found& found = found_[i];
    if (!found.is_valid || (wants_wrenches && !found.has_wrenches)) continue;
    // Samples are taken of what the pair looked at last.
    if (rule_.exact_spin && i != last_) continue;
    if (is_same(poses.X_WA, found.poses.X_WA) && is_same(poses.X_WB, found.poses.X_WB)) return i;
  }
  return -1;
}

bool VolumeSite::calc_far(const Poses& poses, std::span<const Patch* const> patches, PointContact* geometry,
                          VolumeContact* volumes) const {
  if (is_any(patches)) return false;
  const double left = pair_.calc_distance_left(poses.X_WA, poses.X_WB);
  if (!(left > kFarGap * size_)) return false;
  const Vec3 middle = poses.X_WA * a_.first().X_LS.p;
  clear_slots(std::max(size_, left), Vec3::UnitZ(), middle, geometry, volumes);
  geometry[0].gap = left;
  return true;
}

void VolumeSite::calc(const BodyMotion& motion, std::span<const Patch* const> patches, Gaps gaps,
                      PointContact* geometry, VolumeContact* volumes) {
  const Poses poses = calc_poses(motion);
  const bool wants_forces = gaps != Gaps::alone;
  if (gaps == Gaps::alone && calc_far(poses, patches, geometry, volumes)) return;
  look(poses, gaps, has_field_ && wants_forces);
  // A patch that knows its normal needs no other while its piece lasts.
  const bool goes_on =
      num_slots_ == 1 && pieces_.size() == 1 && patches[0] != nullptr && !patches[0]->last_normal.isZero();
  const Vec3 fallback = goes_on ? patches[0]->last_normal : calc_fallback_normal(poses);
  const Vec3 middle = poses.X_WA * a_.first().X_LS.p;
  if (pieces_.empty() && gaps == Gaps::sign) return clear_slots(size_, fallback, middle, geometry, volumes);
  if (pieces_.empty()) {
    // One slot is on the watch for a touch; the others would otherwise all begin a contact at once.
    Found& known = found_[now_];
    if (!known.apart || (wants_forces && !known.has_normal)) {
      describe_apart(poses, fallback, wants_forces, known.apart.emplace());
      known.has_normal = wants_forces;
    }
    PointContact apart = *known.apart;
    if (apart.gap == kUnknownGap * size_ && do_hulls_touch(poses, fallback, patches)) apart.gap = 0.0;
    const bool has_patch = is_any(patches);
    for (int slot = 0; slot < num_slots_; ++slot) {
      const bool is_watched = has_patch ? patches[slot] != nullptr : slot == 0;
      geometry[slot] = is_watched ? apart : PointContact{std::max(size_, apart.gap), apart.normal, apart.point};
      const bool may_touch = apart.gap == kUnknownGap * size_ || apart.gap == 0.0;
      if (may_touch && patches[slot] != nullptr && is_about_to_show(*patches[slot], motion))
        geometry[slot].gap = -kLasting;
    }
    std::fill(volumes, volumes + num_slots_, VolumeContact{});
    return;
  }
  assign_pieces(poses.X_WB, patches);
  for (int slot = 0; slot < num_slots_; ++slot) {
    volumes[slot] = VolumeContact{};
    if (piece_of_slot_[slot] < 0) {
      const bool waits = patches[slot] != nullptr && has_shown_only_rounding(*patches[slot], size_);
      geometry[slot] = {waits ? -kLasting : size_, fallback, middle};
    } else {
      describe_piece(piece_of_slot_[slot], fallback, patches[slot], geometry[slot], volumes[slot]);
    }
  }
  // A touch is located where the volume begins to show, and is all rounding there: so is its normal.
  const bool has_patch = is_any(patches);
  if (gaps == Gaps::exact && pieces_.size() == 1 && !has_patch && -geometry[0].gap < kNearTouch * size_)
    look_closely(poses, fallback, geometry[0]);
  if (num_slots_ > 1) find_kin(poses.X_WB, patches, volumes);
  // Where touches are located, what begins deep has broken off from another piece. Nothing comes from nowhere by that:
  // with a field all pieces together hold what they held before, without one the energy is shared out.
  for (int slot = 0; slot < num_slots_ && gaps == Gaps::exact; ++slot) {
    if (piece_of_slot_[slot] < 0 || patches[slot] != nullptr || volumes[slot].kin >= 0) continue;
    if (-geometry[slot].gap > kLocatedTouch * size_)
      volumes[slot].kin = find_nearest_patch(pieces_[piece_of_slot_[slot]], poses.X_WB, patches);
  }
  if (rule_.exact_spin && wants_forces) share_samples(poses, volumes);
}

/// Each patch goes on with the piece nearest to where it was, nearest ones first; new pieces take the free slots in
/// their own order, and what finds none is joined to the piece nearest to it. A new piece beside one that has a patch
/// is a part of that: where facets slide over each other pieces split and join without end, and only parts that have
/// come clear of each other are contacts of their own.
void VolumeSite::assign_pieces(const Pose& X_WL, std::span<const Patch* const> patches) {
  std::fill(piece_of_slot_.begin(), piece_of_slot_.end(), -1);
  slot_of_piece_.assign(pieces_.size(), -1);
  const int num_pieces = static_cast<int>(pieces_.size());
  if (num_slots_ == 1) {
    for (int i = 1; i < num_pieces; ++i) join_pieces(0, i);
    piece_of_slot_[0] = 0;
    std::fill(slot_of_piece_.begin(), slot_of_piece_.end(), 0);
    return;
  }
  take_nearest(X_WL, patches);
  for (int i = 0; i < num_pieces; ++i) {
    if (slot_of_piece_[i] < 0) place_new_piece(i, patches);
  }
}

void VolumeSite::take_nearest(const Pose& X_WL, std::span<const Patch* const> patches) {
  std::vector<std::tuple<double, int, int>> distances;
  for (int slot = 0; slot < num_slots_; ++slot) {
    if (patches[slot] == nullptr) continue;
    const Vec3 last = X_WL * patches[slot]->last_centroid;
    for (int i = 0; i < static_cast<int>(pieces_.size()); ++i)
      distances.emplace_back((pieces_[i].centroid - last).squaredNorm(), slot, i);
  }
  std::sort(distances.begin(), distances.end());
  for (const auto& [distance, slot, piece] : distances) {
    if (piece_of_slot_[slot] >= 0 || slot_of_piece_[piece] >= 0) continue;
    piece_of_slot_[slot] = piece;
    slot_of_piece_[piece] = slot;
  }
}

int VolumeSite::find_slot_beside(const VolumeMetrics& piece, std::span<const Patch* const> patches) const {
  for (int slot = 0; slot < num_slots_; ++slot) {
    if (piece_of_slot_[slot] >= 0 && patches[slot] != nullptr && are_close(pieces_[piece_of_slot_[slot]], piece))
      return slot;
  }
  return -1;
}

/// Of bodies that touch already a piece apart from the others begins where it is more than rounding, and ends where it
/// no longer shows. With one border for both, a corner that comes after another one would touch and lift without end.
void VolumeSite::place_new_piece(int piece, std::span<const Patch* const> patches) {
  int slot = find_slot_beside(pieces_[piece], patches);
  if (slot < 0 && is_any(patches) && is_rounding(pieces_[piece].volume, pieces_[piece].inertia, size_)) return;
  if (slot < 0) {
    for (slot = 0; slot < num_slots_ && (piece_of_slot_[slot] >= 0 || patches[slot] != nullptr);) ++slot;
    if (slot < num_slots_) {
      piece_of_slot_[slot] = piece;
      slot_of_piece_[piece] = slot;
      return;
    }
    double least = std::numeric_limits<double>::infinity();
    for (int other = 0; other < num_slots_; ++other) {
      if (piece_of_slot_[other] < 0) continue;
      const double distance = (pieces_[piece_of_slot_[other]].centroid - pieces_[piece].centroid).squaredNorm();
      if (distance < least) std::tie(least, slot) = std::pair(distance, other);
    }
  }
  slot_of_piece_[piece] = slot;
  join_pieces(piece_of_slot_[slot], piece);
}

void VolumeSite::join_pieces(int into, int from) {
  pieces_[into] = join(pieces_[into], pieces_[from]);
  if (!wrenches_.empty()) wrenches_[into].add(wrenches_[from]);
}

int VolumeSite::find_past(const VolumeMetrics& piece, const Pose& X_WL, std::span<const Patch* const> patches) const {
  for (int slot = 0; slot < num_slots_; ++slot) {
    const Patch* patch = patches[slot];
    if (patch == nullptr || piece_of_slot_[slot] < 0 || !(patch->last_volume > 0.0)) continue;
    if (are_close(make_last_metrics(*patch, X_WL), piece)) return slot;
  }
  return -1;
}

void VolumeSite::find_kin(const Pose& X_WL, std::span<const Patch* const> patches, VolumeContact* volumes) const {
  for (int slot = 0; slot < num_slots_; ++slot) {
    const int piece = piece_of_slot_[slot];
    if (piece >= 0 && patches[slot] == nullptr) volumes[slot].kin = find_past(pieces_[piece], X_WL, patches);
    if (piece < 0 && patches[slot] != nullptr && patches[slot]->last_volume > 0.0)
      volumes[slot].kin = find_slot_beside(make_last_metrics(*patches[slot], X_WL), patches);
  }
}

/// Along the field's force. A body that is squeezed from all sides has none to speak of, and keeps its normal.
Vec3 VolumeSite::choose_normal(int index, const Vec3& geometric, const Vec3& previous, double& definition) const {
  const VolumeMetrics& piece = pieces_[index];
  definition = 1.0;
  if (!wrenches_.empty()) {
    const double force = wrenches_[index].force.norm();
    if (force > kLeastForce * piece.volume) return wrenches_[index].force / force;
    return previous.isZero() ? geometric : previous;
  }
  if (rule_.normal != VolumeNormal::principal) return geometric;
  const PrincipalNormal principal = calc_principal_normal(piece.inertia, geometric, previous, rule_.normal_memory);
  definition = principal.definition;
  return principal.normal;
}

void VolumeSite::describe_piece(int index, const Vec3& fallback, const Patch* patch, PointContact& geometry,
                                VolumeContact& volume) const {
  const VolumeMetrics& piece = pieces_[index];
  const double area = piece.area(), least_area = calc_least_area(piece, area);
  const Vec3 previous = patch == nullptr ? Vec3::Zero() : patch->last_normal;
  const Vec3 geometric = area > least_area ? Vec3(piece.area_vector / area) : (previous.isZero() ? fallback : previous);
  const Vec3 normal = choose_normal(index, geometric, previous, volume.definition);
  geometry.gap = -calc_mean_depth(piece, least_area, size_);
  geometry.normal = normal;
  geometry.point = piece.centroid;
  volume.volume = piece.volume;
  volume.spin_scale = rule_.spin_scale;
  volume.area = area;
  volume.inertia = piece.inertia;
  volume.gyration_radius = piece.calc_gyration_radius(normal);
  if (wrenches_.empty()) return;
  const FieldWrench& wrench = wrenches_[index];
  volume.has_field = true;
  volume.field_force = wrench.force;
  volume.field_torque = wrench.torque + (wrench.point - piece.centroid).cross(wrench.force);
  volume.field_energy = std::max(0.0, wrench.stored);  // rounding
}

double VolumeSite::calc_gap(const Poses& poses) {
  const SeparationBound bound = pair_.calc_separation(poses.X_WA, poses.X_WB);
  // A bound above zero goes to zero at the touch as a distance does. A least gap in its place would be a jump there, on
  // which neither touch nor lift could be located.
  // Exactly zero is what overlapping hulls have, whatever is cut out of them.
  const bool is_rounding = bound.distance < 0.0 && bound.distance > -kBoundRounding * size_;
  // Bodies that rest on each other beside their middles would lift and touch again by the rounding of their distance.
  if (bound.is_exact || bound.distance > 0.0 || is_rounding)
    return leave_out_rounding(std::max(0.0, bound.distance), kDistanceRounding * size_);
  return kUnknownGap * size_;
}

/// Hulls whose distance is exactly zero are in each other, as a plug in a hole, or have met to the last bit: a crate
/// that rests on a nut. There the gap is nothing, not unknown; else the rounding of poses would end contacts and begin
/// them anew, without end.
bool VolumeSite::do_hulls_touch(const Poses& poses, const Vec3& fallback, std::span<const Patch* const> patches) {
  const auto parts_along = [&](const Vec3& normal) {
    const Pose X_WA(poses.X_WA.R, Vec3(poses.X_WA.p + kTouchingHulls * size_ * normal));
    return pair_.calc_separation(X_WA, poses.X_WB).distance > 2.0 * kDistanceRounding * size_;
  };
  const bool has_parted = std::any_of(patches.begin(), patches.end(), [&](const Patch* patch) {
    return patch != nullptr && !patch->last_normal.isZero() && parts_along(patch->last_normal);
  });
  return has_parted || parts_along(fallback);
}

/// A touch is found where a piece shows, or where the distance is rounding, and rounding may hide the piece again a
/// little farther on. While the bodies go on into each other there the touch lasts.
bool VolumeSite::is_about_to_show(const Patch& patch, const BodyMotion& motion) const {
  if (!has_shown_only_rounding(patch, size_)) return false;
  const int a = a_.first().link, b = b_.first().link;
  const Vec3 point = motion.X_WB[b] * patch.last_centroid;
  const auto calc_velocity = [&](int link) {
    return Vec3(motion.v_WCm[link] + motion.w_WB[link].cross(point - motion.p_WCm[link]));
  };
  return (calc_velocity(a) - calc_velocity(b)).dot(patch.last_normal) < 0.0;
}

void VolumeSite::describe_apart(const Poses& poses, const Vec3& fallback, bool wants_normal, PointContact& geometry) {
  geometry = {calc_gap(poses), fallback, Vec3(poses.X_WA * a_.first().X_LS.p)};
  if (wants_normal && geometry.gap <= kNearTouch * size_) look_closely(poses, fallback, geometry);
}

void VolumeSite::look_closely(const Poses& poses, const Vec3& fallback, PointContact& geometry) {
  const VolumeMetrics touch = probe_touch(poses, fallback, std::max(0.0, geometry.gap) + kTouchProbe * size_);
  if (!(touch.volume > 0.0) || !(touch.area() > 0.0)) return;
  geometry.normal = touch.area_vector.normalized();
  geometry.point = touch.centroid;
}

VolumeMetrics VolumeSite::probe(const Poses& poses, const Vec3& direction, double depth) {
  std::vector<VolumeMetrics> found;
  last_ = -1;
  pair_.calc({poses.X_WA.R, Vec3(poses.X_WA.p - depth * direction)}, poses.X_WB, Gaps::exact, found);
  VolumeMetrics largest;
  for (const VolumeMetrics& piece : found) {
    if (piece.volume > largest.volume) largest = piece;
  }
  return largest;
}

/// In a hole or a groove the wall lies where the middles do not tell, but the way in which the distance grows does.
/// Where that is not known either all sides are tried, and the best one once more along the normal that it found, which
/// takes the sideways part out of the push.
VolumeMetrics VolumeSite::probe_touch(const Poses& poses, const Vec3& expected, double depth) {
  VolumeMetrics best = probe(poses, expected, depth);
  if (best.volume > 0.0) return best;
  const auto calc_distance = [&](const Vec3& shift) {
    const Pose X_WA(poses.X_WA.R, Vec3(poses.X_WA.p + shift));
    return std::max(0.0, pair_.calc_separation(X_WA, poses.X_WB).distance);
  };
  Vec3 growth = Vec3::Zero();
  for (int i = 0; i < 3; ++i) growth[i] = calc_distance(depth * Vec3::Unit(i)) - calc_distance(-depth * Vec3::Unit(i));
  // Along the normal it grows by twice the depth; by less where only a bound is known.
  if (growth.norm() > 0.5 * depth) {
    best = probe(poses, growth.normalized(), depth);
    if (best.volume > 0.0) return best;
  }
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
  const Collider &a = a_.first(), &b = b_.first();
  if (const auto* plane = std::get_if<HalfSpace>(&b.shape)) return poses.X_WB.R * (b.X_LS.R * plane->normal);
  if (const auto* plane = std::get_if<HalfSpace>(&a.shape)) return -(poses.X_WA.R * (a.X_LS.R * plane->normal));
  const Vec3 between = poses.X_WA * calc_middle(a_) - poses.X_WB * calc_middle(b_);
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
  pair_.calc_samples(poses.X_WA, poses.X_WB, rule_.spin_detail, samples_of_piece_);
  for (std::vector<VolumeSample>& list : samples_of_slot_) list.clear();
  for (std::size_t i = 0; i < std::min(samples_of_piece_.size(), slot_of_piece_.size()); ++i) {
    if (slot_of_piece_[i] < 0) continue;
    std::vector<VolumeSample>& list = samples_of_slot_[slot_of_piece_[i]];
    list.insert(list.end(), samples_of_piece_[i].begin(), samples_of_piece_[i].end());
  }
  for (int slot = 0; slot < num_slots_; ++slot) volumes[slot].samples = samples_of_slot_[slot];
}

}  // namespace abut
