#include "abut/contact/region/carrier_field.hpp"

#include <algorithm>
#include <cmath>

#include "abut/contact/region/nearest_part.hpp"
#include "abut/geometry/volume/clip_solid.hpp"

namespace abut {

namespace {

/// A convex body lies within sqrt(n (n + 2)) standard deviations of its centroid, n = 3, along any direction (Kannan,
/// Lovasz, Simonovits; a cone's apex is that far), with a thousandth for the error of sliced moments [1].
constexpr double kConvexReach = 1.001 * 3.872983346207417;

VolumeMetrics to_frame(const VolumeMetrics& metrics, const Pose& X_WC) {
  return {metrics.volume, Vec3(X_WC.R.transpose() * (metrics.centroid - X_WC.p)),
          Mat3(X_WC.R.transpose() * metrics.inertia * X_WC.R), Vec3::Zero()};
}

double calc_depth(const Plane& plane, const Vec3& x) { return plane.offset - plane.normal.dot(x); }

}  // namespace

CarrierField::CarrierField(std::shared_ptr<const DepthField> field, const Collider& carrier, const Collider& other,
                           double relative_error)
    : held_(std::move(field)),
      field_(*held_),
      carrier_(carrier),
      other_(other),
      relative_error_(relative_error),
      is_convex_(!may_have_several_pieces(carrier.shape) && !may_have_several_pieces(other.shape)) {
  cells_.resize(std::max<std::size_t>(1, field_.solids.size()));
}

void CarrierField::add(const Pose& X_WC, const Pose& X_WO, std::span<const VolumeMetrics> parts,
                       const PolyhedronClip* clip, double weight, std::span<FieldWrench> wrenches) {
  if (parts.empty() || weight == 0.0) return;
  if (clip != nullptr && field_.is_flat()) return add_clip(*clip, parts[0], X_WC, weight, wrenches[0]);
  parts_.clear();
  local_.assign(parts.size(), FieldWrench{});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    LocalPart part{to_frame(parts[i], X_WC), Mat3::Zero(), -1};
    part.covariance =
        (0.5 * part.metrics.inertia.trace() * Mat3::Identity() - part.metrics.inertia) / part.metrics.volume;
    local_[i].point = part.metrics.centroid;
    parts_.push_back(part);
  }
  if (field_.is_flat()) {
    for (std::size_t k = 0; k < field_.solids.size(); ++k) add_solid(k, X_WC, X_WO, weight);
  } else if (field_.is_cut()) {
    add_regions(X_WC, X_WO, weight);
  } else {
    add_curved(X_WC, X_WO, weight);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FieldWrench& local = local_[i];
    wrenches[i].add({Vec3(X_WC.R * local.force), Vec3(X_WC.R * local.torque), Vec3(X_WC * local.point), local.stored});
  }
}

/// Of two flat solids the interference is at hand, with its vertices.
void CarrierField::add_clip(const PolyhedronClip& clip, const VolumeMetrics& metrics, const Pose& X_WC, double weight,
                            FieldWrench& wrench) {
  const Vec3 shift = X_WC.p - clip.origin();
  for (const FieldSolid& solid : field_.solids) {
    planes_.clear();
    for (const Plane& plane : solid.planes) {
      const Vec3 normal = X_WC.R * plane.normal;
      planes_.push_back({normal, plane.offset + normal.dot(shift)});
    }
    measure_depths(clip);
    if (std::any_of(most_.begin(), most_.end(), [](double d) { return d <= 0.0; })) continue;
    if (field_.solids.size() == 1) {
      add_nearest(clip, metrics, weight * solid.sign, wrench);
      continue;
    }
    inside_.start(clip);
    for (std::size_t i = 0; i < planes_.size() && !inside_.is_empty(); ++i) {
      if (least_[i] < 0.0) inside_.cut(planes_[i], ClipOwner::kB, static_cast<int>(i));
    }
    const VolumeMetrics inside = calc_clip_metrics(inside_);
    if (!(inside.volume > 0.0)) continue;
    measure_depths(inside_);
    add_nearest(inside_, inside, weight * solid.sign, wrench);
  }
}

void CarrierField::measure_depths(const PolyhedronClip& clip) {
  least_.assign(planes_.size(), HUGE_VAL);
  most_.assign(planes_.size(), -HUGE_VAL);
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    for (const Vec3& vertex : clip.vertices()) {
      const double depth = calc_depth(planes_[i], vertex);
      least_[i] = std::min(least_[i], depth);
      most_[i] = std::max(most_[i], depth);
    }
  }
}

