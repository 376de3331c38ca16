#include "abut/geometry/distance/support_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "abut/base/error.hpp"
#include "abut/geometry/distance/shape_bounds.hpp"
#include "abut/geometry/distance/simplex_point.hpp"

namespace abut {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Vec3 calc_core_support(const Box& s, const Vec3& d) {
  return {std::copysign(s.half_size.x(), d.x()), std::copysign(s.half_size.y(), d.y()),
          std::copysign(s.half_size.z(), d.z())};
}

/// Point of the disc of a radius about z farthest along d; its centre where all are equally far.
Vec3 calc_disc_support(double radius, double z, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  if (!(across > 0.0)) return {0.0, 0.0, z};
  return {radius * (d.x() / across), radius * (d.y() / across), z};
}

Vec3 calc_core_support(const Cylinder& s, const Vec3& d) {
  return calc_disc_support(s.radius, std::copysign(s.half_length, d.z()), d);
}

Vec3 calc_core_support(const Cone& s, const Vec3& d) {
  const Vec3 rim = calc_disc_support(calc_base_radius(s), -s.height, d);
  return rim.dot(d) > 0.0 ? rim : Vec3(Vec3::Zero());
}

Vec3 calc_core_support(const Ellipsoid& s, const Vec3& d) {
  const Vec3 scaled = s.semi_axes.cwiseProduct(d / d.cwiseAbs().maxCoeff());
  return s.semi_axes.cwiseProduct(scaled / scaled.norm());
}

Vec3 calc_core_support(const ImplicitSurface& s, const Vec3& d) { return s.calc_support(d.normalized()); }

Vec3 calc_core_support(const ConvexPolyhedron* s, const Vec3& d) {
  int best = 0;
  double height = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(s->vertices().size()); ++i) {
    const double h = d.dot(s->vertices()[i]);
    if (h <= height) continue;
    height = h;
    best = i;
  }
  return s->vertices()[best];
}

Vec3 calc_core_support(const std::array<Vec3, 3>& s, const Vec3& d) {
  return *std::max_element(s.begin(), s.end(), [&](const Vec3& p, const Vec3& q) { return d.dot(p) < d.dot(q); });
}

/// The set of differences A - B about A's origin, world axes, and the pairs of points behind a simplex in it.
struct Differences {
  const SupportSolid& a;
  const SupportSolid& b;
  const Mat3& R_WA;
  const Mat3& R_WB;
  Vec3 shift;  // from A's origin to B's [m]

  Vec3 calc_point_a(const Vec3& direction) const { return R_WA * a.calc_support(R_WA.transpose() * direction); }
  Vec3 calc_point_b(const Vec3& direction) const { return R_WB * b.calc_support(R_WB.transpose() * direction) + shift; }
};

struct Search {
  Simplex simplex;
  std::array<Vec3, 4> points_a, points_b;
  Vec3 nearest = Vec3::Zero();
  std::array<double, 4> weights = {1.0, 0.0, 0.0, 0.0};
  double lower = 0.0;  // no difference is nearer to the origin [m]
  int iterations = 0;
  bool is_overlapping = false;

  bool has(const Vec3& w) const {
    return std::find(simplex.points.begin(), simplex.points.begin() + simplex.size, w) !=
           simplex.points.begin() + simplex.size;
  }

  void add(const Vec3& point_a, const Vec3& point_b) {
    points_a[simplex.size] = point_a;
    points_b[simplex.size] = point_b;
    simplex.points[simplex.size] = point_a - point_b;
    ++simplex.size;
  }

  void reduce(const SimplexPoint& found) {
    const Search old = *this;
    simplex.size = found.size;
    for (int i = 0; i < found.size; ++i) {
      simplex.points[i] = old.simplex.points[found.corners[i]];
      points_a[i] = old.points_a[found.corners[i]];
      points_b[i] = old.points_b[found.corners[i]];
      weights[i] = found.weights[i];
    }
    nearest = found.point;
  }
};

/// One step: false when there is nothing more to gain. `size` bounds all coordinates [m].
bool improve(const Differences& differences, double size, Search& search) {
  const double distance = search.nearest.norm();
  if (distance <= 8.0 * kEpsilon * size) {
    search.is_overlapping = true;
    return false;
  }
  const Vec3 direction = search.nearest / distance;
  const Vec3 point_a = differences.calc_point_a(-direction), point_b = differences.calc_point_b(direction);
  const Vec3 w = point_a - point_b;
  search.lower = std::max(search.lower, direction.dot(w));
  if (distance - search.lower <= kEpsilon * size || search.has(w)) return false;
  Search next = search;
  next.add(point_a, point_b);
  const SimplexPoint found = calc_nearest_to_origin(next.simplex);
  if (found.is_inside) {
    search.is_overlapping = true;
    return false;
  }
  if (!(found.point.squaredNorm() < search.nearest.squaredNorm())) return false;
  next.reduce(found);
  search = next;
  return true;
}

Search search_nearest(const Differences& differences, double size, const Vec3& start) {
  Search search;
  search.add(differences.calc_point_a(-start), differences.calc_point_b(start));
  search.nearest = search.simplex.points[0];
  while (search.iterations < kMaxSupportIterations) {
    ++search.iterations;
    if (!improve(differences, size, search)) break;
  }
  return search;
}

}  // namespace

