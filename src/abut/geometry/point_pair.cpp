#include "abut/geometry/point_pair.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "abut/geometry/capsule_pair.hpp"
#include "abut/geometry/ellipsoid_pair.hpp"
#include "abut/geometry/half_space_pairs.hpp"
#include "abut/geometry/hollow_pairs.hpp"
#include "abut/geometry/opposed_points.hpp"
#include "abut/geometry/sphere_kernels.hpp"

namespace abut {
namespace {

/// Position of an alternative in the variant.
template <class T, std::size_t I = 0>
constexpr std::size_t index_of() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, Shape>, T>) {
    return I;
  } else {
    return index_of<T, I + 1>();
  }
}

struct Entry {
  PointPairKind kind;
  std::size_t first, second;
  int num_points;
  bool needs_finite_first;
};

template <class First, class Second>
constexpr Entry make_entry(PointPairKind kind, int num_points = 1, bool needs_finite_first = false) {
  return {kind, index_of<First>(), index_of<Second>(), num_points, needs_finite_first};
}

constexpr std::array kEntries = {
    make_entry<Sphere, Sphere>(PointPairKind::kSphereSphere),
    make_entry<Sphere, HalfSpace>(PointPairKind::kSphereHalfSpace),
    make_entry<Sphere, Box>(PointPairKind::kSphereBox),
    make_entry<Sphere, Cylinder>(PointPairKind::kSphereCylinder),
    make_entry<Sphere, Bore>(PointPairKind::kSphereBore),
    make_entry<Sphere, Cone>(PointPairKind::kSphereCone),
    make_entry<Sphere, Capsule>(PointPairKind::kSphereCapsule),
    make_entry<Sphere, Ellipsoid>(PointPairKind::kSphereEllipsoid),
    make_entry<Sphere, Wedge>(PointPairKind::kSphereWedge),
    make_entry<Sphere, Torus>(PointPairKind::kSphereTorus),
    make_entry<Sphere, Cavity>(PointPairKind::kSphereCavity),
    make_entry<Sphere, Bowl>(PointPairKind::kSphereBowl),
    make_entry<Capsule, HalfSpace>(PointPairKind::kCapsuleHalfSpace, 2),
    make_entry<Box, HalfSpace>(PointPairKind::kBoxHalfSpace, 8),
    make_entry<Cylinder, HalfSpace>(PointPairKind::kCylinderHalfSpace, 8, true),
    make_entry<Cone, HalfSpace>(PointPairKind::kConeHalfSpace, 5, true),
    make_entry<Ellipsoid, HalfSpace>(PointPairKind::kEllipsoidHalfSpace),
    make_entry<Torus, HalfSpace>(PointPairKind::kTorusHalfSpace, 4),
    make_entry<Bowl, HalfSpace>(PointPairKind::kBowlHalfSpace, 4),
    make_entry<Capsule, Cavity>(PointPairKind::kCapsuleCavity, 2),
    make_entry<Box, Cavity>(PointPairKind::kBoxCavity, 8),
    make_entry<Capsule, Capsule>(PointPairKind::kCapsuleCapsule, kCapsuleCapsulePoints),
    make_entry<Ellipsoid, Ellipsoid>(PointPairKind::kEllipsoidEllipsoid),
    make_entry<Superquadric, HalfSpace>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Superquadric, Sphere>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Superquadric, Ellipsoid>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Superquadric, Superquadric>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Intersection, HalfSpace>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Intersection, Sphere>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Intersection, Ellipsoid>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Intersection, Superquadric>(PointPairKind::kSmoothSmooth, 1, true),
    make_entry<Intersection, Intersection>(PointPairKind::kSmoothSmooth, 1, true),
};

bool is_wider_than_hole(const Sphere& ball, const Shape& b) {
  if (const auto* torus = std::get_if<Torus>(&b)) return ball.radius >= torus->calc_hole_radius();
  if (const auto* bowl = std::get_if<Bowl>(&b)) return ball.radius >= bowl->calc_opening_radius();
  return false;
}

template <class Solid>
PointContact calc_sphere_solid(const Sphere& sphere, const Pose& X_WA, const Shape& b, const Pose& X_WB) {
  return sphere_solid(X_WA.p, sphere.radius, *std::get_if<Solid>(&b), X_WB);
}

