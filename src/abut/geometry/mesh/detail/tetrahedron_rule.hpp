#pragma once

#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/math/pose.hpp"

namespace abut::detail {

/// Product of Gauss-Jacobi rules on a tetrahedron seen from one corner, exact for polynomials of degree 2 n - 1. All
/// weights are positive.   [Stroud 1971, conical product]
class TetrahedronRule {
 public:
  /// n points along each of the three directions, 1 to 5.
  explicit TetrahedronRule(int n);
  /// The same, made once for all.
  static const TetrahedronRule& get(int n);

  /// Adds the points of the tetrahedron (apex, a, b, c), given in frame A, to `samples` in the world; the weights sum
  /// to `weight` times its signed volume, positive when a, b, c turn anticlockwise seen from outside.
  void add_samples(const Vec3& apex, const Vec3& a, const Vec3& b, const Vec3& c, double weight, const Pose& X_WA,
                   std::vector<VolumeSample>& samples) const;

 private:
  struct Point {
    double a, b, c;  ///< barycentric coordinates; the apex has the rest
    double share;    ///< of the volume
  };
  std::vector<Point> points_;
};

}  // namespace abut::detail