SupportSolid::SupportSolid(const Shape& shape) {
  if (!is_finite(shape)) {
    throw InputError(fmt::format("support function: {} is not a bounded convex solid", shape_name(shape)));
  }
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    core_ = Point{};
    margin_ = radius_ = sphere->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    core_ = Segment{capsule->half_length};
    margin_ = capsule->radius;
    radius_ = capsule->half_length + capsule->radius;
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    core_ = *box;
    radius_ = box->half_size.norm();
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    core_ = *cylinder;
    radius_ = std::hypot(cylinder->radius, cylinder->half_length);
  } else if (const auto* cone = std::get_if<Cone>(&shape)) {
    core_ = *cone;
    radius_ = std::hypot(calc_base_radius(*cone), cone->height);
  } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
    core_ = *ellipsoid;
    radius_ = ellipsoid->semi_axes.maxCoeff();
  } else if (const auto surface = find_implicit_surface(shape)) {
    core_ = *surface;
    const Aabb bounds = calc_aabb(shape, Pose());
    radius_ = bounds.lower.cwiseAbs().cwiseMax(bounds.upper.cwiseAbs()).norm();
  } else {
    throw InputError(fmt::format("support function: {} is not offered", shape_name(shape)));
  }
}

SupportSolid::SupportSolid(const ConvexPolyhedron& polyhedron) : core_(&polyhedron), radius_(polyhedron.radius()) {}

SupportSolid::SupportSolid(const std::array<Vec3, 3>& triangle) : core_(triangle) {
  for (const Vec3& corner : triangle) radius_ = std::max(radius_, corner.norm());
}

Vec3 SupportSolid::calc_support(const Vec3& direction) const {
  const Vec3 point = std::visit(
      [&](const auto& core) -> Vec3 {
        using Core = std::decay_t<decltype(core)>;
        if constexpr (std::is_same_v<Core, Point>) {
          return Vec3::Zero();
        } else if constexpr (std::is_same_v<Core, Segment>) {
          return {0.0, 0.0, std::copysign(core.half_length, direction.z())};
        } else {
          return calc_core_support(core, direction);
        }
      },
      core_);
  return factor_ == 1.0 ? point : Vec3(center_ + factor_ * (point - center_));
}

SupportSolid SupportSolid::make_smaller(const Vec3& center, double factor) const {
  SupportSolid smaller = *this;
  smaller.center_ = center;
  smaller.factor_ = factor;
  smaller.margin_ *= factor;
  return smaller;
}

Separation calc_separation(const SupportSolid& a, const Pose& X_WA, const SupportSolid& b, const Pose& X_WB,
                           SeparationMemory& memory) {
  const Differences differences{a, b, X_WA.R, X_WB.R, X_WB.p - X_WA.p};
  const double size = a.radius() + b.radius() + differences.shift.norm();
  Vec3 start = memory.direction;
  if (!(start.squaredNorm() > 0.5)) start = -differences.shift;
  if (!(start.squaredNorm() > 0.0)) start = Vec3::UnitZ();
  const Search search = search_nearest(differences, size, start);
  const double core_distance = search.nearest.norm(), margin = a.margin() + b.margin();
  Separation result;
  result.iterations = search.iterations;
  if (search.is_overlapping || core_distance <= margin) {
    if (core_distance > 0.0 && !search.is_overlapping) {
      memory.direction = result.normal = search.nearest / core_distance;
      result.has_normal = true;
    }
    return result;
  }
  result.distance = core_distance - margin;
  result.error = std::max(0.0, core_distance - search.lower);
  result.normal = search.nearest / core_distance;
  result.has_normal = true;
  memory.direction = result.normal;
  for (int i = 0; i < search.simplex.size; ++i) {
    result.point_a += search.weights[i] * search.points_a[i];
    result.point_b += search.weights[i] * search.points_b[i];
  }
  result.point_a += X_WA.p - a.margin() * result.normal;
  result.point_b += X_WA.p + b.margin() * result.normal;
  return result;
}

double calc_separation(const SupportSolid& a, const Pose& X_WA, const HalfSpace& b, const Pose& X_WB) {
  const Vec3 normal = X_WB.R * b.normal;
  const Vec3 lowest = X_WA.R * a.calc_support(X_WA.R.transpose() * -normal);
  return normal.dot(lowest) + (normal.dot(X_WA.p - X_WB.p) - b.offset) - a.margin();
}

double calc_separation(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, SeparationMemory& memory) {
  const auto* plane_a = std::get_if<HalfSpace>(&a);
  const auto* plane_b = std::get_if<HalfSpace>(&b);
  if ((plane_a == nullptr && !is_finite(a)) || (plane_b == nullptr && !is_finite(b)) ||
      (plane_a != nullptr && plane_b != nullptr)) {
    throw InputError(fmt::format("distance: {} and {}: at most one may be a half-space, the other must be bounded",
                                 shape_name(a), shape_name(b)));
  }
  if (plane_b != nullptr) return std::max(0.0, calc_separation(SupportSolid(a), X_WA, *plane_b, X_WB));
  if (plane_a != nullptr) return std::max(0.0, calc_separation(SupportSolid(b), X_WB, *plane_a, X_WA));
  return calc_separation(SupportSolid(a), X_WA, SupportSolid(b), X_WB, memory).distance;
}

}  // namespace abut
