#include "abut/geometry/implicit_surface.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

double power(double x, double p) { return x > 0.0 ? std::pow(x, p) : 0.0; }

struct Value {
  const Vec3& p;
  double operator()(const Sphere& s) const { return p.squaredNorm() / (s.radius * s.radius) - 1.0; }
  double operator()(const Ellipsoid& s) const { return p.cwiseQuotient(s.semi_axes).squaredNorm() - 1.0; }
  double operator()(const Superquadric& s) const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) sum += power(std::abs(p[i] / s.semi_axes[i]), s.exponent);
    return sum - 1.0;
  }
  double operator()(const HalfSpace& s) const { return s.normal.dot(p) - s.offset; }
  double operator()(const RoundedIntersection& s) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < s.parts.size(); ++k) {
      sum += power(1.0 + s.parts[k].value(s.X_SP[k].inverse() * p), s.sharpness);
    }
    return std::pow(sum, 1.0 / s.sharpness) - 1.0;
  }
};

struct Gradient {
  const Vec3& p;
  Vec3 operator()(const Sphere& s) const { return 2.0 / (s.radius * s.radius) * p; }
  Vec3 operator()(const Ellipsoid& s) const { return 2.0 * p.cwiseQuotient(s.semi_axes.cwiseAbs2()); }
  Vec3 operator()(const Superquadric& s) const {
    Vec3 g;
    for (int i = 0; i < 3; ++i) {
      const double size = power(std::abs(p[i] / s.semi_axes[i]), s.exponent - 1.0);
      g[i] = std::copysign(s.exponent * size / s.semi_axes[i], p[i]);
    }
    return g;
  }
  Vec3 operator()(const HalfSpace& s) const { return s.normal; }
  Vec3 operator()(const RoundedIntersection& s) const {
    double sum = 0.0;
    Vec3 g = Vec3::Zero();
    for (std::size_t k = 0; k < s.parts.size(); ++k) {
      const Vec3 local = s.X_SP[k].inverse() * p;
      const double level = 1.0 + s.parts[k].value(local);
      sum += power(level, s.sharpness);
      g += power(level, s.sharpness - 1.0) * (s.X_SP[k].R * s.parts[k].gradient(local));
    }
    return sum > 0.0 ? Vec3(std::pow(sum, 1.0 / s.sharpness - 1.0) * g) : Vec3(Vec3::Zero());
  }
};

/// Furthest point of a general smooth convex solid: from an inner point outwards, then steps along the surface towards
/// where the normal is the direction.
Vec3 find_support(const ImplicitSurface& surface, const Vec3& direction, double offset) {
  const auto shoot = [&](const Vec3& ray) {
    double low = 0.0, high = 1e-6;
    while (surface.value(high * ray) < offset && high < 1e6) low = high, high *= 2.0;
    for (int k = 0; k < 80; ++k) {
      const double middle = 0.5 * (low + high);
      (surface.value(middle * ray) < offset ? low : high) = middle;
    }
    return Vec3(high * ray);
  };
  Vec3 ray = direction;
  Vec3 best = shoot(ray);
  double step = 0.5;
  for (int k = 0; k < 400 && step > 1e-12; ++k) {
    const Vec3 n = surface.calc_normal(best);
    const Vec3 turn = direction - n * n.dot(direction);
    if (turn.norm() < 1e-12) break;
    const Vec3 trial_ray = (best.normalized() + step * turn).normalized();
    const Vec3 trial = shoot(trial_ray);
    if (trial.dot(direction) > best.dot(direction)) {
      best = trial;
      step *= 1.5;
    } else {
      step *= 0.4;
    }
  }
  return best;
}

struct Support {
  const ImplicitSurface& surface;
  const Vec3& n;
  double offset;
  const Vec3& near;
  Vec3 operator()(const Sphere& s) const { return s.radius * std::sqrt(1.0 + offset) * n; }
  Vec3 operator()(const Ellipsoid& s) const {
    const Vec3 scaled = s.semi_axes.cwiseProduct(n);
    return std::sqrt(1.0 + offset) * s.semi_axes.cwiseProduct(scaled) / scaled.norm();
  }
  Vec3 operator()(const Superquadric& s) const {
    const double p = s.exponent, dual = p / (p - 1.0);
    Vec3 point;
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double b = s.semi_axes[i] * std::abs(n[i]);
      sum += power(b, dual);
      point[i] = std::copysign(s.semi_axes[i] * power(b, dual - 1.0), n[i]);
    }
    return point * std::pow(sum, -1.0 / p) * std::pow(1.0 + offset, 1.0 / p);
  }
  Vec3 operator()(const HalfSpace& s) const { return near - (s.normal.dot(near) - s.offset - offset) * s.normal; }
  Vec3 operator()(const RoundedIntersection&) const { return find_support(surface, n, offset); }
};

}  // namespace

double ImplicitSurface::value(const Vec3& p) const { return std::visit(Value{p}, kind_); }
Vec3 ImplicitSurface::gradient(const Vec3& p) const { return std::visit(Gradient{p}, kind_); }
Vec3 ImplicitSurface::calc_support(const Vec3& direction, double offset, const Vec3& near) const {
  return std::visit(Support{*this, direction, offset, near}, kind_);
}

OpposedPoints find_opposed_points(const ImplicitSurface& f, const Pose& X_W1, const ImplicitSurface& g,
                                  const Pose& X_W2, const Vec3& start) {
  const auto* plane_1 = std::get_if<HalfSpace>(&f.kind());
  const auto* plane_2 = std::get_if<HalfSpace>(&g.kind());
  OpposedPoints best;
  const auto evaluate = [&](const Vec3& n) {
    OpposedPoints points;
    points.normal = n;
    if (plane_2 != nullptr) {
      points.a1 = X_W1 * f.calc_support(X_W1.R.transpose() * -n);
      points.a2 = X_W2 * g.calc_support(X_W2.R.transpose() * n, 0.0, X_W2.inverse() * points.a1);
    } else {
      points.a2 = X_W2 * g.calc_support(X_W2.R.transpose() * n);
      points.a1 = X_W1 * f.calc_support(X_W1.R.transpose() * -n, 0.0, X_W1.inverse() * points.a2);
    }
    points.gap = (points.a1 - points.a2).dot(n);
    return points;
  };
  if (plane_1 != nullptr || plane_2 != nullptr) {
    best = evaluate(plane_2 != nullptr ? Vec3(X_W2.R * plane_2->normal) : Vec3(-(X_W1.R * plane_1->normal)));
    best.is_converged = true;
    return best;
  }
  // The gradient of the gap over directions is the tangential part of a1 - a2.
  best = evaluate(start.normalized());
  double step = 1.0 / std::max(1e-300, (best.a1 - best.a2).norm());
  for (int k = 0; k < 2000; ++k) {
    const Vec3 slope = tangential(best.a1 - best.a2, best.normal);
    const double size = (best.a1 - X_W1.p).norm() + (best.a2 - X_W2.p).norm();
    if (slope.norm() <= 1e-9 * size) {
      best.is_converged = true;
      break;
    }
    const OpposedPoints trial = evaluate((best.normal + step * slope).normalized());
    // Near the maximum the gap no longer tells directions apart; its slope does.
    const double left = tangential(trial.a1 - trial.a2, trial.normal).norm();
    const bool is_level = trial.gap >= best.gap - 1e-14 * size && left < slope.norm();
    if (trial.gap > best.gap + 1e-14 * size || is_level) {
      best = trial;
      step *= 1.6;
    } else {
      step *= 0.4;
      if (step * slope.norm() < 1e-15) break;
    }
  }
  return best;
}

}  // namespace abut
