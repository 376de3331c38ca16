#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

// Integrals over what convex solids have in common, by chords: lines along z, met with each surface in closed form, and
// nested adaptive rules across them. Where the chords are is found from the convexity of the solids alone,
// so that a patch of any size is. Shares nothing with the kernels.

namespace abut::testing {

/// Part of a line along z inside a solid, and how far it passes by one that it misses (convex in the line's place).
struct Chord {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  double miss = -std::numeric_limits<double>::infinity();  ///< above zero where it misses [m, or 1 for ellipsoids]
};

enum class SurfaceKind { plane, ellipsoid, tube, cone, capsule };

/// One face of a convex solid; `size` by kind: of a plane its offset; semi-axes; radius; sine and cosine of the
/// half-angle; radius and half length.
class ChordSurface {
 public:
  ChordSurface(SurfaceKind kind, const Pose& X, const Vec3& size) : kind_(kind), size_(size) {
    const Mat3 R = X.R.transpose();
    dir_x_ = R.col(0), dir_y_ = R.col(1), dir_z_ = R.col(2), start_ = -(R * X.p);
  }
  /// Inside where normal . x <= offset.
  ChordSurface(const Vec3& normal, double offset)
      : kind_(SurfaceKind::plane), size_(offset, 0.0, 0.0), dir_x_(normal) {}

  Chord meet(double x, double y) const {
    switch (kind_) {
      case SurfaceKind::plane:
        return meet_plane(x, y);
      case SurfaceKind::ellipsoid:
        return meet_ellipsoid(x, y);
      case SurfaceKind::tube:
        return meet_tube(x, y);
      case SurfaceKind::cone:
        return meet_cone(x, y);
      default:
        return meet_capsule(x, y);
    }
  }

 private:
  /// With the point of the line nearest to the axis or centre: [m] from it.
  static Chord between(double along, double half) { return {along - half, along + half, -1.0}; }

  Chord meet_plane(double x, double y) const {
    const double rest = size_.x() - dir_x_.x() * x - dir_x_.y() * y, slope = dir_x_.z();
    Chord chord;
    if (slope == 0.0) chord.miss = -rest;
    if (slope > 0.0) chord.high = rest / slope;
    if (slope < 0.0) chord.low = rest / slope;
    return chord;
  }

  Chord meet_ellipsoid(double x, double y) const {
    const Vec3 p = (start_ + x * dir_x_ + y * dir_y_).cwiseQuotient(size_), d = dir_z_.cwiseQuotient(size_);
    const double dd = d.squaredNorm(), along = -p.dot(d) / dd, away = (p + along * d).norm();
    if (away >= 1.0) return {0.0, 0.0, std::max(away - 1.0, 1e-300)};
    return between(along, std::sqrt((1.0 - away) * (1.0 + away) / dd));
  }

  Chord meet_tube(double x, double y) const {
    const Vec2 p = (start_ + x * dir_x_ + y * dir_y_).head<2>(), d = dir_z_.head<2>();
    const double r = size_.x(), dd = d.squaredNorm();
    Chord chord;
    if (dd == 0.0) {
      chord.miss = p.norm() - r;
      return chord;
    }
    const double along = -p.dot(d) / dd, away = std::abs(p.x() * d.y() - p.y() * d.x()) / std::sqrt(dd);
    if (away >= r) return {0.0, 0.0, std::max(away - r, 1e-300)};
    return between(along, std::sqrt((r - away) * (r + away) / dd));
  }

