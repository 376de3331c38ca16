#include "abut/geometry/implicit_surface.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "abut/base/error.hpp"

namespace abut {

namespace {

double power(double x, double p) { return x > 0.0 ? std::pow(x, p) : 0.0; }

/// Value and derivatives of a function at a point.
struct Jet {
  double value = 0.0;
  Vec3 gradient = Vec3::Zero();
  Mat3 hessian = Mat3::Zero();
};

/// How many derivatives are asked for; those of intersections are worth leaving out.
enum class Order { value, gradient, hessian };

Jet calc_jet(const Superquadric& s, const Vec3& at, Order) {
  const double p = s.exponent, q = s.calc_exponent_z(), r = q / p;
  const Vec3 u = at.cwiseQuotient(s.semi_axes), size = u.cwiseAbs();
  const double disc = power(size.x(), p) + power(size.y(), p);
  Jet jet;
  jet.value = power(disc, r) + power(size.z(), q) - 1.0;
  jet.gradient.z() = std::copysign(q * power(size.z(), q - 1.0) / s.semi_axes.z(), u.z());
  // At q = 2 the power 0^0 is 1: an ellipsoid keeps its curvature on the axes.
  jet.hessian(2, 2) = q * (q - 1.0) * std::pow(size.z(), q - 2.0) / (s.semi_axes.z() * s.semi_axes.z());
  if (!(disc > 0.0)) {
    if (p == 2.0 && q == 2.0) jet.hessian.diagonal().head<2>() = 2.0 * s.semi_axes.head<2>().cwiseAbs2().cwiseInverse();
    return jet;
  }
  const double outer = q * std::pow(disc, r - 1.0);
  Vec2 slope;  // of disc / p, over the semi-axes
  for (int i = 0; i < 2; ++i) slope[i] = std::copysign(power(size[i], p - 1.0) / s.semi_axes[i], u[i]);
  jet.gradient.head<2>() = outer * slope;
  jet.hessian.topLeftCorner<2, 2>() = outer * p * (r - 1.0) / disc * slope * slope.transpose();
  for (int i = 0; i < 2; ++i) {
    jet.hessian(i, i) += outer * (p - 1.0) * std::pow(size[i], p - 2.0) / (s.semi_axes[i] * s.semi_axes[i]);
  }
  return jet;
}

Jet calc_jet(const Sphere& s, const Vec3& p, Order) {
  const double c = 1.0 / (s.radius * s.radius);
  return {c * p.squaredNorm() - 1.0, 2.0 * c * p, 2.0 * c * Mat3::Identity()};
}

Jet calc_jet(const Ellipsoid& s, const Vec3& p, Order) {
  const Vec3 c = s.semi_axes.cwiseAbs2().cwiseInverse();
  return {c.dot(p.cwiseAbs2()) - 1.0, 2.0 * c.cwiseProduct(p), Mat3((2.0 * c).asDiagonal())};
}

Jet calc_jet(const HalfSpace& s, const Vec3& p, Order) { return {s.normal.dot(p) - s.offset, s.normal, Mat3::Zero()}; }

Jet calc_jet(const Intersection& s, const Vec3& p, Order order);

Jet calc_jet(const ImplicitSurface& surface, const Vec3& p, Order order) {
  return std::visit([&](const auto& s) { return calc_jet(s, p, order); }, surface.kind());
}

Jet calc_level(const RoundedParts::Part& part, const Vec3& p, Order order) {
  Jet level = calc_jet(part.surface, part.X_SP.R.transpose() * (p - part.X_SP.p), order);
  level.value = 1.0 + part.scale * level.value;
  if (order == Order::value) return level;
  level.gradient = part.scale * (part.X_SP.R * level.gradient);
  if (order == Order::gradient) return level;
  level.hessian = part.scale * (part.X_SP.R * level.hessian * part.X_SP.R.transpose());
  return level;
}

/// The p-norm of the levels' positive parts, all over the largest of them lest powers overflow.
Jet calc_jet(const Intersection& s, const Vec3& p, Order order) {
  const double k = s.parts->sharpness;
  double largest = 0.0;
  for (const RoundedParts::Part& part : s.parts->list) {
    largest = std::max(largest, calc_level(part, p, Order::value).value);
  }
  if (!(largest > 0.0)) return {-1.0, Vec3::Zero(), Mat3::Zero()};
  double sum = 0.0;
  Vec3 slope = Vec3::Zero();
  Mat3 bend = Mat3::Zero();
  for (const RoundedParts::Part& part : s.parts->list) {
    const Jet level = calc_level(part, p, order);
    const double share = level.value / largest;
    if (!(share > 0.0)) continue;
    const double weight = std::pow(share, k - 1.0);
    sum += weight * share;
    if (order == Order::value) continue;
    slope += weight * level.gradient;
    if (order == Order::gradient) continue;
    bend += (k - 1.0) / largest * std::pow(share, k - 2.0) * level.gradient * level.gradient.transpose() +
            weight * level.hessian;
  }
  const double norm = std::pow(sum, 1.0 / k), factor = norm / sum;
  if (order != Order::hessian) return {largest * norm - 1.0, factor * slope, bend};
  return {largest * norm - 1.0, factor * slope,
          factor * (bend - (k - 1.0) / (largest * sum) * slope * slope.transpose())};
}

/// Where the ray meets f = offset, from a guess of its length: Newton's method for a convex function, which overshoots
/// once from inside and then comes back without passing the root.
double shoot(const ImplicitSurface& surface, const Vec3& ray, double offset, double guess) {
  double t = guess;
  for (int k = 0; k < 300; ++k) {
    const Jet jet = calc_jet(surface, t * ray, Order::gradient);
    const double slope = jet.gradient.dot(ray), excess = jet.value - offset;
    if (!(slope > 0.0) || (excess < 0.0 && -excess > t * slope)) {
      t *= 2.0;  // too far inside for the slope to tell
      continue;
    }
    const double step = excess / slope;
    t -= step;
    if (!(std::abs(step) > 1e-15 * t)) break;
  }
  return t;
}

/// Furthest point of a general smooth convex solid: along the surface by its curvature, with a damping that a flat spot
/// or an edge needs, and back to the surface along the ray from the origin.
Vec3 find_support(const ImplicitSurface& surface, const Vec3& direction, double offset) {
  double reach = shoot(surface, direction, offset, 1e-3);
  Vec3 best = reach * direction;
  double damping = 1e-3;
  for (int k = 0; k < 200 && damping < 1e12; ++k) {
    const Jet jet = calc_jet(surface, best, Order::hessian);
    const double slope = jet.gradient.norm();
    const Vec3 n = jet.gradient / slope;
    const Vec3 turn = tangential(direction, n);
    if (turn.norm() < 1e-14) break;
    const Vec3 u = any_perpendicular(n), v = n.cross(u);
    Eigen::Matrix<double, 3, 2> basis;
    basis << u, v;
    Eigen::Matrix2d bend = basis.transpose() * jet.hessian * basis / slope;  // curvatures [1/m]
    bend.diagonal().array() += damping / reach;
    const Vec3 move = basis * Vec2(bend.inverse() * (basis.transpose() * turn)) / std::max(0.1, n.dot(direction));
    const Vec3 ray = (best + move).normalized();
    const double length = shoot(surface, ray, offset, reach);
    const Vec3 trial = length * ray;
    const double gain = (trial - best).dot(direction);
    // Within rounding the height no longer tells points apart; their normals do.
    const bool is_level =
        gain > -1e-15 * reach && tangential(direction, surface.calc_normal(trial)).norm() < turn.norm();
    if (gain > 1e-15 * reach || is_level) {
      best = trial;
      reach = length;
      damping *= 0.1;
    } else {
      damping = std::max(10.0 * damping, 1e-6);
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
  /// The norm that takes x and y together with p and the result together with z with q has the same nested form as its
  /// dual, with p' = p / (p - 1) and q'.
  Vec3 operator()(const Superquadric& s) const {
    const double p = s.exponent, q = s.calc_exponent_z(), p_dual = p / (p - 1.0), q_dual = q / (q - 1.0);
    const Vec3 b = s.semi_axes.cwiseProduct(n).cwiseAbs();
    const double disc = std::pow(power(b.x(), p_dual) + power(b.y(), p_dual), 1.0 / p_dual);
    const double whole = std::pow(power(disc, q_dual) + power(b.z(), q_dual), 1.0 / q_dual);
    const double size = std::pow(1.0 + offset, 1.0 / q), across = size * power(disc / whole, q_dual - 1.0);
    Vec3 point(0.0, 0.0, size * power(b.z() / whole, q_dual - 1.0));
    if (disc > 0.0) {
      for (int i = 0; i < 2; ++i) point[i] = across * power(b[i] / disc, p_dual - 1.0);
    }
    for (int i = 0; i < 3; ++i) point[i] = std::copysign(s.semi_axes[i] * point[i], n[i]);
    return point;
  }
  Vec3 operator()(const HalfSpace& s) const { return near - (s.normal.dot(near) - s.offset - offset) * s.normal; }
  Vec3 operator()(const Intersection&) const { return find_support(surface, n, offset); }
};

/// 1 + f is homogeneous in p for the first three, of degree 2 or q.
struct Reach {
  const ImplicitSurface& surface;
  const Vec3& u;
  double guess;
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Ellipsoid& s) const { return 1.0 / u.cwiseQuotient(s.semi_axes).norm(); }
  double operator()(const Superquadric& s) const {
    return std::pow(1.0 + surface.value(u), -1.0 / s.calc_exponent_z());
  }
  double operator()(const HalfSpace&) const { return kInfiniteLength; }
  double operator()(const Intersection&) const { return shoot(surface, u, 0.0, guess); }
};

std::string check_part(const RoundedParts::Part& part) {
  const std::string defect = std::visit([](const auto& kind) { return find_shape_defect(kind); }, part.surface.kind());
  if (!defect.empty()) return defect;
  const double depth = part.surface.value(part.X_SP.inverse() * Vec3(Vec3::Zero()));
  if (depth < 0.0) return {};
  return "the origin of an intersection has to lie inside all its parts; move the parts, and the shape by `position`";
}

}  // namespace

double ImplicitSurface::value(const Vec3& p) const { return calc_jet(*this, p, Order::value).value; }
Vec3 ImplicitSurface::gradient(const Vec3& p) const { return calc_jet(*this, p, Order::gradient).gradient; }
Mat3 ImplicitSurface::calc_hessian(const Vec3& p) const { return calc_jet(*this, p, Order::hessian).hessian; }
Vec3 ImplicitSurface::calc_support(const Vec3& direction, double offset, const Vec3& near) const {
  return std::visit(Support{*this, direction, offset, near}, kind_);
}
double ImplicitSurface::calc_reach(const Vec3& direction, double guess) const {
  return std::visit(Reach{*this, direction, guess}, kind_);
}

/// By the support function along the world axes.
Aabb ImplicitSurface::calc_bounds(const Pose& X_WS) const {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = X_WS.R.row(i);
    box.upper[i] = X_WS.p[i] + axis.dot(calc_support(axis));
    box.lower[i] = X_WS.p[i] + axis.dot(calc_support(-axis));
  }
  return box;
}

RoundedParts make_rounded_parts(std::vector<std::pair<ImplicitSurface, Pose>> parts, double sharpness) {
  RoundedParts result;
  result.sharpness = sharpness;
  for (auto& [surface, X_SP] : parts) {
    const bool is_plane = std::holds_alternative<HalfSpace>(surface.kind());
    const double depth = is_plane ? -surface.value(X_SP.inverse() * Vec3(Vec3::Zero())) : 1.0;
    result.list.push_back({std::move(surface), X_SP, depth > 0.0 ? 1.0 / depth : 1.0});
  }
  return result;
}

std::string find_parts_defect(const RoundedParts& parts) {
  if (parts.list.empty()) return "has no parts";
  if (!(parts.sharpness >= RoundedParts::kMinSharpness && parts.sharpness <= RoundedParts::kMaxSharpness)) {
    return fmt::format("sharpness must be from {} to {}, got {}", RoundedParts::kMinSharpness,
                       RoundedParts::kMaxSharpness, parts.sharpness);
  }
  double sum = 0.0;
  for (const RoundedParts::Part& part : parts.list) {
    if (const std::string defect = check_part(part); !defect.empty()) return defect;
    sum += power(calc_level(part, Vec3::Zero(), Order::value).value, parts.sharpness);
  }
  if (sum < 1.0) return {};
  return fmt::format(
      "nothing is left about the origin once the edges are rounded with sharpness {}: the parts' surfaces pass too "
      "near to it",
      parts.sharpness);
}

bool is_bounded(const RoundedParts& parts) {
  std::vector<Vec3> normals;
  for (const RoundedParts::Part& part : parts.list) {
    const auto* plane = std::get_if<HalfSpace>(&part.surface.kind());
    if (plane == nullptr) return true;
    normals.emplace_back(part.X_SP.R * plane->normal);
  }
  // A solid of planes is endless along u if no normal has a part along u. Such directions form a cone; where the
  // normals span space it has an edge, perpendicular to two of them.
  MatX all(3, normals.size());
  for (std::size_t i = 0; i < normals.size(); ++i) all.col(static_cast<Eigen::Index>(i)) = normals[i];
  constexpr double kParallel = 1e-9;
  if (normals.size() < 4 || (all * all.transpose()).determinant() < kParallel * kParallel) return false;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 edge = normals[i].cross(normals[j]);
      if (edge.norm() < kParallel) continue;
      for (const double sign : {1.0, -1.0}) {
        const VecX along = sign * (all.transpose() * edge.normalized());
        if (along.maxCoeff() <= kParallel) return false;
      }
    }
  }
  return true;
}

std::optional<ImplicitSurface> find_implicit_surface(const Shape& shape) {
  return std::visit(
      [](const auto& s) -> std::optional<ImplicitSurface> {
        if constexpr (std::is_constructible_v<ImplicitSurface::Kind, const decltype(s)&>) {
          return ImplicitSurface(s);
        } else {
          return std::nullopt;
        }
      },
      shape);
}

}  // namespace abut
