#include "abut/geometry/volume/quadric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 calc_diagonal(const Quadric& quadric) {
  switch (quadric.kind) {
    case QuadricKind::ellipsoid:
      return quadric.size.cwiseProduct(quadric.size).cwiseInverse();
    case QuadricKind::cylinder:
      return Vec3(1.0, 1.0, 0.0) / (quadric.size.x() * quadric.size.x());
    case QuadricKind::cone:
      return {1.0, 1.0, -quadric.size.x() * quadric.size.x()};
  }
  return Vec3::Zero();
}

double calc_constant(const Quadric& quadric) { return quadric.kind == QuadricKind::cone ? 0.0 : -1.0; }

double calc_inside_measure(const Quadric& quadric, const Vec3& p) {
  switch (quadric.kind) {
    case QuadricKind::ellipsoid: {
      // First-order distance of the surface F = 0: (|Wp| - 1) |Wp| / |W'Wp|, exact for a sphere.
      const Vec3 w = p.cwiseQuotient(quadric.size);
      const double norm = w.norm();
      const double slope = w.cwiseQuotient(quadric.size).norm();
      return slope > 0.0 ? (norm - 1.0) * norm / slope : -quadric.size.minCoeff();
    }
    case QuadricKind::cylinder:
      return p.head<2>().norm() - quadric.size.x();
    case QuadricKind::cone: {
      const double cosine = 1.0 / std::sqrt(1.0 + quadric.size.x() * quadric.size.x());
      return cosine * (p.head<2>().norm() + quadric.size.x() * p.z());
    }
  }
  return 0.0;
}

}  // namespace

QuadraticForm make_quadratic_form(const Quadric& quadric) {
  QuadraticForm form;
  form.Q = quadric.X.R * calc_diagonal(quadric).asDiagonal() * quadric.X.R.transpose();
  form.b = -form.Q * quadric.X.p;
  form.c = quadric.X.p.dot(form.Q * quadric.X.p) + calc_constant(quadric);
  return form;
}

double calc_outside_measure(const Quadric& quadric, const Vec3& x) {
  const Vec3 p = quadric.X.R.transpose() * (x - quadric.X.p);
  const double measure = calc_inside_measure(quadric, p);
  return quadric.is_complement ? -measure : measure;
}

double calc_support(const Quadric& quadric, const Vec3& n) {
  if (quadric.is_complement) return kInfinity;
  const Vec3 m = quadric.X.R.transpose() * n;
  const double base = n.dot(quadric.X.p);
  switch (quadric.kind) {
    case QuadricKind::ellipsoid:
      return base + m.cwiseProduct(quadric.size).norm();
    case QuadricKind::cylinder:
      return std::abs(m.z()) < 1e-14 ? base + quadric.size.x() : kInfinity;
    case QuadricKind::cone:
      return m.z() >= quadric.size.x() * m.head<2>().norm() ? base : kInfinity;
  }
  return kInfinity;
}

std::optional<LineInterval> calc_line_interval(const Quadric& quadric, const Vec3& p, const Vec3& d) {
  const Vec3 diagonal = calc_diagonal(quadric);
  const Vec3 q = quadric.X.R.transpose() * (p - quadric.X.p), e = quadric.X.R.transpose() * d;
  const Vec3 e_scaled = diagonal.cwiseProduct(e);
  const double a = e_scaled.dot(e), b = e_scaled.dot(q);
  const double c = diagonal.cwiseProduct(q).dot(q) + calc_constant(quadric);
  const bool is_cone = quadric.kind == QuadricKind::cone;
  const double tiny = 1e-14 * diagonal.cwiseAbs().maxCoeff() * e.squaredNorm();
  if (std::abs(a) <= tiny) {
    if (!is_cone) return c < 0.0 ? std::optional<LineInterval>({-kInfinity, kInfinity}) : std::nullopt;
    // Along a generator: c + 2 b s <= 0, on the nappe below the apex only.
    if (std::abs(b) <= tiny * q.norm()) return std::nullopt;
    const double root = -0.5 * c / b;
    if (q.z() + root * e.z() > 0.0) return std::nullopt;
    return e.z() < 0.0 ? LineInterval{root, kInfinity} : LineInterval{-kInfinity, root};
  }
  const double discriminant = b * b - a * c;
  if (!(discriminant > 0.0)) return std::nullopt;
  const double r = -(b + std::copysign(std::sqrt(discriminant), b));
  const double s_1 = r / a, s_2 = r != 0.0 ? c / r : s_1;
  const LineInterval roots{std::min(s_1, s_2), std::max(s_1, s_2)};
  if (!is_cone) return roots;
  const bool lower_ok = q.z() + roots.lower * e.z() <= 0.0, upper_ok = q.z() + roots.upper * e.z() <= 0.0;
  if (a > 0.0) return lower_ok && upper_ok ? std::optional<LineInterval>(roots) : std::nullopt;
  // a < 0: the line runs out of one nappe into the other; inside it is beyond the root on the solid one.
  if (e.z() < 0.0) return LineInterval{roots.upper, kInfinity};
  return LineInterval{-kInfinity, roots.lower};
}

}  // namespace abut
