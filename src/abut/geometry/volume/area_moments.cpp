#include "abut/geometry/volume/area_moments.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace abut {
namespace {

/// Closed forms lose b^2 to b^6 of their digits to cancellation; below this half-angle their power series take over. At
/// the border the worst of them, xx, has lost three digits.
constexpr double kSeriesLimit = 0.6;
constexpr int kNumTerms = 12;

/// Coefficients of b^(2k+1), k = 0 ... of the four closed forms below.
struct SegmentSeries {
  std::array<double, kNumTerms> area{}, x{}, xx{}, yy{};

  constexpr SegmentSeries() {
    double factorial = 1.0, two = 2.0, four = 4.0, three = 3.0, sign = 1.0;
    for (int k = 0; k < kNumTerms; ++k) {
      const double n = 2.0 * k + 1.0;
      if (k > 0) factorial *= (n - 1.0) * n;
      const double sin2 = sign * two / factorial, sin4 = sign * four / factorial;
      const double sin1 = sign / factorial, sin3 = sign * three / factorial;
      const double b_cos1 = sign * n / factorial, b_cos2 = sign * n * two / 2.0 / factorial;
      const double linear = k == 0 ? 1.0 : 0.0;
      area[k] = linear - sin2 / 2.0;
      x[k] = 0.75 * sin1 + sin3 / 12.0 - b_cos1;
      xx[k] = 0.75 * linear + 0.5 * b_cos2 - 7.0 / 12.0 * sin2 - sin4 / 48.0;
      yy[k] = 0.25 * linear - sin2 / 6.0 + sin4 / 48.0;
      two *= 4.0;
      four *= 16.0;
      three *= 9.0;
      sign = -sign;
    }
    area[0] = x[0] = x[1] = xx[0] = xx[1] = xx[2] = yy[0] = yy[1] = 0.0;  // exactly zero; here only to rounding
  }
};

constexpr SegmentSeries kSeries;

double sum_series(const std::array<double, kNumTerms>& terms, int from, double b, double b2) {
  double sum = 0.0;
  for (int k = kNumTerms - 1; k >= from; --k) sum = sum * b2 + terms[k];
  for (int k = 0; k < from; ++k) sum *= b2;
  return sum * b;
}

}  // namespace

void AreaMoments::add_triangle(const Vec2& p, const Vec2& q) {
  const double a = 0.5 * (p.x() * q.y() - p.y() * q.x());
  const Vec2 m = p + q;
  area += a;
  first += a / 3.0 * m;
  const double k = a / 12.0;
  xx += k * (m.x() * m.x() + p.x() * p.x() + q.x() * q.x());
  xy += k * (m.x() * m.y() + p.x() * p.y() + q.x() * q.y());
  yy += k * (m.y() * m.y() + p.y() * p.y() + q.y() * q.y());
}

SegmentMoments calc_segment_moments(double half_angle, double cosine, double sine) {
  const double b = half_angle;
  if (b < kSeriesLimit) {
    const double b2 = b * b;
    return {sum_series(kSeries.area, 1, b, b2), sum_series(kSeries.x, 2, b, b2), sum_series(kSeries.xx, 3, b, b2),
            sum_series(kSeries.yy, 2, b, b2)};
  }
  const double s3 = sine * sine * sine;
  SegmentMoments m;
  m.area = b - sine * cosine;
  m.x = 2.0 / 3.0 * s3 - cosine * m.area;
  m.xx = m.area * (0.25 + cosine * cosine) - 5.0 / 6.0 * s3 * cosine;
  m.yy = 0.25 * m.area - s3 * cosine / 6.0;
  return m;
}

double calc_half_angle(const Vec2& u_from, const Vec2& u_to) {
  const double cross = u_from.x() * u_to.y() - u_from.y() * u_to.x();
  const double angle = std::atan2(cross, u_from.dot(u_to));
  return 0.5 * (angle > 0.0 ? angle : angle + 2.0 * std::numbers::pi);
}

void add_ellipse_segment(const EllipseFrame& ellipse, const Vec2& u_from, const Vec2& u_to, double half_angle,
                         double sign, AreaMoments& moments) {
  // Middle of the arc: the chord turned back by a quarter, except for a full turn, where the chord vanishes.
  Vec2 middle(u_to.y() - u_from.y(), u_from.x() - u_to.x());
  const double chord = middle.norm();
  // Series do without the two.
  const bool is_short = half_angle < kSeriesLimit;
  const double cosine = is_short ? 1.0 : std::cos(half_angle), sine = is_short ? 0.0 : std::sin(half_angle);
  if (chord > 0.0) {
    middle /= chord;
  } else {
    middle = cosine > 0.0 ? u_from : Vec2(-u_from);
  }
  const SegmentMoments segment = calc_segment_moments(half_angle, cosine, sine);
  const double scale = sign * ellipse.determinant;
  const Vec2 along = ellipse.axes * middle;
  const Vec2 across = ellipse.axes * Vec2(-middle.y(), middle.x());
  const Vec2 base = ellipse.center + ellipse.axes * (0.5 * (u_from + u_to));
  const double a = scale * segment.area;
  const Vec2 f = scale * segment.x * along;
  const double kx = scale * segment.xx, ky = scale * segment.yy;
  moments.area += a;
  moments.first += a * base + f;
  moments.xx += kx * along.x() * along.x() + ky * across.x() * across.x() + (2.0 * f.x() + a * base.x()) * base.x();
  moments.xy += kx * along.x() * along.y() + ky * across.x() * across.y() + f.x() * base.y() + f.y() * base.x() +
                a * base.x() * base.y();
  moments.yy += kx * along.y() * along.y() + ky * across.y() * across.y() + (2.0 * f.y() + a * base.y()) * base.y();
}

}  // namespace abut