  /// Inside where r cos + z sin <= 0: a convex function, whose least value along the line tells whether it passes by.
  Chord meet_cone(double x, double y) const {
    const double s = size_.x(), c = size_.y();
    const Vec3 foot = start_ + x * dir_x_ + y * dir_y_, d = dir_z_;
    // From the point nearest to the apex on, so that little cancels near that.
    const double from = -foot.dot(d) / d.squaredNorm();
    const Vec3 p = foot + from * d;
    const auto nappe = [&](double t) { return p.z() + t * d.z(); };
    const double ff = c * c * d.head<2>().squaredNorm() - s * s * d.z() * d.z(),
                 pf = c * c * p.head<2>().dot(d.head<2>()) - s * s * p.z() * d.z(),
                 pp = c * c * p.head<2>().squaredNorm() - s * s * p.z() * p.z();
    const double square = pf * pf - ff * pp;
    if (ff > 0.0) {
      const double dd = d.head<2>().squaredNorm(), across = std::abs(p.x() * d.y() - p.y() * d.x()) / std::sqrt(dd);
      const double m = d.z() * s / (c * std::sqrt(dd));
      const double least =
          c * across * std::sqrt(std::max(0.0, 1.0 - m * m)) + (p.z() - d.z() * p.head<2>().dot(d.head<2>()) / dd) * s;
      if (least >= 0.0 || square <= 0.0) return {0.0, 0.0, std::max(least, 1e-300)};
      const double q = -(pf + std::copysign(std::sqrt(square), pf)), t1 = q / ff, t2 = pp / q;
      return {from + std::min(t1, t2), from + std::max(t1, t2), -1.0};
    }
    // Along a line inside the double cone: from one root on, on the side of the solid.
    const double q = -(pf + std::copysign(std::sqrt(std::max(0.0, square)), pf));
    const double t1 = ff == 0.0 ? HUGE_VAL : q / ff, t2 = q == 0.0 ? 0.0 : pp / q;
    Chord chord;
    const bool is_upwards_out = d.z() > 0.0;
    double end = is_upwards_out ? -HUGE_VAL : HUGE_VAL;
    for (const double t : {t1, t2}) {
      if (!std::isfinite(t) || nappe(t) > 0.0) continue;
      end = is_upwards_out ? std::max(end, t) : std::min(end, t);
    }
    (is_upwards_out ? chord.high : chord.low) = from + end;
    return chord;
  }

  Chord meet_capsule(double x, double y) const {
    const double r = size_.x(), h = size_.y();
    const Vec3 p = start_ + x * dir_x_ + y * dir_y_, d = dir_z_;
    Chord hull{HUGE_VAL, -HUGE_VAL, HUGE_VAL};
    const auto add = [&](double low, double high) {
      hull.low = std::min(hull.low, low), hull.high = std::max(hull.high, high), hull.miss = -1.0;
    };
    double least = HUGE_VAL;
    for (const double z : {-h, h}) {
      const Vec3 q = p - Vec3(0, 0, z);
      const double along = -q.dot(d), away = (q + along * d).norm();
      least = std::min(least, away - r);
      if (away < r) add(along - std::sqrt((r - away) * (r + away)), along + std::sqrt((r - away) * (r + away)));
    }
    const double dd = d.head<2>().squaredNorm();
    if (dd > 0.0) {
      const double along = -p.head<2>().dot(d.head<2>()) / dd,
                   away = std::abs(p.x() * d.y() - p.y() * d.x()) / std::sqrt(dd);
      if (std::abs(p.z() + along * d.z()) <= h) least = std::min(least, away - r);
      if (away < r) {
        const double half = std::sqrt((r - away) * (r + away) / dd);
        double low = along - half, high = along + half;
        if (d.z() != 0.0) {
          const double t1 = (-h - p.z()) / d.z(), t2 = (h - p.z()) / d.z();
          low = std::max(low, std::min(t1, t2)), high = std::min(high, std::max(t1, t2));
        } else if (std::abs(p.z()) > h) {
          high = low - 1.0;
        }
        if (low <= high) add(low, high);
      }
    }
    if (hull.miss > 0.0) return {0.0, 0.0, std::max(least, 1e-300)};
    return hull;
  }

