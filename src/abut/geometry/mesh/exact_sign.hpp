#pragma once

#include <array>
#include <cmath>

#include "abut/math/types.hpp"

namespace abut {

/// Signs of determinants that are right even where rounding would decide them, so that the topology of an intersection
/// is that of one and the same geometry wherever it is asked for. Coordinates have to be finite and their third powers
/// neither overflow nor underflow.

/// Determinant with the rows p0 - q0, p1 - q1, p2 - q2 [m^3]: its sign is exact, 0 means exactly zero.
double calc_exact_determinant(const Vec3& p0, const Vec3& q0, const Vec3& p1, const Vec3& q1, const Vec3& p2,
                              const Vec3& q2);

/// Sign (-1, 0, 1) of the first non-zero component of (p1 - q1) x (p2 - q2), exact; 0 if the two are parallel.
/// It is the sign of the scalar product with an infinitesimal vector (e, e^2, e^3), e -> 0.
int calc_exact_cross_sign(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2);

/// The plane of a triangle (a, b, c), for many exact questions of the side on which a point lies.
class TrianglePlane {
 public:
  TrianglePlane(const Vec3& a, const Vec3& b, const Vec3& c) : corners_{a, b, c} {
    const Vec3 e = b - a, f = c - a;
    normal_ = e.cross(f);
    const Vec3 x = e.cwiseAbs(), y = f.cwiseAbs();
    bound_ = Vec3(x.y() * y.z() + x.z() * y.y(), x.z() * y.x() + x.x() * y.z(), x.x() * y.y() + x.y() * y.x());
  }

  /// (p - a) . (b - a) x (c - a) [m^3], positive above (where a, b, c turn anticlockwise).
  double calc_height(const Vec3& p) const {
    const Vec3 u = p - corners_[0];
    const double height = u.dot(normal_);
    if (std::abs(height) > kFilter * u.cwiseAbs().dot(bound_)) return height;
    return calc_exact_height(p);
  }

  /// Twice the triangle's area along its normal [m^2].
  const Vec3& normal() const { return normal_; }
  /// See calc_exact_cross_sign; 0 if the corners lie on a line.
  int calc_normal_sign() const { return calc_exact_cross_sign(corners_[1], corners_[0], corners_[2], corners_[0]); }
  const std::array<Vec3, 3>& corners() const { return corners_; }

  /// Bound of the rounding error of such a determinant relative to the sum of the absolute values of its products:
  /// one rounding for each difference (3), each product (2) and the sums (2 + 2), at 2^-53, and a margin.
  static constexpr double kFilter = 10.0 * 1.1102230246251565e-16;

 private:
  double calc_exact_height(const Vec3& p) const;

  std::array<Vec3, 3> corners_;
  Vec3 normal_, bound_;
};

/// (p1 - p0) . (q0 - p0) x (q1 - q0) [m^3] with an exact sign: six times the signed volume of the tetrahedron of two
/// edges, whose sign tells on which side they pass each other.
double calc_exact_edge_volume(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

}  // namespace abut
