#include "abut/geometry/volume/volume_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/volume/cap_volumes.hpp"
#include "abut/geometry/volume/unit_quadric.hpp"
#include "abut/math/union_find.hpp"

namespace abut {
namespace {

/// Smaller volumes, in parts of the radius cubed, are those of spheres that overlap by 1e-13 of it: the faces' rounding
/// decides, and no quadrature converges [1].
constexpr double kNegligible = 1e-26;

QuadratureOptions make_slicing(const VolumeOptions& options, const Region& region) {
  const double radius = std::isfinite(region.radius) ? region.radius : 0.0;
  return {options.relative_error, options.max_intervals, false, kNegligible * radius * radius * radius};
}

bool is_single_quadric(const std::vector<Cell>& cells, QuadricKind kind, bool is_complement = false) {
  return cells.size() == 1 && cells[0].region.planes.empty() && cells[0].region.quadrics.size() == 1 &&
         cells[0].region.quadrics[0].kind == kind && cells[0].region.quadrics[0].is_complement == is_complement;
}

bool is_single_sphere(const std::vector<Cell>& cells, bool is_complement = false) {
  return is_single_quadric(cells, QuadricKind::ellipsoid, is_complement) && cells[0].region.quadrics[0].is_sphere();
}

/// A ball less another about the same centre, below a plane: a bowl.
bool is_single_shell(const std::vector<Cell>& cells) {
  if (cells.size() != 1 || cells[0].region.planes.size() != 1 || cells[0].region.quadrics.size() != 2) return false;
  const Quadric &outer = cells[0].region.quadrics[0], &inner = cells[0].region.quadrics[1];
  const auto is_ball = [](const Quadric& q) { return q.kind == QuadricKind::ellipsoid && q.is_sphere(); };
  return is_ball(outer) && is_ball(inner) && !outer.is_complement && inner.is_complement && outer.X.p == inner.X.p;
}

bool is_single_plane(const std::vector<Cell>& cells) {
  return cells.size() == 1 && cells[0].region.planes.size() == 1 && cells[0].region.quadrics.empty();
}

/// Whether a straight line fits into the cell: then it overlaps a half-space without end.
bool holds_line(const Cell& cell) {
  if (cell.hull.is_bounded()) return false;
  Mat3 spanned = Mat3::Zero();  // normals of everything that stops a line
  for (const RegionPlane& plane : cell.region.planes) spanned += plane.normal * plane.normal.transpose();
  for (const Quadric& quadric : cell.region.quadrics) {
    if (quadric.is_complement) continue;
    if (quadric.kind != QuadricKind::cylinder) return false;
    spanned += Mat3::Identity() - quadric.axis() * quadric.axis().transpose();
  }
  return std::abs(spanned.determinant()) < 1e-9;
}

/// Whether the cell is a half-space, or all of space but for holes.
bool is_half_of_space(const Cell& cell) {
  const bool has_solid_quadric = std::any_of(cell.region.quadrics.begin(), cell.region.quadrics.end(),
                                             [](const Quadric& quadric) { return !quadric.is_complement; });
  return !has_solid_quadric && cell.region.planes.size() <= 1;
}

bool is_never_bounded(const Cell& a, const Cell& b) {
  if (a.hull.is_bounded() || b.hull.is_bounded()) return false;
  if (is_half_of_space(a) && a.region.planes.empty()) return true;
  return is_half_of_space(a) && holds_line(b);
}

/// False when a plane of the cell keeps all of the other's hull out.
bool may_overlap(const Region& cell, const CellHull& other) {
  if (!other.is_bounded()) return true;
  return std::none_of(cell.planes.begin(), cell.planes.end(), [&other](const RegionPlane& plane) {
    return -other.calc_support(-plane.normal) >= plane.offset;
  });
}

/// Whether a hole is nowhere near the other solid.
bool is_out_of_reach(const Quadric& quadric, const CellHull& other) {
  if (!quadric.is_complement || !other.is_bounded()) return false;
  const UnitFrame frame = make_unit_frame(quadric);
  const double outside = make_unit_quadric(quadric).calc_outside(frame.to_unit(other.X.p));
  return outside * frame.scale.minCoeff() > other.calc_radius();
}

/// Whether a curved face has all of the other solid on its inner side, far from its surface: the outside of a bowl.
bool is_around(const Quadric& quadric, const CellHull& other) {
  if (quadric.is_complement || !other.is_bounded()) return false;
  const UnitFrame frame = make_unit_frame(quadric);
  const double outside = make_unit_quadric(quadric).calc_outside(frame.to_unit(other.X.p));
  return -outside * frame.scale.minCoeff() >= other.calc_radius();
}

bool has_face_around(const Region& placed, const CellHull& other) {
  return std::any_of(placed.quadrics.begin(), placed.quadrics.end(),
                     [&other](const Quadric& quadric) { return is_around(quadric, other); });
}

/// Whether a plane of either solid lies face to face with one of the other, nothing between them but rounding: they
/// touch, and have no volume in common.
bool is_flush(const Region& region) {
  constexpr double kRounding = 4e-14;  // of the coordinates; half-spaces count as larger by 1e-14 each
  for (const RegionPlane& a : region.planes) {
    for (const RegionPlane& b : region.planes) {
      if (a.owner != 0 || b.owner != 1 || a.normal.dot(b.normal) > -1.0 + 1e-14) continue;
      const double coordinates = std::abs(a.offset) + region.radius;
      if (a.offset + b.offset <= kRounding * coordinates && (a.normal + b.normal).norm() <= kRounding) return true;
    }
  }
  return false;
}

/// Adds the faces of one cell; those that the other's hull keeps clear of are left out if asked, and so are those a
/// mesh stands for. Returns how many were left out for the other's sake.
int add_faces(const Cell& cell, const Region& placed, const CellHull& other, bool leave_out, bool use_flat, int owner,
              Region& region) {
  int num_left_out = 0;
  for (std::size_t k = 0; k < placed.planes.size(); ++k) {
    const RegionPlane& plane = placed.planes[k];
    if (use_flat && k - cell.flat->first_plane < cell.flat->num_planes) continue;
    if (leave_out && other.is_bounded() && other.calc_support(plane.normal) <= plane.offset) {
      ++num_left_out;
    } else {
      region.planes.push_back({plane.normal, plane.offset, owner});
    }
  }
  for (const Quadric& quadric : placed.quadrics) {
    if (is_out_of_reach(quadric, other)) continue;
    if (leave_out && is_around(quadric, other)) {
      ++num_left_out;
      continue;
    }
    region.quadrics.push_back(quadric);
    region.quadrics.back().owner = owner;
  }
  for (const RegionMesh& mesh : placed.meshes) {
    region.meshes.push_back(mesh);
    region.meshes.back().owner = owner;
  }
  return num_left_out;
}

/// Pieces of meshes on both sides of a plane have the corners of their outline there in common.
bool shares_point(const RegionPiece& a, const RegionPiece& b, const Region& region_b, double slack) {
  for (const Vec3& point : a.surface_points) {
    if (!is_within(region_b, point, slack)) continue;
    for (const Vec3& other : b.surface_points) {
      if ((other - point).squaredNorm() <= slack * slack) return true;
    }
  }
  return false;
}

VolumeMetrics make_metrics(const RegionPiece& piece, const Pose& X_WA) {
  VolumeMetrics metrics = make_volume_metrics(piece.moments, piece.origin, piece.area_vector);
  metrics.centroid = X_WA * metrics.centroid;
  metrics.inertia = X_WA.R * metrics.inertia * X_WA.R.transpose();
  metrics.area_vector = X_WA.R * metrics.area_vector;
  return metrics;
}

}  // namespace

VolumePair VolumePair::make(const Solid& a, const Solid& b, const VolumeOptions& options) {
  VolumePair pair;
  pair.options_ = options;
  if (!(options.relative_error > 0.0)) {
    throw InputError(fmt::format("relative_error must be positive, got {}", options.relative_error));
  }
  pair.solid_a_ = a;
  pair.solid_b_ = b;
  pair.cells_a_ = make_cells(a);
  pair.cells_b_ = make_cells(b);
  pair.is_convex_ = is_convex(a) && is_convex(b);
  pair.refuse_unbounded(a, b);
  pair.choose_method();
  // Plain shapes are as well sliced, and faster; not where two planes without end meet, whose slices change everywhere.
  const auto is_wedge = [](const std::vector<Cell>& cells) {
    return cells.size() == 1 && cells[0].region.planes.size() == 2 && cells[0].region.quadrics.empty();
  };
  const bool is_cut = a.parts.size() > 1 || b.parts.size() > 1 || is_wedge(pair.cells_a_) || is_wedge(pair.cells_b_);
  for (const Cell& cell_a : pair.cells_a_) {
    for (const Cell& cell_b : pair.cells_b_) {
      const double radius = std::min(cell_a.region.radius, cell_b.region.radius);
      if (is_cut && !cell_a.flat && !cell_b.flat) pair.enclosures_.try_emplace(radius, pair.make_enclosure(radius));
    }
  }
  return pair;
}

std::shared_ptr<const ClosedMesh> VolumePair::make_enclosure(double radius) const {
  if (!std::isfinite(radius)) return nullptr;
  // A tetrahedron has the fewest faces; its corners are three times as far away as those.
  const double corner = 1.1 * std::sqrt(3.0) * radius;
  MeshData mesh;
  mesh.vertices = {corner * Vec3(1, 1, 1), corner * Vec3(1, -1, -1), corner * Vec3(-1, 1, -1),
                   corner * Vec3(-1, -1, 1)};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return std::make_shared<const ClosedMesh>(make_closed_mesh(std::move(mesh), "enclosure"));
}

void VolumePair::refuse_unbounded(const Solid& a, const Solid& b) const {
  for (const Cell& cell_a : cells_a_) {
    for (const Cell& cell_b : cells_b_) {
      if (!is_never_bounded(cell_a, cell_b) && !is_never_bounded(cell_b, cell_a)) continue;
      throw InputError(
          fmt::format("{} and {} are both endless and overlap without end in every pose: give one of them an end "
                      "(a box, a finite cylinder or cone)",
                      describe(a), describe(b)));
    }
  }
}

void VolumePair::choose_method() {
  if (is_single_sphere(cells_a_) && is_single_sphere(cells_b_)) {
    method_ = Method::sphere_lens;
    return;
  }
  is_a_first_ = is_single_sphere(cells_a_);
  if (is_single_sphere(is_a_first_ ? cells_a_ : cells_b_) &&
      is_single_sphere(is_a_first_ ? cells_b_ : cells_a_, true)) {
    method_ = Method::sphere_crescent;
    return;
  }
  if (is_single_sphere(is_a_first_ ? cells_a_ : cells_b_) && is_single_shell(is_a_first_ ? cells_b_ : cells_a_)) {
    method_ = Method::sphere_shell;
    return;
  }
  is_a_first_ = !is_single_plane(cells_a_);
  const std::vector<Cell>&body = is_a_first_ ? cells_a_ : cells_b_, &plane = is_a_first_ ? cells_b_ : cells_a_;
  if (!is_single_plane(plane) || !is_single_quadric(body, QuadricKind::ellipsoid)) return;
  method_ = is_single_sphere(body) ? Method::sphere_cap : Method::ellipsoid_cap;
}

bool VolumePair::calc_closed_form(const Pose& X_WA, const Pose& X_WB, VolumeMetrics& metrics) const {
  if (method_ == Method::slices) return false;
  if (method_ == Method::sphere_lens) {
    const Quadric &a = cells_a_[0].region.quadrics[0], &b = cells_b_[0].region.quadrics[0];
    metrics = calc_sphere_lens(X_WA * a.X.p, a.size.x(), X_WB * b.X.p, b.size.x());
    return true;
  }
  const Pose &X_body = is_a_first_ ? X_WA : X_WB, &X_plane = is_a_first_ ? X_WB : X_WA;
  const Quadric& body = (is_a_first_ ? cells_a_ : cells_b_)[0].region.quadrics[0];
  if (method_ == Method::sphere_shell) {
    if (!calc_shell_crescent(X_body, X_plane, metrics)) return false;
    if (!is_a_first_) metrics = metrics.mirrored();
    return true;
  }
  if (method_ == Method::sphere_crescent) {
    const Quadric& hole = (is_a_first_ ? cells_b_ : cells_a_)[0].region.quadrics[0];
    metrics = calc_sphere_crescent(X_body * body.X.p, body.size.x(), X_plane * hole.X.p, hole.size.x());
    if (!is_a_first_) metrics = metrics.mirrored();
    return true;
  }
  const RegionPlane& plane = (is_a_first_ ? cells_b_ : cells_a_)[0].region.planes[0];
  const Vec3 normal = X_plane.R * plane.normal;
  // Seen from a point of the plane, so that nothing is lost far from the world's origin.
  const Vec3 foot = X_plane * Vec3(plane.offset * plane.normal);
  if (method_ == Method::sphere_cap) {
    metrics = calc_sphere_cap(X_body * body.X.p - foot, body.size.x(), normal, 0.0);
  } else {
    Pose X = X_body * body.X;
    X.p -= foot;
    metrics = calc_ellipsoid_cap(X, body.size, normal, 0.0);
  }
  metrics.centroid += foot;
  if (!is_a_first_) metrics.area_vector = -metrics.area_vector;
  return true;
}

bool VolumePair::calc_shell_crescent(const Pose& X_ball, const Pose& X_shell, VolumeMetrics& metrics) const {
  const Quadric& ball = (is_a_first_ ? cells_a_ : cells_b_)[0].region.quadrics[0];
  const Region& shell = (is_a_first_ ? cells_b_ : cells_a_)[0].region;
  const double r = ball.size.x(), outer = shell.quadrics[0].size.x(), inner = shell.quadrics[1].size.x();
  const Vec3 center = X_ball * ball.X.p, middle = X_shell * shell.quadrics[0].X.p, away = center - middle;
  const double distance = away.norm(), depth = distance + r - inner;
  metrics = {};
  if (!(depth > 0.0)) return true;
  if (distance + r > outer || distance <= std::abs(inner - r)) return false;
  // The crescent lies in a cap of the ball, which reaches no higher than its rim and its height together.
  const double height = depth * (distance + r + inner) / (2.0 * distance);
  const double rim = std::sqrt(std::max(0.0, height * (2.0 * r - height)));
  const RegionPlane& lip = shell.planes[0];
  const Vec3 up = X_shell.R * lip.normal, u = away / distance;
  const double along = up.dot(u), across = std::sqrt(std::max(0.0, 1.0 - along * along));
  const double top = (distance + r - height) * along + rim * across + height * std::max(0.0, along);
  if (top > lip.offset - lip.normal.dot(shell.quadrics[0].X.p)) return false;
  metrics = calc_sphere_crescent(center, r, middle, inner);
  return true;
}

bool VolumePair::make_region(const Cell& a, const Cell& b, const Pose& X_AB, Region& region) const {
  region.planes.clear(), region.quadrics.clear(), region.meshes.clear();
  CellHull hull_b = b.hull;
  hull_b.X = X_AB * b.hull.X;
  const double radius_a = a.region.radius, radius_b = b.region.radius;
  if ((a.region.center - hull_b.X.p).norm() > radius_a + radius_b) return false;
  Region region_b;
  transform_region(b.region, X_AB, region_b);
  if (!may_overlap(a.region, hull_b) || !may_overlap(region_b, a.hull)) return false;
  // With at most one quadric a polyhedron goes as a mesh: that is exact, and faster. The quadrics are counted first.
  const bool is_a_around = has_face_around(a.region, hull_b), is_b_around = has_face_around(region_b, a.hull);
  add_faces(a, a.region, hull_b, is_a_around, false, 0, region);
  add_faces(b, region_b, a.hull, is_b_around, false, 1, region);
  const bool can_use_flat = region.meshes.empty() && region.quadrics.size() <= 1 && (a.flat || b.flat);
  const bool is_flat_a = can_use_flat && a.flat && (!b.flat || a.flat->num_planes >= b.flat->num_planes);
  const bool is_flat_b = can_use_flat && !is_flat_a;
  region.planes.clear(), region.quadrics.clear(), region.meshes.clear();
  // A face may go when the other solid lies on its inner side, as long as that solid is all there: faces of both must
  // not go for each other's sake. Planes of a polyhedron that goes as a mesh are there in any case. Curved faces cost
  // more than flat ones: a solid that loses one goes first.
  const bool is_plane_first =
      is_flat_b || !b.region.meshes.empty() ||
      (!is_flat_a && a.region.meshes.empty() && a.region.planes.size() > region_b.planes.size());
  const bool is_a_first = is_a_around || (is_plane_first && !is_b_around);
  if (is_a_first) {
    const int num_left_out = add_faces(a, a.region, hull_b, true, is_flat_a, 0, region);
    add_faces(b, region_b, a.hull, num_left_out == 0, is_flat_b, 1, region);
  } else {
    const int num_left_out = add_faces(b, region_b, a.hull, true, is_flat_b, 1, region);
    add_faces(a, a.region, hull_b, num_left_out == 0, is_flat_a, 0, region);
  }
  if (is_flat_a) {
    region.meshes.push_back(a.flat->mesh);
    region.meshes.back().owner = 0;
  } else if (is_flat_b) {
    region.meshes.push_back(b.flat->mesh);
    region.meshes.back().X = X_AB * b.flat->mesh.X;
    region.meshes.back().owner = 1;
  }
  region.center = radius_a <= radius_b ? a.region.center : hull_b.X.p;
  region.radius = std::min(radius_a, radius_b);
  if (is_flush(region)) return false;
  if (region.meshes.empty() && region.quadrics.size() <= 1) {
    const auto enclosure = enclosures_.find(region.radius);
    if (enclosure != enclosures_.end() && enclosure->second != nullptr)
      region.meshes.push_back({enclosure->second, Pose(Mat3::Identity(), region.center), false, 0});
  }
  return true;
}

void VolumePair::calc(const Pose& X_WA, const Pose& X_WB, std::vector<VolumeMetrics>& pieces, Pieces wanted) {
  pieces.clear();
  estimated_error_ = 0.0;
  VolumeMetrics metrics;
  if (calc_closed_form(X_WA, X_WB, metrics)) {
    if (metrics.volume > 0.0) pieces.push_back(metrics);
    return;
  }
  const bool is_one = is_convex_ || wanted == Pieces::together;
  calc_region_pieces(X_WA.inverse() * X_WB, is_one);
  join_pieces(is_one);
  for (const RegionPiece& piece : region_pieces_) pieces.push_back(make_metrics(piece, X_WA));
}

void VolumePair::calc_region_pieces(const Pose& X_AB, bool is_one) {
  region_pieces_.clear();
  piece_regions_.clear();
  regions_.clear();
  for (const Cell& a : cells_a_) {
    for (const Cell& b : cells_b_) {
      if (make_region(a, b, X_AB, region_)) regions_.push_back(region_);
    }
  }
  const RegionSplit split =
      is_one ? RegionSplit::none : (regions_.size() == 1 ? RegionSplit::connected : RegionSplit::joinable);
  if (volumes_.size() < regions_.size()) volumes_.resize(regions_.size());
  int num_filled = 0;
  for (std::size_t k = 0; k < regions_.size(); ++k) {
    volumes_[k].integrate(regions_[k], make_slicing(options_, regions_[k]), split);
    estimated_error_ = std::max(estimated_error_, volumes_[k].relative_error());
    num_filled += volumes_[k].is_empty() ? 0 : 1;
  }
  // Where one region only has something in it there is nothing to be joined.
  const bool has_joints = split == RegionSplit::joinable && num_filled > 1;
  for (std::size_t k = 0; k < regions_.size(); ++k) {
    volumes_[k].add_pieces(has_joints || split == RegionSplit::none ? split : RegionSplit::connected, region_pieces_);
    piece_regions_.resize(region_pieces_.size(), k);
  }
}

/// Pieces of different cells that share a face are one. `is_one`: all of them are, as those of convex solids.
void VolumePair::join_pieces(bool is_one) {
  const int n = static_cast<int>(region_pieces_.size());
  UnionFind sets(n);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (sets.find(i) != sets.find(j) && (is_one || is_joined(i, j))) sets.join(i, j);
    }
  }
  for (int k = n; k-- > 0;) {
    if (sets.find(k) == k) continue;
    RegionPiece& into = region_pieces_[sets.find(k)];
    const RegionPiece& from = region_pieces_[k];
    into.moments += shift_moments(from.moments, from.origin - into.origin);
    into.area_vector += from.area_vector;
    region_pieces_.erase(region_pieces_.begin() + k);
  }
}