  SurfaceKind kind_;
  Vec3 size_;
  Vec3 dir_x_ = Vec3::Zero(), dir_y_ = Vec3::Zero(), dir_z_ = Vec3::Zero(), start_ = Vec3::Zero();
};

using ChordSolid = std::vector<ChordSurface>;

inline Chord meet(const ChordSolid& solid, double x, double y) {
  Chord all;
  for (const ChordSurface& surface : solid) {
    const Chord own = surface.meet(x, y);
    all = {std::max(all.low, own.low), std::min(all.high, own.high), std::max(all.miss, own.miss)};
  }
  return all;
}

/// Higher is nearer to what is solid; the length of the chord where there is one. Quasi-concave for a convex solid.
inline double rank(const Chord& chord) {
  if (chord.miss > 0.0) return -1e30 * (1.0 + chord.miss);
  return std::clamp(chord.high - chord.low, -1e29, 1e29);
}

/// Weights of Clenshaw and Curtis for the nodes cos(pi k / n), k = 0 ... n, n even.
template <int n>
std::array<double, n + 1> make_chebyshev_weights() {
  std::array<double, n + 1> weights{};
  for (int k = 0; k <= n; ++k) {
    double sum = 1.0;
    for (int j = 1; j <= n / 2; ++j)
      sum -= (2 * j == n ? 1.0 : 2.0) / (4.0 * j * j - 1.0) * std::cos(2.0 * std::numbers::pi * j * k / n);
    weights[k] = (k == 0 || k == n ? 1.0 : 2.0) / n * sum;
  }
  return weights;
}

/// Adaptive rule of Clenshaw and Curtis with 9 and 17 points over vectors; the second entry decides, which carries
/// `noise` for one unit of length. The ends are among the points: a kink between an end and the next point, which rules
/// of Gauss and Kronrod do not see, is seen. `stops`: nothing is divided any more from the moment that it is set.
/// `halvings`: so often it is divided in any case.
template <std::size_t n, class Function>
std::array<double, n> integrate_adaptively(const Function& f, double a, double b, double tolerance, double noise,
                                           int depth, const bool& stops, int halvings = 0) {
  static const auto fine = make_chebyshev_weights<16>();
  static const auto coarse = make_chebyshev_weights<8>();
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  std::array<double, n> sum{};
  if (halvings <= 0) {
    double rough = 0.0;
    for (int i = 0; i <= 16; ++i) {
      const std::array<double, n> value = f(middle + half * std::cos(std::numbers::pi * i / 16));
      for (std::size_t k = 0; k < n; ++k) sum[k] += half * fine[i] * value[k];
      if (i % 2 == 0) rough += half * coarse[i / 2] * value[1];
    }
    if (std::abs(sum[1] - rough) <= tolerance + noise * half || depth <= 0 || stops) return sum;
  }
  const auto left = integrate_adaptively<n>(f, a, middle, 0.5 * tolerance, noise, depth - 1, stops, halvings - 1);
  const auto right = integrate_adaptively<n>(f, middle, b, 0.5 * tolerance, noise, depth - 1, stops, halvings - 1);
  for (std::size_t k = 0; k < n; ++k) sum[k] = left[k] + right[k];
  return sum;
}

/// Of f over -1 .. 1, which may go to zero like a root at its ends, or steeply within a short stretch of them: in the
/// angle whose sine is the place, and with the ends looked at by themselves.
template <std::size_t n, class Function>
std::array<double, n> integrate_to_ends(const Function& f, double relative_error, double noise, int depth,
                                        const bool& stops, int halvings = 0) {
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  constexpr std::array<double, 6> kBreaks = {-kQuarter,       -kQuarter + 0.004, -kQuarter + 0.06,
                                             kQuarter - 0.06, kQuarter - 0.004,  kQuarter};
  double scale = 0.0;
  const auto at = [&](double angle) {
    std::array<double, n> all = f(std::sin(angle));
    for (double& value : all) value *= std::cos(angle);
    scale = std::max(scale, std::abs(all[1]));
    return all;
  };
  for (const double angle : {-0.8, -0.3, 0.1, 0.5, 0.9}) static_cast<void>(at(angle));
  std::array<double, n> sum{};
  for (std::size_t i = 0; i + 1 < kBreaks.size(); ++i) {
    const auto part = integrate_adaptively<n>(at, kBreaks[i], kBreaks[i + 1], 0.2 * relative_error * scale, noise,
                                              depth, stops, halvings);
    for (std::size_t k = 0; k < n; ++k) sum[k] += part[k];
  }
  return sum;
}

}  // namespace abut::testing