PointContact calc_ellipsoids(const Ellipsoid& a, const Pose& X_WA, const Ellipsoid& b, const Pose& X_WB,
                             PointPairMemory& memory) {
  const Vec3 last(memory.normal[0], memory.normal[1], memory.normal[2]);
  const PointContact contact = calc_ellipsoid_ellipsoid(a, X_WA, b, X_WB, memory.is_valid ? &last : nullptr).contact;
  memory.normal = {contact.normal.x(), contact.normal.y(), contact.normal.z()};
  memory.is_valid = true;
  return contact;
}

/// As for balls: midway between the opposed points, or the lowest point above a plane.
PointContact calc_smooth(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, PointPairMemory& memory) {
  const Vec3 last(memory.normal[0], memory.normal[1], memory.normal[2]);
  const Vec3 apart = X_WA.p - X_WB.p;
  const Vec3 start = memory.is_valid ? last : apart.norm() > 0.0 ? apart : Vec3(Vec3::UnitZ());
  const OpposedPoints points =
      find_opposed_points(*find_implicit_surface(a), X_WA, *find_implicit_surface(b), X_WB, start);
  memory.normal = {points.normal.x(), points.normal.y(), points.normal.z()};
  memory.is_valid = true;
  const bool is_plane = std::holds_alternative<HalfSpace>(b);
  return {points.gap, points.normal, is_plane ? points.a1 : Vec3(0.5 * (points.a1 + points.a2))};
}

void calc_sphere_contact(PointPairKind kind, const Sphere& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         PointContact* out) {
  using Kind = PointPairKind;
  switch (kind) {
    case Kind::kSphereSphere: {
      *out = sphere_sphere(X_WA.p, a.radius, X_WB.p, std::get_if<Sphere>(&b)->radius);
      return;
    }
    case Kind::kSphereHalfSpace: {
      const WorldPlane plane = make_world_plane(*std::get_if<HalfSpace>(&b), X_WB);
      *out = sphere_half_space(X_WA.p, a.radius, plane.normal, plane.offset);
      return;
    }
    case Kind::kSphereBox:
      *out = calc_sphere_solid<Box>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereCylinder:
      *out = calc_sphere_solid<Cylinder>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereBore:
      *out = calc_sphere_solid<Bore>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereCone:
      *out = calc_sphere_solid<Cone>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereCapsule:
      *out = calc_sphere_solid<Capsule>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereEllipsoid:
      *out = calc_sphere_solid<Ellipsoid>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereWedge:
      *out = calc_sphere_solid<Wedge>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereTorus:
      *out = calc_sphere_solid<Torus>(a, X_WA, b, X_WB);
      if (is_wider_than_hole(a, b)) calc_sphere_ring(a, X_WA, *std::get_if<Torus>(&b), X_WB, out + 1);
      return;
    case Kind::kSphereCavity:
      *out = calc_sphere_solid<Cavity>(a, X_WA, b, X_WB);
      return;
    case Kind::kSphereBowl:
      *out = calc_sphere_solid<Bowl>(a, X_WA, b, X_WB);
      if (is_wider_than_hole(a, b)) calc_sphere_mouth(a, X_WA, *std::get_if<Bowl>(&b), X_WB, out + 1);
      return;
    default:
      return;  // not a pair with a sphere: calc_in_order() never asks
  }
}

void calc_half_space_contacts(PointPairKind kind, const Shape& a, const Pose& X_WA, const HalfSpace& b,
                              const Pose& X_WB, PointContact* out) {
  using Kind = PointPairKind;
  const WorldPlane plane = make_world_plane(b, X_WB);
  switch (kind) {
    case Kind::kCapsuleHalfSpace:
      calc_capsule_half_space(*std::get_if<Capsule>(&a), X_WA, plane, out);
      return;
    case Kind::kBoxHalfSpace:
      calc_box_half_space(*std::get_if<Box>(&a), X_WA, plane, out);
      return;
    case Kind::kCylinderHalfSpace:
      calc_cylinder_half_space(*std::get_if<Cylinder>(&a), X_WA, plane, out);
      return;
    case Kind::kConeHalfSpace:
      calc_cone_half_space(*std::get_if<Cone>(&a), X_WA, plane, out);
      return;
    case Kind::kTorusHalfSpace:
      calc_torus_half_space(*std::get_if<Torus>(&a), X_WA, plane, out);
      return;
    case Kind::kBowlHalfSpace:
      calc_bowl_half_space(*std::get_if<Bowl>(&a), X_WA, plane, out);
      return;
    case Kind::kEllipsoidHalfSpace:
      *out = calc_ellipsoid_half_space(*std::get_if<Ellipsoid>(&a), X_WA, plane);
      return;
    default:
      return;  // not a pair with a half-space: calc_in_order() never asks
  }
}