/// No face is the nearest anywhere that is nowhere as near as the one whose farthest vertex is nearest. What is nearest
/// to others is cut out, and that one has the rest.
void CarrierField::add_nearest(const PolyhedronClip& clip, const VolumeMetrics& metrics, double weight,
                               FieldWrench& wrench) {
  const auto best = std::min_element(most_.begin(), most_.end()) - most_.begin();
  // The difference of two depths is linear: where it has one sign at all vertices, it has it everywhere.
  const auto is_nearer_somewhere = [&](const Plane& plane) {
    const Vec3 difference = planes_[best].normal - plane.normal;
    const double offset = planes_[best].offset - plane.offset;
    return std::any_of(clip.vertices().begin(), clip.vertices().end(),
                       [&](const Vec3& vertex) { return difference.dot(vertex) < offset; });
  };
  nearest_.assign(1, static_cast<int>(best));
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    if (static_cast<std::ptrdiff_t>(i) == best || !(least_[i] < most_[best])) continue;
    if (is_nearer_somewhere(planes_[i])) nearest_.push_back(static_cast<int>(i));
  }
  const Vec3 centroid = metrics.centroid - clip.origin();
  double rest = metrics.volume;
  Vec3 rest_moment = Vec3::Zero();  // of the rest, about the centroid of all
  for (const int i : nearest_) {
    if (i == static_cast<int>(best)) continue;
    const ClipVolume part = calc_nearest_part(clip, planes_, nearest_, i, piece_);
    if (!(part.volume > 0.0)) continue;
    wrench.add({Vec3(part.volume * planes_[i].normal), Vec3::Zero(), Vec3(clip.origin() + part.centroid),
                part.volume * calc_depth(planes_[i], part.centroid)},
               weight);
    rest -= part.volume;
    rest_moment -= part.volume * (part.centroid - centroid);
  }
  const Vec3& normal = planes_[best].normal;
  wrench.add({Vec3(rest * normal), Vec3(rest_moment.cross(normal)), metrics.centroid,
              rest * calc_depth(planes_[best], centroid) - normal.dot(rest_moment)},
             weight);
}

double CarrierField::calc_reach(const LocalPart& part, const Vec3& direction) const {
  return kConvexReach * std::sqrt(std::max(0.0, direction.dot(part.covariance * direction)));
}

/// Takes the depth below the face nearest to the centroid for all of a part that lies in the solid, and marks the faces
/// that may be nearer to some of it.
void CarrierField::mark_faces(const FieldSolid& solid, LocalPart& part, double weight, FieldWrench& wrench) {
  const Vec3& c = part.metrics.centroid;
  const std::vector<Plane>& planes = solid.planes;
  std::size_t nearest = 0;
  bool is_within = field_.solids.size() == 1;
  bool is_surely_within = is_convex_;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const double depth = calc_depth(planes[i], c);
    if (depth < calc_depth(planes[nearest], c)) nearest = i;
    if (is_within || !is_convex_) continue;
    const double reach = calc_reach(part, planes[i].normal);
    if (depth + reach <= 0.0) return;
    is_surely_within = is_surely_within && depth >= reach;
  }
  // A piece below a face that is taken for one of another part would lose the wrong depth: several parts have no base,
  // unless there is one face only.
  is_within = (is_within || is_surely_within) && (parts_.size() == 1 || planes.size() == 1);
  part.base = is_within ? static_cast<int>(nearest) : -1;
  if (is_within) wrench.add(calc_field_wrench(make_field_law(planes[nearest]), part.metrics), weight);
  const double least = calc_depth(planes[nearest], c);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (is_within && i == nearest) continue;
    const bool may_be_nearest =
        !is_convex_ || calc_depth(planes[i], c) - least <= calc_reach(part, planes[i].normal - planes[nearest].normal);
    if (may_be_nearest) is_needed_[i] = 1;
  }
}

void CarrierField::add_solid(std::size_t index, const Pose& X_WC, const Pose& X_WO, double weight) {
  const FieldSolid& solid = field_.solids[index];
  is_needed_.assign(solid.planes.size(), 0);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].base = -1;
    mark_faces(solid, parts_[i], weight * solid.sign, local_[i]);
  }
  for (std::size_t face = 0; face < solid.planes.size(); ++face) {
    if (is_needed_[face] == 0) continue;
    calc_cell(find_cell(index, face), X_WC, X_WO);
    for (const VolumeMetrics& piece : found_) {
      const std::size_t place = find_part_at(piece.centroid);
      const int base = parts_[place].base;
      if (base == static_cast<int>(face)) continue;
      FieldLaw law = make_field_law(solid.planes[face]);
      if (base >= 0) law = law - make_field_law(solid.planes[base]);
      local_[place].add(calc_field_wrench(law, piece), weight * solid.sign);
    }
  }
}

bool CarrierField::may_reach(const LocalPart& part, const FieldPart& cell) const {
  if (!is_convex_) return true;
  const Vec3& c = part.metrics.centroid;
  const double along = cell.axis.dot(c);
  if (along + calc_reach(part, cell.axis) <= cell.low) return false;
  // The distance from the axis is no less than that along any one direction across it.
  const Vec3 across = c - along * cell.axis;
  const double distance = across.norm();
  if (!(distance > 0.0) || !std::isfinite(cell.low_cone)) return true;
  return along - distance + calc_reach(part, cell.axis - across / distance) > cell.low_cone;
}

