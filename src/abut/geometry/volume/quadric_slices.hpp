#pragma once

#include <optional>

#include "abut/geometry/volume/area_moments.hpp"
#include "abut/geometry/volume/quadric.hpp"

namespace abut {

/// The cuts of a quadric by the planes z = t of the frame it is given in. Parallel cuts of a quadric are similar, alike
/// turned and centred on a line, so a cut is known by its factor s(t):
///   center(t) + s(t) axes u,   s^2 = e - g (t - t_ref)^2,   |u| = 1,
/// with e = 1, g > 0 for an ellipsoid, e = 1, g = 0 for a cylinder, e = 0, g < 0 for a cone.
struct QuadricSlices {
  Vec2 center_ref = Vec2::Zero(), center_rate = Vec2::Zero();
  Eigen::Matrix2d axes = Eigen::Matrix2d::Identity(), inverse = Eigen::Matrix2d::Identity();
  double determinant = 1.0;  ///< of axes, > 0
  double t_ref = 0.0;
  double e = 1.0, root_g = 0.0;         ///< root_g = sqrt|g|
  double t_lower = 0.0, t_upper = 0.0;  ///< where it exists; infinite where it does not end
  bool is_complement = false;
  int owner = 0;

  /// s^2; <= 0 where there is nothing. Written as a product, so that it loses nothing towards the poles.
  double scale_squared(double t) const {
    const double w = root_g * (t - t_ref);
    if (e != 0.0) return (1.0 - w) * (1.0 + w);
    return t >= t_lower && t <= t_upper ? w * w : -1.0;
  }
  /// d(s^2)/dt.
  double scale_squared_rate(double t) const { return (e != 0.0 ? -2.0 : 2.0) * root_g * root_g * (t - t_ref); }
  Vec2 center(double t) const { return center_ref + center_rate * (t - t_ref); }
  EllipseFrame ellipse(double t, double s) const {
    return {center(t), s * axes, (1.0 / s) * inverse, s * s * determinant};
  }
};

/// Nothing when the cuts are not ellipses: a cylinder along the plane, a cone cut along a generator or steeper.
std::optional<QuadricSlices> make_quadric_slices(const Quadric& quadric);

/// How well the planes with unit normal n cut a quadric into ellipses: 1 circles (or anything, for an ellipsoid), 0 and
/// less no ellipses at all.
double calc_slice_quality(const Quadric& quadric, const Vec3& n);

}  // namespace abut
