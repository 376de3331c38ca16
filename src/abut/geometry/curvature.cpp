#include "abut/geometry/curvature.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/signed_distance.hpp"

namespace abut {
namespace {

constexpr double kAngleTolerance = 1e-6;   // [rad] between a contact normal and that of a smooth face
constexpr double kBorderTolerance = 1e-9;  // of the size of the shape

using Local = std::optional<SurfaceCurvature>;

bool is_along(const Vec3& n, const Vec3& face_normal) { return (n - face_normal).norm() <= kAngleTolerance; }

SurfaceCurvature make_flat(const Vec3& n) { return {0.0, 0.0, any_perpendicular(n)}; }

/// Unit tangent around the axis z at p; any on the axis.
Vec3 calc_around(const Vec3& p) {
  const double r = std::hypot(p.x(), p.y());
  return r > 0.0 ? Vec3(-p.y() / r, p.x() / r, 0.0) : Vec3(Vec3::UnitY());
}

/// All in the shape frame: p near the surface, n outward.
Local calc_local(const Sphere& s, const Vec3&, const Vec3& n) {
  return SurfaceCurvature{1.0 / s.radius, 1.0 / s.radius, any_perpendicular(n)};
}

Local calc_local(const HalfSpace&, const Vec3&, const Vec3& n) { return make_flat(n); }

Local calc_local(const Box& s, const Vec3& p, const Vec3& n) {
  int face = 0;
  n.cwiseAbs().maxCoeff(&face);
  if (!is_along(n, std::copysign(1.0, n[face]) * Vec3::Unit(face))) return std::nullopt;
  const double border = kBorderTolerance * s.half_size.maxCoeff();
  for (int i = 0; i < 3; ++i) {
    if (i != face && std::abs(p[i]) > s.half_size[i] - border) return std::nullopt;
  }
  return make_flat(n);
}

Local calc_local(const Cylinder& s, const Vec3& p, const Vec3& n) {
  const bool has_ends = std::isfinite(s.half_length);
  const double border = kBorderTolerance * (has_ends ? std::max(s.radius, s.half_length) : s.radius);
  if (is_along(n, std::copysign(1.0, n.z()) * Vec3::UnitZ())) {
    return has_ends && std::hypot(p.x(), p.y()) < s.radius - border ? Local(make_flat(n)) : std::nullopt;
  }
  if (std::abs(n.z()) > kAngleTolerance || std::abs(p.z()) > s.half_length - border) return std::nullopt;
  return SurfaceCurvature{1.0 / s.radius, 0.0, Vec3::UnitZ().cross(n).normalized()};
}

Local calc_local(const Bore& s, const Vec3&, const Vec3&) {
  return SurfaceCurvature{0.0, -1.0 / s.radius, Vec3::UnitZ()};
}

/// A cone has curvature cos(half angle) / r around the axis, none along the generator.
Local calc_local(const Cone& s, const Vec3& p, const Vec3& n) {
  const double sine = std::sin(s.half_angle);
  const double cosine = std::cos(s.half_angle);
  const bool has_base = std::isfinite(s.height);
  const double border = has_base ? kBorderTolerance * s.height / cosine : 0.0;
  if (is_along(n, -Vec3::UnitZ())) {
    const bool is_inner = has_base && std::hypot(p.x(), p.y()) < calc_base_radius(s) - border;
    return is_inner ? Local(make_flat(n)) : std::nullopt;
  }
  if (std::abs(n.z() - sine) > kAngleTolerance) return std::nullopt;
  const Vec3 outward = Vec3(n.x(), n.y(), 0.0).normalized();
  const double along = outward.dot(p) * sine - p.z() * cosine;
  if (!(along > border) || (has_base && along > s.height / cosine - border)) return std::nullopt;
  return SurfaceCurvature{cosine / (along * sine), 0.0, Vec3::UnitZ().cross(outward)};
}

Local calc_local(const Capsule& s, const Vec3& p, const Vec3& n) {
  const bool is_ball = std::abs(p.z()) >= s.half_length - kBorderTolerance * (s.half_length + s.radius);
  return SurfaceCurvature{1.0 / s.radius, is_ball ? 1.0 / s.radius : 0.0, calc_around(Vec3(n.x(), n.y(), 0.0))};
}

/// The surface point with normal n is Q n / h; there the shape operator is P diag(1/a^2) P / |x_i/a_i^2|.
Local calc_local(const Ellipsoid& s, const Vec3&, const Vec3& n) {
  const Vec3 q = s.semi_axes.cwiseAbs2();
  const double h = s.semi_axes.cwiseProduct(n).norm();
  const Vec3 t_1 = any_perpendicular(n);
  const Vec3 t_2 = n.cross(t_1);
  // |x_i/a_i^2| = |n| / h = 1 / h.
  const double k_11 = h * t_1.cwiseAbs2().cwiseQuotient(q).sum();
  const double k_22 = h * t_2.cwiseAbs2().cwiseQuotient(q).sum();
  const double k_12 = h * t_1.cwiseProduct(t_2).cwiseQuotient(q).sum();
  const double mean = 0.5 * (k_11 + k_22);
  const double spread = std::hypot(0.5 * (k_11 - k_22), k_12);
  const double angle = 0.5 * std::atan2(2.0 * k_12, k_11 - k_22);
  return SurfaceCurvature{mean + spread, mean - spread, std::cos(angle) * t_1 + std::sin(angle) * t_2};
}

/// Around the tube 1/r, around the axis cos / (R + r cos) with the angle of the normal from the plane of the ring: less
/// than nothing on the side of the hole.
Local calc_local(const Torus& s, const Vec3& p, const Vec3& n) {
  const Vec3 around = calc_around(p);
  const double cosine = n.dot(around.cross(Vec3::UnitZ()));
  return SurfaceCurvature{1.0 / s.tube_radius, cosine / (s.ring_radius + s.tube_radius * cosine),
                          around.cross(n).normalized()};
}

Local calc_local(const Cavity& s, const Vec3&, const Vec3& n) {
  return SurfaceCurvature{-1.0 / s.radius, -1.0 / s.radius, any_perpendicular(n)};
}

/// Hollow, round outside or flat lip, by the normal; nothing at the edges of the lip.
Local calc_local(const Bowl& s, const Vec3& p, const Vec3& n) {
  const double border = kBorderTolerance * s.calc_outer_radius(), lip = s.calc_lip_height();
  const double r = std::hypot(p.x(), p.y());
  const bool is_over_lip = r > s.calc_opening_radius() + border && r < s.calc_lip_radius() - border;
  if (is_along(n, Vec3::UnitZ()) && is_over_lip && p.z() > lip - 0.5 * s.thickness) return make_flat(n);
  const double distance = p.norm();
  if (!(distance > 0.0)) return std::nullopt;
  const Vec3 outward = p / distance;
  const auto make_round = [&](double radius, double kappa) -> Local {
    if (outward.z() * radius > lip - border) return std::nullopt;
    return SurfaceCurvature{kappa, kappa, any_perpendicular(n)};
  };
  if (is_along(n, -outward)) return make_round(s.radius, -1.0 / s.radius);
  if (is_along(n, outward)) return make_round(s.calc_outer_radius(), 1.0 / s.calc_outer_radius());
  return std::nullopt;
}

Local calc_local(const Wedge& s, const Vec3& p, const Vec3& n) {
  const Vec3 edge = s.normal_1.cross(s.normal_2);
  if (edge.norm() < kBorderTolerance) return make_flat(n);
  if (is_along(n, s.normal_1) && p.dot(s.normal_1.cross(edge)) > 0.0) return make_flat(n);
  if (is_along(n, s.normal_2) && p.dot(edge.cross(s.normal_2)) > 0.0) return make_flat(n);
  return std::nullopt;
}

/// Their faces are flat where curvature would be asked for, and Hertz's stiffness is none there.
Local calc_local(const Superquadric&, const Vec3&, const Vec3&) { return std::nullopt; }
Local calc_local(const Intersection&, const Vec3&, const Vec3&) { return std::nullopt; }

/// No point contact knows these shapes, and volumes do not ask for curvature.
Local calc_local(const Polyhedron&, const Vec3&, const Vec3&) { return std::nullopt; }
Local calc_local(const Mesh&, const Vec3&, const Vec3&) { return std::nullopt; }
Local calc_local(const CutShape&, const Vec3&, const Vec3&) { return std::nullopt; }

}  // namespace

std::optional<SurfaceCurvature> calc_surface_curvature(const Shape& shape, const Pose& X_WS, const Vec3& point_W,
                                                       const Vec3& normal_W) {
  const Vec3 p = X_WS.R.transpose() * (point_W - X_WS.p);
  const Vec3 n = X_WS.R.transpose() * normal_W;
  Local local = std::visit([&](const auto& s) { return calc_local(s, p, n); }, shape);
  if (local) local->direction_1 = X_WS.R * local->direction_1;
  return local;
}

std::optional<SurfaceCurvature> calc_surface_curvature(const Shape& shape, const Pose& X_WS, const Vec3& point_W) {
  const SurfaceDistance surface = calc_signed_distance(shape, Vec3(X_WS.R.transpose() * (point_W - X_WS.p)));
  return calc_surface_curvature(shape, X_WS, point_W, X_WS.R * surface.normal);
}

RelativeCurvature calc_relative_curvature(const SurfaceCurvature& a, const SurfaceCurvature& b) {
  const double difference_a = a.kappa_1 - a.kappa_2;
  const double difference_b = b.kappa_1 - b.kappa_2;
  const double cosine = std::clamp(a.direction_1.dot(b.direction_1), -1.0, 1.0);
  const double cosine_2 = 2.0 * cosine * cosine - 1.0;
  const double square =
      difference_a * difference_a + difference_b * difference_b + 2.0 * difference_a * difference_b * cosine_2;
  const double difference = std::sqrt(std::max(0.0, square));
  const double sum = a.kappa_1 + a.kappa_2 + b.kappa_1 + b.kappa_2;
  return {0.5 * (sum + difference), 0.5 * (sum - difference)};
}

std::optional<RelativeCurvature> calc_relative_curvature(const Shape& a, const Pose& X_WA, const Shape& b,
                                                         const Pose& X_WB, const PointContact& contact) {
  const auto curvature_a = calc_surface_curvature(a, X_WA, contact.point, -contact.normal);
  const auto curvature_b = calc_surface_curvature(b, X_WB, contact.point, contact.normal);
  if (!curvature_a || !curvature_b) return std::nullopt;
  return calc_relative_curvature(*curvature_a, *curvature_b);
}

}  // namespace abut