void calc_in_order(PointPairKind kind, const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                   PointPairMemory& memory, PointContact* out) {
  if (kind == PointPairKind::kSmoothSmooth) {
    *out = calc_smooth(a, X_WA, b, X_WB, memory);
  } else if (const auto* sphere = std::get_if<Sphere>(&a)) {
    calc_sphere_contact(kind, *sphere, X_WA, b, X_WB, out);
  } else if (const auto* half_space = std::get_if<HalfSpace>(&b)) {
    calc_half_space_contacts(kind, a, X_WA, *half_space, X_WB, out);
  } else if (kind == PointPairKind::kCapsuleCavity) {
    calc_capsule_cavity(*std::get_if<Capsule>(&a), X_WA, *std::get_if<Cavity>(&b), X_WB, out);
  } else if (kind == PointPairKind::kBoxCavity) {
    calc_box_cavity(*std::get_if<Box>(&a), X_WA, *std::get_if<Cavity>(&b), X_WB, out);
  } else if (kind == PointPairKind::kCapsuleCapsule) {
    calc_capsule_capsule(*std::get_if<Capsule>(&a), X_WA, *std::get_if<Capsule>(&b), X_WB, out);
  } else {
    *out = calc_ellipsoids(*std::get_if<Ellipsoid>(&a), X_WA, *std::get_if<Ellipsoid>(&b), X_WB, memory);
  }
}

}  // namespace

std::optional<PointPair> find_point_pair(const Shape& a, const Shape& b) {
  for (const Entry& entry : kEntries) {
    const bool is_in_order = a.index() == entry.first && b.index() == entry.second;
    const bool is_swapped = !is_in_order && a.index() == entry.second && b.index() == entry.first;
    if (!is_in_order && !is_swapped) continue;
    if (entry.needs_finite_first && !is_finite(is_swapped ? b : a)) return std::nullopt;
    const int num_points = touches_all_around(a, b) ? 1 + kRingPoints : entry.num_points;
    return PointPair{entry.kind, is_swapped, num_points};
  }
  return std::nullopt;
}

bool touches_all_around(const Shape& a, const Shape& b) {
  const auto *ball_a = std::get_if<Sphere>(&a), *ball_b = std::get_if<Sphere>(&b);
  return (ball_a != nullptr && is_wider_than_hole(*ball_a, b)) || (ball_b != nullptr && is_wider_than_hole(*ball_b, a));
}

std::vector<std::string> list_point_pairs() {
  // Default-constructed alternatives, to ask each for its name.
  const std::array<Shape, std::variant_size_v<Shape>> shapes = {
      Sphere{},     HalfSpace{}, Box{},      Cylinder{},     Bore{},         Cone{},  Capsule{}, Ellipsoid{}, Wedge{},
      Polyhedron{}, Mesh{},      CutShape{}, Superquadric{}, Intersection{}, Torus{}, Cavity{},  Bowl{}};
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) {
    const bool may_be_endless = entry.needs_finite_first && entry.kind != PointPairKind::kSmoothSmooth;
    names.push_back(fmt::format("{}{} and {}", may_be_endless ? "finite " : "", shape_name(shapes[entry.first]),
                                shape_name(shapes[entry.second])));
  }
  return names;
}

void calc_point_contacts(const PointPair& pair, const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                         PointPairMemory& memory, PointContact* out) {
  if (!pair.swapped) {
    calc_in_order(pair.kind, a, X_WA, b, X_WB, memory, out);
    return;
  }
  calc_in_order(pair.kind, b, X_WB, a, X_WA, memory, out);
  for (int k = 0; k < pair.num_points; ++k) out[k] = mirror(out[k]);
}

}  // namespace abut
