#include "abut/geometry/volume/region_volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/volume/mesh_shell.hpp"
#include "abut/geometry/volume/slice_samples.hpp"

namespace abut {
namespace {

/// Slices flatter than this against an axis are left to the chords: the ellipses grow as its inverse.
constexpr double kLeastQuality = 0.05;

double calc_worst_quality(const Region& region, const Vec3& axis) {
  double worst = 1.0;
  for (const Quadric& quadric : region.quadrics) worst = std::min(worst, calc_slice_quality(quadric, axis));
  return worst;
}

/// Steepness of the flattest plane of one owner: its lines sweep the slices fastest. Planes along the slices are fine.
double calc_steepness(const SlicedRegion& sliced, int owner) {
  double least = std::numeric_limits<double>::infinity();
  for (const int k : sliced.line_planes) {
    const RegionPlane& plane = sliced.region.planes[k];
    if (plane.owner == owner) least = std::min(least, plane.normal.head<2>().norm());
  }
  return least;
}

/// Without axes to respect: along an edge if there is one, so that two planes leave fixed lines, else along the
/// principal axis of a quadric that is most nearly perpendicular to the line of centres or to the only plane.
Vec3 choose_free_direction(const Region& region) {
  if (region.planes.size() >= 2) {
    const Vec3& n = region.planes[0].normal;
    Vec3 edge = Vec3::Zero();
    for (const RegionPlane& plane : region.planes) {
      const Vec3 other = n.cross(plane.normal);
      if (other.squaredNorm() > edge.squaredNorm() * 1.0001) edge = other;
    }
    if (edge.norm() > 1e-3) return edge.normalized();
  }
  if (region.planes.size() >= 1) return any_perpendicular(region.planes[0].normal);
  const Quadric& first = region.quadrics.front();
  const Vec3 between = region.quadrics.back().X.p - first.X.p;
  Vec3 best = Vec3::UnitZ();
  double least = std::numeric_limits<double>::infinity();
  for (const Quadric* quadric : {&first, &region.quadrics.back()}) {
    for (int k = 0; k < 3; ++k) {
      const double along = std::abs(quadric->X.R.col(k).dot(between));
      if (along < least * (1.0 - 1e-9)) least = along, best = quadric->X.R.col(k);
    }
  }
  return best;
}

/// Of the places of surfaces, in parts of the scale.
constexpr double kRounding = 4e-14;
/// Where rounding is a larger part of the mean thickness than this, slices at tapering ends come and go.
constexpr double kThin = 1e-6;
/// More pieces than two cells have in common: it is rounding that parts them.
constexpr std::size_t kMostComponents = 64;

/// Parts of a mesh are computed to this part of the error asked for, since some of them cancel.
constexpr double kTetrahedronShare = 0.1;

/// Sides of the pyramids that stand for wide cones; the most where more than kPlainError is asked for, whose meshes
/// take a second to make.
constexpr int kFewestSides = 64, kMostSides = 512, kMostSidesOfAll = 2048;
constexpr double kPlainError = 1e-7;
/// Twice the sides leave an eighth of the error, so that the difference of the two is seven times what is left; half of
/// it is taken, since where a curve ends within a side is a matter of chance [1].
constexpr double kFacetError = 0.5;

RegionPiece sum_pieces(const std::vector<RegionPiece>& pieces, const Vec3& origin) {
  RegionPiece sum;
  sum.origin = origin;
  for (const RegionPiece& piece : pieces) {
    sum.moments += shift_moments(piece.moments, piece.origin - origin);
    sum.area_vector += piece.area_vector;
  }
  return sum;
}

std::vector<VolumeSample> list_centroids(const std::vector<RegionPiece>& pieces) {
  std::vector<VolumeSample> samples;
  for (const RegionPiece& piece : pieces) {
    const Vec3 centroid = piece.origin + piece.moments.first / piece.moments.volume;
    samples.push_back({centroid, piece.moments.volume});
  }
  return samples;
}

/// Of volume and centroid, and a tenth of that of the area vector, in parts of the volume and the matching powers of
/// its size. Where the curve of both surfaces runs along a side, the normal there is that of the side: the area vector,
/// which converges by one power less, is allowed ten times the error.
double calc_difference(const RegionPiece& a, const RegionPiece& b) {
  const double volume = std::max(a.moments.volume, b.moments.volume);
  if (!(volume > 0.0)) return 0.0;
  const double size = std::cbrt(volume);
  return std::max({std::abs(a.moments.volume - b.moments.volume) / volume,
                   (a.moments.first - b.moments.first).norm() / (volume * size),
                   0.1 * (a.area_vector - b.area_vector).norm() / std::max(size * size, a.area_vector.norm())});
}

/// Adds what is no larger than a part of the largest component, or than its own rounding, to that.
void join_slivers(double share, std::vector<SliceComponent>& components) {
  const auto is_smaller = [](const SliceComponent& a, const SliceComponent& b) { return a.sums[0] < b.sums[0]; };
  const auto largest = std::max_element(components.begin(), components.end(), is_smaller) - components.begin();
  SliceComponent all = components[largest];
  const double least = share * all.sums[0];
  std::vector<SliceComponent> kept;
  std::size_t place = 0;
  for (std::size_t k = 0; k < components.size(); ++k) {
    SliceComponent& component = components[k];
    if (static_cast<std::ptrdiff_t>(k) == largest) {
      place = kept.size();
      kept.emplace_back();
    } else if (component.sums[0] > std::max(least, component.rounding)) {
      kept.push_back(std::move(component));
    } else {
      all.sums += component.sums;
      all.surface_points.insert(all.surface_points.end(), component.surface_points.begin(),
                                component.surface_points.end());
    }
  }
  kept[place] = std::move(all);
  components.swap(kept);
}

/// What is less than nothing is a hole of no part: then slices were told apart wrongly, and all is one piece.
void join_holes(std::vector<SliceComponent>& components) {
  const auto is_hole = [](const SliceComponent& component) { return !(component.sums[0] > 0.0); };
  if (std::none_of(components.begin(), components.end(), is_hole)) return;
  std::vector<Vec3>& points = components[0].surface_points;
  for (std::size_t k = 1; k < components.size(); ++k)
    points.insert(points.end(), components[k].surface_points.begin(), components[k].surface_points.end());
  components.resize(1);
}

/// Of a region without a sound volume every component is a sliver.
double calc_sliver_share(const SliceSums& sums, const QuadratureOptions& options, std::size_t num_components) {
  if (sums[0] < options.negligible || num_components > kMostComponents) return 1.0;
  const double share = options.rounding * sums.tail<3>().matrix().norm() / sums[0];
  return share > kThin ? share : 0.0;
}

/// Adds the four planes of a tetrahedron; false if it is out of the region's reach.
bool limit_to_tetrahedron(const std::array<Vec3, 4>& x, int owner, Region& region) {
  const Vec3 center = 0.25 * (x[0] + x[1] + x[2] + x[3]);
  double radius = 0.0;
  for (const Vec3& corner : x) radius = std::max(radius, (corner - center).norm());
  if ((center - region.center).norm() > radius + region.radius) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = x[(i + 1) % 4], &b = x[(i + 2) % 4], &c = x[(i + 3) % 4];
    Vec3 n = (b - a).cross(c - a).normalized();
    if (n.dot(x[i] - a) > 0.0) n = -n;
    region.planes.push_back({n, n.dot(a), owner});
  }
  if (radius < region.radius) region.center = center, region.radius = radius;
  return true;
}

}  // namespace

