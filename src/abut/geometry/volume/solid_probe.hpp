#pragma once

#include <vector>

#include "abut/geometry/aabb.hpp"
#include "abut/geometry/mesh/mesh_queries.hpp"
#include "abut/geometry/volume/cell.hpp"

namespace abut {

/// Tells whether a placed shape holds a point. One thread at a time.
class SolidProbe {
 public:
  /// Throws InputError for a shape with a defect.
  SolidProbe(const Shape& shape, const Pose& X);

  /// Whether p is in the shape or no further than `slack` [m] outside. Exact at slack 0; near edges and curved faces
  /// the slack is that of the nearest single face.
  bool holds(const Vec3& p, double slack);
  const Aabb& bounds() const { return bounds_; }  ///< of the placed shape

 private:
  bool holds(const Cell& cell, const Vec3& p, double slack);

  Aabb bounds_;
  Pose X_inverse_;
  std::vector<Cell> cells_;
  MeshQueryScratch scratch_;
};

}  // namespace abut
