#pragma once

#include <ctime>

#include "abut/geometry/volume/pose_families_test.hpp"

namespace abut::testing {

/// What the kernels say of a pose, beside the integral that shares nothing with them.
struct PoseVerdict {
  double volume = 0.0, expected = 0.0;  ///< [m^3]
  /// Errors in parts of what is allowed: 1e-6 of the value and what the rounding of the poses leaves open [1].
  double volume_miss = 0.0, centroid_miss = 0.0, inertia_miss = 0.0;
  double time = 0.0;          ///< of a look, the best of three [s]
  double allowed_time = 0.0;  ///< [s]
  bool is_open = false;       ///< the reference gave up

  double worst() const { return std::max({volume_miss, centroid_miss, inertia_miss}); }
};

inline ChordSums calc_reference(const PosePair& pair) {
  const PoseBody &a = pair.a, &b = pair.b;
  if (a.is_faceted() || b.is_faceted()) {
    // The upper body as what lies above its triangles, or the lower one as what lies below.
    const PoseBody &facets = a.is_faceted() ? a : b, &other = a.is_faceted() ? b : a;
    const std::vector<Column> columns = make_columns(facets.mesh(), facets.X, a.is_faceted());
    if (!other.half.isZero()) return calc_with_columns(make_box_polyhedron(other.half), other.X, columns);
    std::vector<ChordSolid> hollows;
    add_hollow(other, hollows);
    return calc_with_columns(make_surfaces(other), hollows, make_extent(other), columns, a.is_faceted());
  }
  ChordSolid both = make_surfaces(a);
  for (const ChordSurface& surface : make_surfaces(b)) both.push_back(surface);
  std::vector<ChordSolid> hollows;
  add_hollow(a, hollows), add_hollow(b, hollows);
  const double reach = std::max(a.X.p.norm() + a.reach, b.X.p.norm() + b.reach);
  return ChordReference(both, hollows, reach).calc();
}

inline double measure_look(Interference& interference, const Pose& X_WA, const Pose& X_WB,
                           std::vector<VolumeMetrics>& pieces) {
  double best = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const auto now = [] {
      std::timespec t{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const double start = now();
    interference.calc(X_WA, X_WB, pieces);
    best = std::min(best, now() - start);
  }
  return best;
}

/// Triangles whose shadow meets that of what both bodies have in common, at its height.
inline int count_triangles(const PoseBody& body, const Vec3& center, const Vec3& half) {
  if (!body.is_faceted() && body.kind != BodyKind::plate) return 0;
  int count = 0;
  for (const Column& column : make_columns(body.mesh(), body.X, false)) {
    const bool is_beside = (column.lower.array() > (center + half).head<2>().array()).any() ||
                           (column.upper.array() < (center - half).head<2>().array()).any() ||
                           column.z_low > center.z() + half.z() || column.z_high < center.z() - half.z();
    count += is_beside ? 0 : 1;
  }
  return count;
}

inline PoseVerdict judge(const PosePair& pair) {
  constexpr double kError = 1e-6, kRoundings = 16.0 * 2.2e-16;
  const Pose X_WA = pair.X_WZ * pair.a.X, X_WB = pair.X_WZ * pair.b.X;
  Interference interference = Interference::make(pair.a.shape, pair.b.shape);
  std::vector<VolumeMetrics> pieces;
  PoseVerdict verdict;
  verdict.time = measure_look(interference, X_WA, X_WB, pieces);
  ChordSums found;
  for (const VolumeMetrics& piece : pieces) {
    const Vec3 c = pair.X_WZ.inverse() * piece.centroid;
    const Mat3 inertia = pair.X_WZ.R.transpose() * piece.inertia * pair.X_WZ.R;
    ChordSums own;
    own.volume = piece.volume, own.first = piece.volume * c;
    own.second = 0.5 * inertia.trace() * Mat3::Identity() - inertia + piece.volume * c * c.transpose();
    found.add(own, 1.0);
  }
  const ChordSums expected = calc_reference(pair);
  verdict.volume = found.volume, verdict.expected = expected.volume;
  verdict.allowed_time = 1e-3;
  verdict.is_open = expected.is_given_up;
  if (verdict.is_open) return verdict;
  if (!(expected.volume > 0.0)) {  // one lies in the other's hollow
    verdict.volume_miss = found.volume > 0.0 ? HUGE_VAL : 0.0;
    return verdict;
  }
  // A surface moves by the rounding of its pose, its volume by as much times its area.
  const double rounding = kRoundings * (pair.a.reach + pair.b.reach + pair.X_WZ.p.norm());
  const Vec3 c = expected.first / expected.volume;
  const auto spread = [](const ChordSums& sums, const Vec3& about) {
    return Mat3(sums.second / sums.volume - about * about.transpose());
  };
  const Mat3 covariance = spread(expected, c);
  const double extent = std::sqrt(covariance.trace());
  // The shadow of what columns add up is not known: that of a slab of the same volume and extent is.
  const double shadow = expected.shadow > 0.0 ? expected.shadow : 12.0 * extent * extent;
  const double share = kError + rounding * shadow / expected.volume;
  verdict.volume_miss = std::abs(found.volume / expected.volume - 1.0) / share;
  if (!(found.volume > 0.0)) return verdict;
  const Vec3 c_found = found.first / found.volume;
  verdict.centroid_miss = (c_found - c).norm() / (2.0 * extent * share + rounding);
  verdict.inertia_miss =
      (spread(found, c_found) - covariance).norm() / (4.0 * covariance.trace() * share + 2.0 * rounding * extent);
  const Vec3 half = Vec3::Constant(1.8 * extent);
  verdict.allowed_time += 1e-6 * (count_triangles(pair.a, c, half) + count_triangles(pair.b, c, half));
  return verdict;
}

}  // namespace abut::testing