void CarrierField::add_curved(const Pose& X_WC, const Pose& X_WO, double weight) {
  for (std::size_t i = 0; i < parts_.size(); ++i)
    local_[i].add(calc_field_wrench(*field_.law, parts_[i].metrics), weight);
  cells_[0].resize(field_.parts.size());
  for (std::size_t k = 0; k < field_.parts.size(); ++k) {
    const FieldPart& own = field_.parts[k];
    if (std::none_of(parts_.begin(), parts_.end(), [&](const LocalPart& part) { return may_reach(part, own); }))
      continue;
    if (cells_[0][k] == nullptr) cells_[0][k] = std::make_unique<Cell>(make_cell(own.shape, own.X));
    calc_cell(*cells_[0][k], X_WC, X_WO);
    for (const VolumeMetrics& piece : found_)
      local_[find_part_at(piece.centroid)].add(calc_field_wrench(own.law, piece), weight);
  }
}

CarrierField::Cell& CarrierField::find_cell(std::size_t solid, std::size_t face) {
  std::vector<std::unique_ptr<Cell>>& list = cells_[solid];
  list.resize(field_.solids[solid].planes.size());
  if (list[face] == nullptr) {
    list[face] = std::make_unique<Cell>(make_cell(make_face_shape(field_.solids[solid], face), Pose()));
  }
  return *list[face];
}

/// What of the carrier lies in the solid and nearest to one of its faces.
Shape CarrierField::make_face_shape(const FieldSolid& solid, std::size_t face) const {
  const Plane& own = solid.planes[face];
  if (field_.polyhedron == nullptr) return Wedge{own.normal, make_parting(own, solid.planes[1 - face]).normal};
  PolyhedronClip clip;
  clip.start(*field_.polyhedron, Pose(), ClipOwner::kA);
  const auto cut = [&clip](const Plane& plane) {
    if (!clip.is_empty()) clip.cut(plane, ClipOwner::kA, 0);
  };
  if (field_.solids.size() > 1) std::for_each(solid.planes.begin(), solid.planes.end(), cut);
  for (std::size_t i = 0; i < solid.planes.size(); ++i) {
    const Plane parting = make_parting(own, solid.planes[i]);
    if (i == face) continue;
    if (!parting.normal.isZero()) cut(parting);
    if (parting.normal.isZero() && (parting.offset < 0.0 || (parting.offset == 0.0 && i < face))) clip.clear();
  }
  return Polyhedron{clip.is_empty() ? nullptr : make_clip_solid(clip)};
}

void CarrierField::calc_cell(Cell& cell, const Pose& X_WC, const Pose& X_WO) {
  found_.clear();
  if (cell.interference == nullptr) return;
  const bool is_bounded = std::isfinite(std::min(carrier_.bounding_radius, other_.bounding_radius));
  const Pose X = carrier_.bounding_radius <= other_.bounding_radius ? X_WO.inverse() * X_WC : X_WC.inverse() * X_WO;
  if (is_bounded && cell.watch.is_apart(X)) return;
  const Pose X_WP = X_WC * cell.X;
  // Regions of cells are dear to look into, and most of them stay empty: where one was, the distance is asked first.
  // Surfaces of meshes are apart where one lies inside the other, too.
  const bool is_mesh = std::holds_alternative<Mesh>(other_.shape) || std::holds_alternative<Torus>(other_.shape);
  const bool asks_first = field_.is_cut() && cell.was_empty && !is_mesh;
  const auto calc_distance = [&] { return cell.interference->calc_separation(X_WP, X_WO).distance; };
  if (asks_first) {
    const double distance = calc_distance();
    if (is_bounded) cell.watch.note(X, distance);
    if (distance > 0.0) return;
  }
  // Of one part all pieces are its own.
  cell.interference->calc(X_WP, X_WO, found_, parts_.size() == 1 ? Pieces::together : Pieces::apart);
  cell.was_empty = found_.empty();
  if (found_.empty() && is_bounded && !asks_first && cell.watch.wants_distance()) cell.watch.note(X, calc_distance());
  if (!is_part_of_all(found_)) found_.clear();
  for (VolumeMetrics& piece : found_) piece = to_frame(piece, X_WC);
}

/// What lies nearest to one face is a part of what the solids have in common. A look that finds more, as rounding at
/// the instant of a touch may, is worth nothing: the depth below the face nearest to the centroid stands for all.
bool CarrierField::is_part_of_all(std::span<const VolumeMetrics> pieces) const {
  const double more = std::max(1e-3, 10.0 * relative_error_);  // what slices may be off by, ten times
  double volume = 0.0, all = 0.0;
  for (const VolumeMetrics& piece : pieces) volume += piece.volume;
  for (const LocalPart& part : parts_) all += part.metrics.volume;
  return volume <= (1.0 + more) * all;
}

}  // namespace abut
