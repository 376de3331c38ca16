#include "abut/geometry/distance/extreme_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/math/trig_quadratic.hpp"

namespace abut {
namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

struct FeatureFinder {
  using Result = std::optional<ExtremeFeatures>;

  Result operator()(const Sphere& s) const { return ExtremeFeatures{{Vec3::Zero()}, {}, s.radius}; }
  Result operator()(const Capsule& s) const {
    return ExtremeFeatures{{Vec3(0.0, 0.0, s.half_length), Vec3(0.0, 0.0, -s.half_length)}, {}, s.radius};
  }
  Result operator()(const Cylinder& s) const {
    if (!std::isfinite(s.half_length)) return std::nullopt;
    return ExtremeFeatures{{}, {{s.half_length, s.radius}, {-s.half_length, s.radius}}, 0.0};
  }
  Result operator()(const Cone& s) const {
    if (!std::isfinite(s.height)) return std::nullopt;
    return ExtremeFeatures{{Vec3::Zero()}, {{-s.height, calc_base_radius(s)}}, 0.0};
  }
  Result operator()(const Box& s) const {
    ExtremeFeatures found;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sign((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0, (corner & 4) != 0 ? 1.0 : -1.0);
      found.points.push_back(sign.cwiseProduct(s.half_size));
    }
    return found;
  }
  Result operator()(const Polyhedron& s) const { return ExtremeFeatures{s.solid->vertices(), {}, 0.0}; }
  template <class Other>
  Result operator()(const Other&) const {
    return std::nullopt;
  }
};

/// r + slope z around a rim, and its derivatives by the angle.
struct ConeMeasure {
  const PlacedRim& rim;
  double slope;

  struct Value {
    double f, rate, bend;
  };
  Value calc(const Vec2& u) const {
    const Vec3 at = rim.point(u), rate = u.x() * rim.y - u.y() * rim.x, bend = rim.center - at;
    const double r = at.head<2>().norm();
    if (!(r > 0.0)) return {slope * at.z(), 0.0, 0.0};  // the tip of r: lowest there
    const double r_rate = at.head<2>().dot(rate.head<2>()) / r;
    const double r_bend = (rate.head<2>().squaredNorm() + at.head<2>().dot(bend.head<2>()) - r_rate * r_rate) / r;
    return {r + slope * at.z(), r_rate + slope * rate.z(), r_bend + slope * bend.z()};
  }
};

Vec2 make_direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// By Newton's method, which halves its step where that leads downwards.
double climb(const ConeMeasure& measure, double angle, double largest_step) {
  ConeMeasure::Value now = measure.calc(make_direction(angle));
  for (int i = 0; i < 30; ++i) {
    double step = now.bend < 0.0 ? -now.rate / now.bend : std::copysign(largest_step, now.rate);
    step = std::clamp(step, -largest_step, largest_step);
    ConeMeasure::Value next = measure.calc(make_direction(angle + step));
    while (next.f < now.f && std::abs(step) > 1e-12) {
      step *= 0.5;
      next = measure.calc(make_direction(angle + step));
    }
    if (!(next.f > now.f)) break;
    angle += step;
    now = next;
  }
  return angle;
}

}  // namespace

std::optional<ExtremeFeatures> find_extreme_features(const Shape& shape) { return std::visit(FeatureFinder{}, shape); }

PlacedRim place_rim(const ExtremeFeatures::Rim& rim, const Pose& X) {
  return {Vec3(X.p + rim.z * X.R.col(2)), Vec3(rim.radius * X.R.col(0)), Vec3(rim.radius * X.R.col(1))};
}

/// The square of the distance from the z axis is a quadratic function of place, and a trigonometric one around the rim.
CirclePoints find_axis_extrema(const PlacedRim& rim) {
  const Vec2 c = rim.center.head<2>(), x = rim.x.head<2>(), y = rim.y.head<2>();
  const double xx = x.squaredNorm(), yy = y.squaredNorm();
  const TrigQuadratic square{c.squaredNorm() + 0.5 * (xx + yy), 2.0 * c.dot(x), 2.0 * c.dot(y), 0.5 * (xx - yy),
                             x.dot(y)};
  return find_extrema(square, 1e-16 * square.a0);
}

/// There are few maxima around a rim, and so many samples see all of them.
CirclePoints find_cone_maxima(const PlacedRim& rim, double slope) {
  constexpr int kNumSamples = 16;
  constexpr double kSpacing = 2.0 * std::numbers::pi / kNumSamples;
  const ConeMeasure measure{rim, slope};
  std::array<double, kNumSamples> samples;
  for (int k = 0; k < kNumSamples; ++k) samples[k] = measure.calc(make_direction(k * kSpacing)).f;
  CirclePoints maxima;
  for (int k = 0; k < kNumSamples && maxima.count < 4; ++k) {
    const double before = samples[(k + kNumSamples - 1) % kNumSamples], after = samples[(k + 1) % kNumSamples];
    if (samples[k] <= before || samples[k] < after) continue;
    maxima.at[maxima.count++] = make_direction(climb(measure, k * kSpacing, kSpacing));
  }
  return maxima;
}

double calc_farthest_from_axis(const ExtremeFeatures& solid, const Pose& X_FS) {
  double largest = 0.0;
  for (const Vec3& point : solid.points) largest = std::max(largest, (X_FS * point).head<2>().norm());
  for (const ExtremeFeatures::Rim& own : solid.rims) {
    const PlacedRim rim = place_rim(own, X_FS);
    const CirclePoints extrema = find_axis_extrema(rim);
    largest = std::max(largest, rim.point(Vec2::UnitX()).head<2>().norm());  // where all are equally far
    for (int k = 0; k < extrema.count; ++k) largest = std::max(largest, rim.point(extrema.at[k]).head<2>().norm());
  }
  return largest + solid.margin;
}

double calc_farthest_from_origin(const ExtremeFeatures& solid, const Pose& X_FS) {
  double largest = 0.0;
  for (const Vec3& point : solid.points) largest = std::max(largest, (X_FS * point).norm());
  for (const ExtremeFeatures::Rim& rim : solid.rims) {
    // Farthest on the side of the centre's projection; |c + rho u| with u in the plane of the rim.
    const Vec3 c = X_FS.R.transpose() * X_FS.p + Vec3(0.0, 0.0, rim.z);
    largest = std::max(largest, std::hypot(c.head<2>().norm() + rim.radius, c.z()));
  }
  return largest + solid.margin;
}

double calc_farthest_from_cone(const ExtremeFeatures& solid, const Pose& X_FS, double slope) {
  double largest = kLowest;
  const auto offer = [&](const Vec3& x) { largest = std::max(largest, x.head<2>().norm() + slope * x.z()); };
  for (const Vec3& point : solid.points) offer(X_FS * point);
  for (const ExtremeFeatures::Rim& own : solid.rims) {
    const PlacedRim rim = place_rim(own, X_FS);
    const CirclePoints maxima = find_cone_maxima(rim, slope);
    offer(rim.point(Vec2::UnitX()));  // where all are equal
    for (int k = 0; k < maxima.count; ++k) offer(rim.point(maxima.at[k]));
  }
  return largest;
}

}  // namespace abut
