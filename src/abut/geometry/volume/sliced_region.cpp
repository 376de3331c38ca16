#include <algorithm>
#include <cmath>

#include "abut/geometry/volume/slice_events.hpp"

namespace abut {
namespace {

/// Half-spaces tilted less than the first of these against the slices may count as parallel to them [rad], where their
/// height over the region changes by less than the second of its thickness: moments change by as much, relatively. The
/// ends of a steeper line's sweep are known to eps / tilt, which is what the pose itself leaves open; below the third
/// that is all of it.
constexpr double kParallelTilt = 1e-8, kParallelRise = 1e-8, kLeastTilt = 1e-15;

void limit(SlicedRegion& sliced, double lower, double upper) {
  if (lower > sliced.t_lower) sliced.t_lower = lower, sliced.lower_plane = -1;
  if (upper < sliced.t_upper) sliced.t_upper = upper, sliced.upper_plane = -1;
}

/// Where a half-space all but parallel to the slices ends them, over the middle of the region.
double calc_height(const Region& region, const RegionPlane& plane) {
  return (plane.offset - plane.normal.head<2>().dot(region.center.head<2>())) / plane.normal.z();
}

double calc_tilt(const RegionPlane& plane) { return plane.normal.head<2>().norm(); }

/// Thickness that the quadrics and all planes that may be parallel leave [m].
double calc_thickness(const SlicedRegion& sliced) {
  double lower = sliced.t_lower, upper = sliced.t_upper;
  for (const RegionPlane& plane : sliced.region.planes) {
    if (calc_tilt(plane) > kParallelTilt) continue;
    const double height = calc_height(sliced.region, plane);
    if (plane.normal.z() > 0.0) {
      upper = std::min(upper, height);
    } else {
      lower = std::max(lower, height);
    }
  }
  return upper - lower;
}

/// Planes this much alike are one, in parts of the scale: what rounding leaves of a face that bounds a region twice, as
/// that of a cell and of the part of it whose depth is measured from there. Which of the two bounds a slice would
/// change from slice to slice, and with it what belongs to whom.
constexpr double kSamePlane = 1e-14;

void add_line_plane(int index, SlicedRegion& sliced) {
  const RegionPlane& plane = sliced.region.planes[index];
  const auto is_same = [&](int other_index) {
    const RegionPlane& other = sliced.region.planes[other_index];
    return (plane.normal - other.normal).cwiseAbs().maxCoeff() <= kSamePlane &&
           std::abs(plane.offset - other.offset) <= kSamePlane * sliced.scale;
  };
  if (std::none_of(sliced.line_planes.begin(), sliced.line_planes.end(), is_same)) sliced.line_planes.push_back(index);
}

void limit_by_planes(SlicedRegion& sliced) {
  const double thickness = calc_thickness(sliced);
  for (std::size_t k = 0; k < sliced.region.planes.size(); ++k) {
    const RegionPlane& plane = sliced.region.planes[k];
    const double tilt = calc_tilt(plane), rise = tilt * sliced.region.radius;
    if (tilt > kParallelTilt) {
      add_line_plane(static_cast<int>(k), sliced);
      continue;
    }
    const double height = calc_height(sliced.region, plane);
    const bool is_parallel = tilt < kLeastTilt || rise <= kParallelRise * thickness;
    if (!is_parallel) add_line_plane(static_cast<int>(k), sliced);
    if (plane.normal.z() > 0.0) {
      if (is_parallel && height < sliced.t_upper) sliced.t_upper = height, sliced.upper_plane = static_cast<int>(k);
      if (!is_parallel) limit(sliced, sliced.t_lower, height + rise);
    } else {
      if (is_parallel && height > sliced.t_lower) sliced.t_lower = height, sliced.lower_plane = static_cast<int>(k);
      if (!is_parallel) limit(sliced, height - rise, sliced.t_upper);
    }
  }
}

double calc_reach(const QuadricSlices& slices) { return slices.axes.norm(); }  // at least the larger semi-axis

/// Two slices share a point only while their centres are no further apart than their reach: |d + r t| <= a + b |t|.
/// Limits t where that bounds it. False when they never do.
bool limit_by_centers(const QuadricSlices& a, const QuadricSlices& b, SlicedRegion& sliced) {
  if (a.e == 0.0 || b.e == 0.0) return true;  // cones grow without bound; their apices limit t already
  const double reach = calc_reach(a) + calc_reach(b);
  const Vec2 d = a.center(0.0) - b.center(0.0), r = a.center_rate - b.center_rate;
  const double rr = r.squaredNorm();
  if (rr * sliced.scale * sliced.scale < 1e-20 * reach * reach) return d.norm() <= reach * (1.0 + 1e-9);
  const double middle = -d.dot(r) / rr;
  const double nearest_squared = (d + middle * r).squaredNorm();
  const double rest = reach * reach * (1.0 + 1e-9) - nearest_squared;
  if (rest < 0.0) return false;
  const double half = std::sqrt(rest / rr);
  limit(sliced, middle - half, middle + half);
  return true;
}

/// A plane aslant to the slices keeps out what of a solid quadric lies beyond it all: with r(t) at least the larger
/// semi-axis of the slice, n . c(t) - |n_xy| r(t) + n_t t <= offset. Limits t where that is steep enough.
void limit_by_plane(const RegionPlane& plane, const QuadricSlices& slices, SlicedRegion& sliced) {
  constexpr double kLeastSlope = 1e-2, kRounding = 1e-12;
  const Vec2 n = plane.normal.head<2>();
  double reach = n.norm() * calc_reach(slices), growth = 0.0;
  if (slices.e == 0.0) {
    growth = (std::isfinite(slices.t_lower) ? 1.0 : -1.0) * slices.root_g * reach;
    reach = 0.0;
  }
  // In t - t_ref.
  const double slope = plane.normal.z() + n.dot(slices.center_rate) - growth;
  const double rest = plane.offset - plane.normal.z() * slices.t_ref - n.dot(slices.center_ref) + reach;
  if (std::abs(slope) < kLeastSlope) return;
  const double end = slices.t_ref + rest / slope, margin = kRounding * (std::abs(end) + sliced.scale);
  if (slope > 0.0) {
    limit(sliced, sliced.t_lower, end + margin);
  } else {
    limit(sliced, end - margin, sliced.t_upper);
  }
}

double calc_largest_stretch(const Eigen::Matrix2d& m) {
  return 0.5 * (std::hypot(m(0, 0) + m(1, 1), m(0, 1) - m(1, 0)) + std::hypot(m(0, 0) - m(1, 1), m(0, 1) + m(1, 0)));
}

/// Whether a bar or a cone lies in a hole all along: the reach of its slices beyond those of the hole is a convex
/// function of t, |c_a - c_b| + s_a |M| - s_b in coordinates in which those are circles, and below zero at both ends.
bool is_swallowed(const QuadricSlices& a, const QuadricSlices& hole, const SlicedRegion& sliced) {
  constexpr double kRounding = 1e-13;
  const bool is_ellipsoid = a.e != 0.0 && a.root_g != 0.0;
  if (is_ellipsoid || !std::isfinite(sliced.t_lower) || !std::isfinite(sliced.t_upper)) return false;
  const double stretch = calc_largest_stretch(hole.inverse * a.axes);
  const auto is_inside = [&](double t) {
    const double aa = std::max(0.0, a.scale_squared(t)), bb = hole.scale_squared(t);
    if (!(bb > 0.0)) return false;
    const double away = (hole.inverse * (a.center(t) - hole.center(t))).norm(), room = std::sqrt(bb);
    return away + std::sqrt(aa) * stretch < room * (1.0 - kRounding);
  };
  return is_inside(sliced.t_lower) && is_inside(sliced.t_upper);
}

double calc_scale(const Region& region) {
  double scale = std::isfinite(region.radius) ? region.radius : 0.0;
  for (const Quadric& quadric : region.quadrics) {
    if (quadric.kind != QuadricKind::cone) scale = std::max(scale, quadric.size.x());
  }
  if (scale > 0.0) return scale;
  // Only cones and planes: the distances between them.
  const Vec3 apex = region.quadrics.empty() ? Vec3(Vec3::Zero()) : region.quadrics[0].X.p;
  for (const Quadric& quadric : region.quadrics) scale = std::max(scale, (quadric.X.p - apex).norm());
  for (const RegionPlane& plane : region.planes)
    scale = std::max(scale, std::abs(plane.normal.dot(apex) - plane.offset));
  return scale > 0.0 ? scale : 1.0;
}

}  // namespace

bool make_sliced_region(const Region& region, SlicedRegion& sliced) {
  sliced.region = region;
  sliced.slices.clear();
  sliced.line_planes.clear();
  sliced.scale = calc_scale(region);
  sliced.t_lower = region.center.z() - region.radius;
  sliced.t_upper = region.center.z() + region.radius;
  sliced.lower_plane = sliced.upper_plane = -1;
  for (const Quadric& quadric : region.quadrics) {
    const std::optional<QuadricSlices> slices = make_quadric_slices(quadric);
    if (!slices) return false;
    sliced.slices.push_back(*slices);
    if (!quadric.is_complement) limit(sliced, slices->t_lower, slices->t_upper);
  }
  limit_by_planes(sliced);
  const std::size_t n = sliced.slices.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (region.quadrics[i].is_complement || region.quadrics[j].is_complement) continue;
      if (!limit_by_centers(sliced.slices[i], sliced.slices[j], sliced)) return false;
    }
  }
  for (const QuadricSlices& slices : sliced.slices) {
    for (const int k : sliced.line_planes) {
      if (!slices.is_complement) limit_by_plane(region.planes[k], slices, sliced);
    }
  }
  if (!(sliced.t_lower < sliced.t_upper)) return false;
  for (const QuadricSlices& a : sliced.slices) {
    for (const QuadricSlices& b : sliced.slices) {
      if (!a.is_complement && b.is_complement && is_swallowed(a, b, sliced)) return false;
    }
  }
  return true;
}

}  // namespace abut