SliceDirection choose_slice_direction(const Region& region) {
  std::vector<Vec3> axes;
  for (const Quadric& quadric : region.quadrics) {
    if (quadric.kind != QuadricKind::ellipsoid) axes.push_back(quadric.axis());
  }
  if (axes.empty()) return {choose_free_direction(region), 1.0};
  SliceDirection best{axes[0], -1.0};
  const auto offer = [&](const Vec3& axis) {
    const double norm = axis.norm();
    if (norm < 1e-6) return;
    const double quality = calc_worst_quality(region, axis / norm);
    if (quality > best.quality + 1e-3) best = {Vec3(axis / norm), quality};
  };
  for (const Vec3& axis : axes) offer(axis);
  if (best.quality > 0.5) return best;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (std::size_t j = 0; j < axes.size(); ++j) {
      if (i == j) continue;
      for (const double w : {1.0, -1.0, 0.6, -0.6, 0.3, -0.3}) {
        const Vec3 between = axes[i] + w * axes[j];
        offer(between);
        for (std::size_t k = j + 1; k < axes.size() && std::abs(w) == 1.0; ++k) {
          if (k == i) continue;
          offer(between + axes[k]);
          offer(between - axes[k]);
        }
      }
    }
  }
  return best;
}

void RegionVolume::calc(const Region& region, const QuadratureOptions& options, RegionSplit split,
                        std::vector<RegionPiece>& pieces) {
  integrate(region, options, split);
  add_pieces(split, pieces);
}

