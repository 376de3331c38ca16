#pragma once

#include <array>
#include <memory>
#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_clip.hpp"
#include "abut/geometry/volume/chord_sums_test.hpp"

// A mesh is the signed sum of the columns below its triangles, or above them: convex solids, whose common part with
// another solid is found by chords or, where that has flat faces too, by clipping.

namespace abut::testing {

/// What lies below a triangle (or above it), counted `sign` times.
struct Column {
  std::array<Plane, 4> planes;
  double sign = 1.0;
  Vec2 lower = Vec2::Zero(), upper = Vec2::Zero();  ///< box about it across z
  double z_low = 0.0, z_high = 0.0;                 ///< of the triangle
};

inline std::vector<Column> make_columns(const ClosedMesh& mesh, const Pose& X, bool is_above) {
  std::vector<Column> columns;
  for (const std::array<int, 3>& triangle : mesh.triangles()) {
    std::array<Vec3, 3> p;
    for (int i = 0; i < 3; ++i) p[i] = X * mesh.vertices()[triangle[i]];
    Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    if (std::abs(n.z()) < 1e-13 * n.norm()) continue;
    const double turn = n.z() > 0.0 ? 1.0 : -1.0, side = is_above ? -1.0 : 1.0;
    n *= side * turn / n.norm();
    Column column;
    column.sign = side * turn;
    column.planes[0] = {n, n.dot(p[0])};
    for (int i = 0; i < 3; ++i) {
      const Vec3 along = p[(i + 1) % 3] - p[i];
      const Vec3 out = turn * Vec3(along.y(), -along.x(), 0.0).normalized();
      column.planes[i + 1] = {out, out.dot(p[i])};
    }
    column.lower = p[0].cwiseMin(p[1]).cwiseMin(p[2]).head<2>(),
    column.z_low = std::min({p[0].z(), p[1].z(), p[2].z()});
    column.upper = p[0].cwiseMax(p[1]).cwiseMax(p[2]).head<2>(),
    column.z_high = std::max({p[0].z(), p[1].z(), p[2].z()});
    columns.push_back(column);
  }
  return columns;
}

/// What of space the other solid takes up.
struct Extent {
  Vec3 lower = Vec3::Constant(-HUGE_VAL), upper = Vec3::Constant(HUGE_VAL);

  bool meets(const Column& column, bool is_above) const {
    const bool is_beside = (column.lower.array() > upper.head<2>().array()).any() ||
                           (column.upper.array() < lower.head<2>().array()).any();
    return !is_beside && (is_above ? column.z_low < upper.z() : column.z_high > lower.z());
  }
};

/// With a convex solid given by its surfaces.
inline ChordSums calc_with_columns(const ChordSolid& solid, const std::vector<ChordSolid>& hollows,
                                   const Extent& extent, const std::vector<Column>& columns, bool is_above) {
  ChordSums sums;
  for (const Column& column : columns) {
    if (!extent.meets(column, is_above)) continue;
    ChordSolid both = solid;
    for (const Plane& plane : column.planes) both.emplace_back(plane.normal, plane.offset);
    sums.add(ChordReference(std::move(both), hollows, column.lower, column.upper).calc(), column.sign);
  }
  return sums;
}

/// With a polyhedron, exactly.
inline ChordSums calc_with_columns(const ConvexPolyhedron& solid, const Pose& X, const std::vector<Column>& columns) {
  ChordSums sums;
  PolyhedronClip clip;
  for (const Column& column : columns) {
    clip.start(solid, X, ClipOwner::kA);
    for (const Plane& plane : column.planes) {
      const Plane moved{plane.normal, plane.offset - plane.normal.dot(clip.origin())};
      if (!clip.is_empty()) clip.cut(moved, ClipOwner::kB, 0);
    }
    const VolumeMetrics part = calc_clip_metrics(clip);
    if (!(part.volume > 0.0)) continue;
    ChordSums own;
    own.volume = part.volume, own.first = part.volume * part.centroid;
    own.second = 0.5 * part.inertia.trace() * Mat3::Identity() - part.inertia +
                 part.volume * part.centroid * part.centroid.transpose();
    sums.add(own, column.sign);
  }
  return sums;
}

}  // namespace abut::testing
