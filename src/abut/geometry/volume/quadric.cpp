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

/// b^2 - a c of the quadratic along q + s e, from the moment q x e: far from the quadric b^2 and a c are large and
/// nearly equal, while a line that all but touches it lies as near to it as its moment says.
double calc_discriminant(const Quadric& quadric, const Vec3& q, const Vec3& e) {
  double from = 0.0, less = 0.0;
  if (quadric.kind == QuadricKind::ellipsoid) {
    const Vec3 u = q.cwiseQuotient(quadric.size), v = e.cwiseQuotient(quadric.size);
    from = v.norm(), less = u.cross(v).norm();
  } else if (quadric.kind == QuadricKind::cylinder) {
    const double r = quadric.size.x();
    from = e.head<2>().norm() / r, less = std::abs(q.x() * e.y() - q.y() * e.x()) / (r * r);
  } else {
    const Vec3 moment = q.cross(e);
    from = quadric.size.x() * moment.head<2>().norm(), less = std::abs(moment.z());
  }
  return (from - less) * (from + less);
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
  // A line along a cylinder or a generator has one root, or none, at infinity; nearly along it, one that is far away.
  // Neither is told from the other by a threshold: the near root counts, and it is right however small a is.
  if (a == 0.0 && b == 0.0) {
    if (is_cone || !(c < 0.0)) return std::nullopt;
    return LineInterval{-kInfinity, kInfinity};
  }
  const double discriminant = calc_discriminant(quadric, q, e);
  if (!(discriminant > 0.0) && !(is_cone && a < 0.0)) return std::nullopt;
  const double r = -(b + std::copysign(std::sqrt(std::max(0.0, discriminant)), b));
  const double s_1 = a != 0.0 ? r / a : std::copysign(kInfinity, -b * c), s_2 = r != 0.0 ? c / r : s_1;
  const LineInterval roots{std::min(s_1, s_2), std::max(s_1, s_2)};
  if (!is_cone) return roots;
  // Both roots below the apex end what is inside; where only one is, the line goes on inside from there downwards.
  const auto is_below = [&](double s) { return std::isfinite(s) && q.z() + s * e.z() <= 0.0; };
  const bool lower_ok = is_below(roots.lower), upper_ok = is_below(roots.upper);
  if (lower_ok && upper_ok && a > 0.0) return roots;
  if (!lower_ok && !upper_ok) return std::nullopt;
  if (e.z() < 0.0) return LineInterval{upper_ok ? roots.upper : roots.lower, kInfinity};
  return LineInterval{-kInfinity, lower_ok ? roots.lower : roots.upper};
}

}  // namespace abut
