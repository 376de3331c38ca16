#pragma once

#include "abut/math/types.hpp"

namespace abut {

/// Integrals over a plane region about some origin: the sum of two regions is the sum of their moments.
struct AreaMoments {
  double area = 0.0;                    ///< [m^2]
  Vec2 first = Vec2::Zero();            ///< integral of x [m^3]
  double xx = 0.0, xy = 0.0, yy = 0.0;  ///< integrals of x^2, x y, y^2 [m^4]

  /// Adds the triangle (origin, p, q), positive when it turns anticlockwise.
  void add_triangle(const Vec2& p, const Vec2& q);
};

/// Circular segment of the unit circle between its chord and the arc of half-angle b about the x axis, 0 <= b <= pi;
/// moments about the middle of the chord, x outwards. Every one is correct to rounding down to b = 0, where they
/// vanish as b^3, b^5, b^7 and b^5.
struct SegmentMoments {
  double area = 0.0;  ///< b - sin b cos b
  double x = 0.0;     ///< integral of x
  double xx = 0.0, yy = 0.0;
};

/// cosine and sine of b may be handed in where they are known better or for free.
SegmentMoments calc_segment_moments(double half_angle, double cosine, double sine);

/// An ellipse as the image centre + axes u of the unit circle, det(axes) > 0 so that u and the point turn alike.
struct EllipseFrame {
  Vec2 center = Vec2::Zero();
  Eigen::Matrix2d axes = Eigen::Matrix2d::Identity();
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Identity();
  double determinant = 1.0;

  Vec2 point(const Vec2& u) const { return center + axes * u; }
  Vec2 preimage(const Vec2& p) const { return inverse * (p - center); }
};

/// Adds `sign` times the region between the arc u_from -> u_to (anticlockwise, of half-angle b) and its chord.
/// Points are taken about the same origin as the moments.
void add_ellipse_segment(const EllipseFrame& ellipse, const Vec2& u_from, const Vec2& u_to, double half_angle,
                         double sign, AreaMoments& moments);

/// Half the angle from u_from anticlockwise to u_to, in (0, pi]: equal points mean the full turn.
double calc_half_angle(const Vec2& u_from, const Vec2& u_to);

}  // namespace abut
