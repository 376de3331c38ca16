#pragma once

#include <array>

#include "abut/math/types.hpp"

namespace abut {

/// A part of the surface of a convex solid: a point, a line, a flat face, or a flat round end. World axes, or those of
/// whoever asks.
struct ContactFeature {
  enum class Kind { point, segment, polygon, disc };
  /// Of a face; those with more are taken at every second, third ... corner, which leaves out 1e-3 of their width.
  static constexpr int kMostCorners = 64;

  Kind kind = Kind::point;
  int size = 0;                            ///< corners in use
  Vec3 normal = Vec3::Zero();              ///< unit, out of the solid; of polygons and discs
  std::array<Vec3, kMostCorners> corners;  ///< [m]; a disc has four marks on its rim, 90 degrees apart
  std::array<int, kMostCorners> ids = {};  ///< which corner of the solid: the same at all times

  void add(const Vec3& corner, int id) {
    if (size >= kMostCorners) return;
    corners[size] = corner;
    ids[size++] = id;
  }
};

}  // namespace abut
