#include "abut/geometry/volume/region_volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "abut/base/error.hpp"
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
  const SliceDirection direction = choose_slice_direction(region);
  if (direction.quality < kLeastQuality) {
    calc_by_chords(region, options, pieces);
  } else {
    calc_along(direction.axis, region, options, split, pieces);
  }
}

void RegionVolume::calc_by_chords(const Region& region, const QuadratureOptions& options,
                                  std::vector<RegionPiece>& pieces) {
  if (!std::isfinite(region.radius)) {
    throw InputError(
        "endless cones this wide, at this angle, have cross-sections without end in every direction: "
        "give one of them a height");
  }
  is_chords_ = true;
  X_RF_ = Pose();
  chords_.calc(region, 1, options);
  if (!(chords_.sums()[0] > 0.0)) return;
  pieces.push_back({make_moments(chords_.sums()), chords_.origin(), make_area_vector(chords_.sums()), {}});
}

void RegionVolume::calc_along(const Vec3& axis, const Region& region, const QuadratureOptions& options,
                              RegionSplit split, std::vector<RegionPiece>& pieces) {
  is_chords_ = false;
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
  integral_.calc(sliced_, side, options);
  if (!(integral_.sums()[0] > 0.0)) return;
  components_.clear();
  const bool is_asked =
      split == RegionSplit::joinable || (split == RegionSplit::connected && integral_.may_be_disconnected());
  if (is_asked) splitter_.calc(integral_, components_);
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
  if (is_chords_) {
    if (chords_.sums()[0] > 0.0) chords_.add_samples(detail, samples);
    return;
  }
  if (!(integral_.sums()[0] > 0.0)) return;
  const std::size_t first = samples.size();
  add_slice_samples(integral_, detail, samples);
  for (std::size_t k = first; k < samples.size(); ++k) samples[k].point = X_RF_ * samples[k].point;
}

}  // namespace abut