void RegionVolume::integrate(const Region& region, const QuadratureOptions& options, RegionSplit split) {
  relative_error_ = 0.0;
  own_.clear();
  if (MeshShell::fits(region)) {
    MeshShell shell;
    if (shell.calc(region, split == RegionSplit::joinable, mesh_, own_)) {
      method_ = shell.has_subtracted() ? Method::tetrahedra : Method::mesh;
      relative_error_ = shell.relative_error();
      tetrahedron_samples_ = list_centroids(own_);
      return;
    }
    own_.clear();
  }
  if (region.meshes.size() > 1 || (!region.meshes.empty() && region.quadrics.size() > 1)) {
    calc_by_tetrahedra(region, options);
    return;
  }
  if (!region.meshes.empty()) {
    method_ = Method::mesh;
    relative_error_ = MeshRegion::kRelativeError;
    // Where its boundary does not close, the tetrahedra of the mesh are sliced one by one.
    if (!mesh_.calc(region, split == RegionSplit::joinable, own_) && !region.quadrics.empty())
      calc_by_tetrahedra(region, options);
    return;
  }
  const SliceDirection direction = choose_slice_direction(region);
  if (direction.quality < kLeastQuality) {
    if (!calc_by_facets(region, options, split)) calc_by_chords(region, options);
  } else {
    integrate_along(direction.axis, region, options, split);
  }
}

bool RegionVolume::is_empty() const { return method_ == Method::slices ? !(integral_.sums()[0] > 0.0) : own_.empty(); }

void RegionVolume::add_pieces(RegionSplit split, std::vector<RegionPiece>& pieces) {
  if (method_ == Method::slices) {
    add_sliced_pieces(split, pieces);
  } else {
    pieces.insert(pieces.end(), own_.begin(), own_.end());
  }
}

/// A mesh is the signed sum of the tetrahedra from a point over its triangles; its outside is everything less that.
void RegionVolume::calc_by_tetrahedra(const Region& region, const QuadratureOptions& options) {
  Region rest = region;
  const RegionMesh mesh = rest.meshes.back();
  rest.meshes.pop_back();
  QuadratureOptions finer = options;
  finer.relative_error *= kTetrahedronShare;
  RegionVolume part;
  std::vector<RegionPiece> found;
  std::vector<VolumeSample> samples;
  RegionPiece sum;
  const auto add = [&](const Region& which, double sign) {
    found.clear();
    part.calc(which, finer, RegionSplit::none, found);
    relative_error_ = std::max(relative_error_, part.relative_error() / kTetrahedronShare);
    for (const RegionPiece& piece : found) {
      // About the first piece found: seen from afar the second moments of a small part are lost.
      if (samples.empty()) sum.origin = piece.origin + piece.moments.first / piece.moments.volume;
      const VolumeMoments moments = shift_moments(piece.moments, piece.origin - sum.origin);
      sum.moments.volume += sign * moments.volume;
      sum.moments.first += sign * moments.first;
      sum.moments.second += sign * moments.second;
      sum.area_vector += sign * piece.area_vector;
      const Vec3 centroid = piece.origin + piece.moments.first / piece.moments.volume;
      samples.push_back({centroid, sign * piece.moments.volume});
    }
  };
  const double outside = mesh.is_complement ? -1.0 : 1.0;
  if (mesh.is_complement) add(rest, 1.0);
  const Aabb& bounds = mesh.solid->bounds();
  const Vec3 apex = mesh.X * Vec3(0.5 * (bounds.lower + bounds.upper));
  for (const std::array<int, 3>& corners : mesh.solid->triangles()) {
    std::array<Vec3, 4> x{apex, apex, apex, apex};
    for (std::size_t i = 0; i < 3; ++i) x[i + 1] = mesh.X * mesh.solid->vertices()[corners[i]];
    const double det = (x[1] - apex).dot((x[2] - apex).cross(x[3] - apex));
    if (det == 0.0) continue;
    Region tetrahedron = rest;
    if (limit_to_tetrahedron(x, mesh.owner, tetrahedron)) add(tetrahedron, outside * (det > 0.0 ? 1.0 : -1.0));
  }
  method_ = Method::tetrahedra;
  tetrahedron_samples_ = samples;
  if (sum.moments.volume > 0.0) own_.push_back(sum);
}

bool RegionVolume::calc_by_facets(const Region& region, const QuadratureOptions& options, RegionSplit split) {
  if (region.quadrics.size() != 2 || !std::isfinite(region.radius)) return false;
  const auto is_solid_cone = [](const Quadric& q) { return q.kind == QuadricKind::cone && !q.is_complement; };
  const std::size_t which = is_solid_cone(region.quadrics[0]) ? 0 : 1;
  if (!is_solid_cone(region.quadrics[which])) return false;
  const Quadric cone = region.quadrics[which];
  local_ = region;
  local_.quadrics.erase(local_.quadrics.begin() + static_cast<std::ptrdiff_t>(which));
  const double reach = (region.center - cone.X.p).norm() + region.radius;
  std::vector<RegionPiece> found;
  RegionPiece last;
  const int most = options.relative_error < kPlainError ? kMostSidesOfAll : kMostSides;
  for (int num_sides = kFewestSides;; num_sides *= 2) {
    local_.meshes.assign(1, facets_.make(cone, reach, num_sides));
    found.clear();
    static_cast<void>(mesh_.calc(local_, split == RegionSplit::joinable, found));
    const RegionPiece now = sum_pieces(found, region.center);
    relative_error_ = num_sides == kFewestSides ? 1.0 : kFacetError * calc_difference(now, last);
    // The most sides are taken whatever error is left, and it is reported: chords would not do better.
    if (relative_error_ <= options.relative_error || num_sides == most) {
      method_ = Method::mesh;
      own_ = found;
      return true;
    }
    last = now;
  }
}

