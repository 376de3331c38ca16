#include "abut/geometry/volume/area_moments.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

/// Midpoint sum of x^p (2 y)-type integrals over the segment between chord and arc, x from the chord. In the variable
/// w with x = cos b + (1 - cos b)(1 - w^2) the half width is smooth, so that the rule converges as n^(-3/2) at worst.
SegmentMoments integrate_segment(double b, int n) {
  SegmentMoments m;
  const double base = std::cos(b), height = 1.0 - base;
  for (int k = 0; k < n; ++k) {
    const double w = (k + 0.5) / n, from_top = height * w * w, dx = height * 2.0 * w / n;
    const double half = std::sqrt(from_top * (2.0 - from_top)), x = height - from_top;
    m.area += 2.0 * half * dx;
    m.x += 2.0 * half * x * dx;
    m.xx += 2.0 * half * x * x * dx;
    m.yy += 2.0 / 3.0 * half * half * half * dx;
  }
  return m;
}

TEST(SegmentMoments, MatchQuadrature) {
  for (const double b : {0.01, 0.3, 0.59, 0.61, 1.0, 2.0, 3.0, kPi}) {
    const SegmentMoments m = calc_segment_moments(b, std::cos(b), std::sin(b));
    const SegmentMoments q = integrate_segment(b, 20000);
    EXPECT_NEAR(m.area / q.area, 1.0, 1e-6) << b;
    EXPECT_NEAR(m.x / q.x, 1.0, 1e-6) << b;
    EXPECT_NEAR(m.xx / q.xx, 1.0, 1e-6) << b;
    EXPECT_NEAR(m.yy / q.yy, 1.0, 1e-6) << b;
  }
}

/// Where series and closed forms meet, the latter have lost 3 digits at most (xx ~ b^7).
TEST(SegmentMoments, SeriesAndClosedFormsMeet) {
  const double b = 0.6, below = std::nextafter(b, 0.0);
  const SegmentMoments series = calc_segment_moments(below, std::cos(below), std::sin(below));
  const SegmentMoments closed = calc_segment_moments(b, std::cos(b), std::sin(b));
  EXPECT_NEAR(series.area / closed.area, 1.0, 1e-14);
  EXPECT_NEAR(series.x / closed.x, 1.0, 1e-13);
  EXPECT_NEAR(series.xx / closed.xx, 1.0, 1e-12);
  EXPECT_NEAR(series.yy / closed.yy, 1.0, 1e-13);
}

TEST(SegmentMoments, SmallAnglesFollowTheirLeadingTerms) {
  for (const double b : {1e-3, 1e-6, 1e-9}) {
    const SegmentMoments m = calc_segment_moments(b, std::cos(b), std::sin(b));
    EXPECT_NEAR(m.area / std::pow(b, 3), 2.0 / 3.0, b * b);
    EXPECT_NEAR(m.x / std::pow(b, 5), 2.0 / 15.0, b * b);
    EXPECT_NEAR(m.xx / std::pow(b, 7), 4.0 / 105.0, b * b);
    EXPECT_NEAR(m.yy / std::pow(b, 5), 2.0 / 15.0, b * b);
  }
}

/// An ellipse cut into three arcs: chords and segments add up to the whole, about any origin.
TEST(EllipseSegment, ArcsAddUpToTheEllipse) {
  EllipseFrame ellipse;
  ellipse.center = Vec2(0.7, -0.4);
  ellipse.axes << 2.0, 0.3, -0.1, 0.5;
  ellipse.determinant = ellipse.axes.determinant();
  AreaMoments m;
  const double angles[] = {0.2, 1.1, 4.0, 0.2 + 2.0 * kPi};
  for (int k = 0; k < 3; ++k) {
    const Vec2 from(std::cos(angles[k]), std::sin(angles[k])), to(std::cos(angles[k + 1]), std::sin(angles[k + 1]));
    m.add_triangle(ellipse.point(from), ellipse.point(to));
    EXPECT_NEAR(calc_half_angle(from, to), 0.5 * (angles[k + 1] - angles[k]), 1e-15);
    add_ellipse_segment(ellipse, from, to, calc_half_angle(from, to), 1.0, m);
  }
  const double area = kPi * ellipse.determinant;
  const Eigen::Matrix2d second =
      area * (0.25 * ellipse.axes * ellipse.axes.transpose() + ellipse.center * ellipse.center.transpose());
  EXPECT_NEAR(m.area, area, 1e-14);
  EXPECT_LT((m.first - area * ellipse.center).norm(), 1e-14);
  EXPECT_NEAR(m.xx, second(0, 0), 1e-14);
  EXPECT_NEAR(m.xy, second(0, 1), 1e-14);
  EXPECT_NEAR(m.yy, second(1, 1), 1e-14);
}

TEST(EllipseSegment, FullTurnIsOneArc) {
  EllipseFrame circle;
  circle.center = Vec2(3.0, 1.0);
  AreaMoments m;
  const Vec2 u(0.6, 0.8);
  EXPECT_DOUBLE_EQ(calc_half_angle(u, u), kPi);
  add_ellipse_segment(circle, u, u, kPi, 1.0, m);
  EXPECT_NEAR(m.area, kPi, 1e-15);
  EXPECT_LT((m.first - kPi * circle.center).norm(), 1e-14);
  EXPECT_NEAR(m.yy, kPi * (0.25 + 1.0), 1e-14);
}

}  // namespace
}  // namespace abut