bool VolumePair::is_joined(std::size_t i, std::size_t j) const {
  if (piece_regions_[i] == piece_regions_[j]) return false;
  const RegionPiece &a = region_pieces_[i], &b = region_pieces_[j];
  const double slack = 1e-7 * std::cbrt(std::max(a.moments.volume, b.moments.volume));
  return touches(a, b, regions_[piece_regions_[j]], slack) || touches(b, a, regions_[piece_regions_[i]], slack);
}

/// Whether a point of a's surface lies in b's cell and near b.
bool VolumePair::touches(const RegionPiece& a, const RegionPiece& b, const Region& region_b, double slack) {
  if (b.surface_points.empty()) return false;
  if (a.is_mesh && b.is_mesh) return shares_point(a, b, region_b, slack);
  Vec3 lower = b.surface_points[0], upper = b.surface_points[0];
  for (const Vec3& point : b.surface_points) lower = lower.cwiseMin(point), upper = upper.cwiseMax(point);
  const Vec3 margin = Vec3::Constant(0.02 * (upper - lower).norm());
  for (const Vec3& point : a.surface_points) {
    const bool is_near =
        (point.array() >= (lower - margin).array()).all() && (point.array() <= (upper + margin).array()).all();
    if (is_near && is_within(region_b, point, slack)) return true;
  }
  return false;
}

void VolumePair::calc_samples(const Pose& X_WA, const Pose& X_WB, int detail, std::vector<VolumeSample>& samples) {
  samples.clear();
  const Pose X_AB = X_WA.inverse() * X_WB;
  for (const Cell& a : cells_a_) {
    for (const Cell& b : cells_b_) {
      if (!make_region(a, b, X_AB, region_)) continue;
      region_pieces_.clear();
      const QuadratureOptions slicing = make_slicing(options_, region_);
      if (volumes_.empty()) volumes_.emplace_back();
      volumes_[0].calc(region_, slicing, RegionSplit::none, region_pieces_);
      volumes_[0].add_samples(detail, samples);
    }
  }
  for (VolumeSample& sample : samples) sample.point = X_WA * sample.point;
}

}  // namespace abut