void RegionVolume::calc_by_chords(const Region& region, const QuadratureOptions& options) {
  if (!std::isfinite(region.radius)) {
    throw InputError(
        "endless cones this wide, at this angle, have cross-sections without end in every direction: "
        "give one of them a height");
  }
  method_ = Method::chords;
  X_RF_ = Pose();
  chords_.calc(region, 1, options);
  relative_error_ = chords_.relative_error();
  if (!(chords_.sums()[0] > 0.0)) return;
  own_.push_back({make_moments(chords_.sums()), chords_.origin(), make_area_vector(chords_.sums()), {}});
}

void RegionVolume::calc_along(const Vec3& axis, const Region& region, const QuadratureOptions& options,
                              RegionSplit split, std::vector<RegionPiece>& pieces) {
  integrate_along(axis, region, options, split);
  add_sliced_pieces(split, pieces);
}

void RegionVolume::integrate_along(const Vec3& axis, const Region& region, const QuadratureOptions& options,
                                   RegionSplit split) {
  method_ = Method::slices;
  X_RF_.R.col(2) = axis;
  X_RF_.R.col(0) = any_perpendicular(axis);
  X_RF_.R.col(1) = axis.cross(Vec3(X_RF_.R.col(0)));
  X_RF_.p = std::isfinite(region.radius) ? region.center : region.quadrics.front().X.p;
  transform_region(region, X_RF_.inverse(), local_);
  if (!make_sliced_region(local_, sliced_)) {
    integral_ = SliceIntegral();
    return;
  }
  const int side = calc_steepness(sliced_, 1) >= calc_steepness(sliced_, 0) ? 1 : 0;
  side_sign_ = side == 1 ? 1.0 : -1.0;
  slicing_ = options;
  slicing_.rounding = kRounding * sliced_.scale;
  integral_.calc(sliced_, side, slicing_, split != RegionSplit::none);
  relative_error_ = integral_.relative_error();
}

void RegionVolume::add_sliced_pieces(RegionSplit split, std::vector<RegionPiece>& pieces) {
  if (!(integral_.sums()[0] > 0.0)) return;
  components_.clear();
  const bool is_joinable = split == RegionSplit::joinable;
  if (split != RegionSplit::none && integral_.may_be_disconnected()) {
    splitter_.calc(integral_, is_joinable, components_);
  } else if (is_joinable) {
    add_surface_points(integral_, components_.emplace_back().surface_points);
  }
  const double sliver_share = calc_sliver_share(integral_.sums(), slicing_, components_.size());
  if (components_.size() > 1) join_slivers(sliver_share, components_);
  if (components_.size() > 1) join_holes(components_);
  if (components_.empty()) components_.emplace_back();
  if (components_.size() == 1) components_[0].sums = integral_.sums();
  for (const SliceComponent& component : components_) {
    if (!(component.sums[0] > 0.0)) continue;
    RegionPiece piece;
    piece.moments = rotate_moments(make_moments(component.sums), X_RF_.R);
    piece.origin = X_RF_ * integral_.origin();
    piece.area_vector = side_sign_ * (X_RF_.R * make_area_vector(component.sums));
    for (const Vec3& point : component.surface_points) piece.surface_points.push_back(X_RF_ * point);
    pieces.push_back(std::move(piece));
  }
}

void RegionVolume::add_samples(int detail, std::vector<VolumeSample>& samples) {
  if (method_ == Method::mesh) {
    mesh_.add_samples(detail, samples);
    return;
  }
  if (method_ == Method::tetrahedra) {
    samples.insert(samples.end(), tetrahedron_samples_.begin(), tetrahedron_samples_.end());
    return;
  }
  if (method_ == Method::chords) {
    if (chords_.sums()[0] > 0.0) chords_.add_samples(detail, samples);
    return;
  }
  if (!(integral_.sums()[0] > 0.0)) return;
  const std::size_t first = samples.size();
  add_slice_samples(integral_, detail, samples);
  for (std::size_t k = first; k < samples.size(); ++k) samples[k].point = X_RF_ * samples[k].point;
}

}  // namespace abut
