#include "abut/geometry/distance/shape_bounds.hpp"

#include <cmath>

#include "abut/geometry/implicit_surface.hpp"
#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

namespace abut {
namespace {

Aabb make_centered(const Vec3& center, const Vec3& half) { return {center - half, center + half}; }

Aabb make_unbounded() { return {Vec3::Constant(-kInfiniteLength), Vec3::Constant(kInfiniteLength)}; }

/// Half extents of a unit disc with the unit normal `axis`.
Vec3 calc_disc_extent(const Vec3& axis) { return (Vec3::Ones() - axis.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt(); }

Aabb calc_box(const Sphere& s, const Pose& X) { return make_centered(X.p, Vec3::Constant(s.radius)); }

Aabb calc_box(const Box& s, const Pose& X) { return make_centered(X.p, X.R.cwiseAbs() * s.half_size); }

Aabb calc_box(const Cylinder& s, const Pose& X) {
  if (!std::isfinite(s.half_length)) return make_unbounded();
  const Vec3 axis = X.R.col(2);
  return make_centered(X.p, axis.cwiseAbs() * s.half_length + calc_disc_extent(axis) * s.radius);
}

Aabb calc_box(const Cone& s, const Pose& X) {
  if (!std::isfinite(s.height)) return make_unbounded();
  const Vec3 axis = X.R.col(2);
  const Aabb base = make_centered(X.p - s.height * axis, calc_disc_extent(axis) * calc_base_radius(s));
  return {base.lower.cwiseMin(X.p), base.upper.cwiseMax(X.p)};
}

Aabb calc_box(const Capsule& s, const Pose& X) {
  return make_centered(X.p, X.R.col(2).cwiseAbs() * s.half_length + Vec3::Constant(s.radius));
}

Aabb calc_box(const Ellipsoid& s, const Pose& X) {
  return make_centered(X.p, (X.R * s.semi_axes.asDiagonal()).rowwise().norm());
}

Aabb calc_box(const Superquadric& s, const Pose& X) { return ImplicitSurface(s).calc_bounds(X); }
Aabb calc_box(const Intersection& s, const Pose& X) {
  return is_bounded(*s.parts) ? ImplicitSurface(s).calc_bounds(X) : make_unbounded();
}

Aabb calc_box(const Polyhedron& s, const Pose& X) {
  Aabb box = make_centered(X * s.solid->vertices()[0], Vec3::Zero());
  for (const Vec3& vertex : s.solid->vertices()) {
    const Vec3 p = X * vertex;
    box = {box.lower.cwiseMin(p), box.upper.cwiseMax(p)};
  }
  return box;
}

/// About the turned box of the mesh's own frame: thousands of vertices are not looked at for every pose.
Aabb calc_box(const Mesh& s, const Pose& X) {
  const Aabb& own = s.solid->bounds();
  return make_centered(X * Vec3(0.5 * (own.lower + own.upper)), X.R.cwiseAbs() * (0.5 * (own.upper - own.lower)));
}

Aabb calc_box(const CutShape& s, const Pose& X) {
  Aabb box = make_unbounded();
  for (const CellPart& part : s.parts->list) {
    if (part.is_complement) continue;
    const Aabb own = calc_aabb(part.shape, X * part.X_SP);
    box = {box.lower.cwiseMax(own.lower), box.upper.cwiseMin(own.upper)};
  }
  // Parts that have nothing in common leave an empty box; a point stands for it.
  return {box.lower, box.upper.cwiseMax(box.lower)};
}

Aabb calc_box(const Torus& s, const Pose& X) {
  return make_centered(X.p, calc_disc_extent(X.R.col(2)) * s.ring_radius + Vec3::Constant(s.tube_radius));
}

/// Farthest point of the round wall or, where the cut has taken that away, of the lip.
Aabb calc_box(const Bowl& s, const Pose& X) {
  const double outer = s.calc_outer_radius(), lip = s.calc_lip_height();
  const Vec3 axis = X.R.col(2), disc = calc_disc_extent(axis);
  const auto reach = [&](double along, double across) {
    return outer * along <= lip ? outer : lip * along + s.calc_lip_radius() * across;
  };
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    box.upper[i] = X.p[i] + reach(axis[i], disc[i]);
    box.lower[i] = X.p[i] - reach(-axis[i], disc[i]);
  }
  return box;
}

Aabb calc_box(const HalfSpace&, const Pose&) { return make_unbounded(); }
Aabb calc_box(const Bore&, const Pose&) { return make_unbounded(); }
Aabb calc_box(const Cavity&, const Pose&) { return make_unbounded(); }
Aabb calc_box(const Wedge&, const Pose&) { return make_unbounded(); }

}  // namespace

Aabb calc_aabb(const Shape& shape, const Pose& X_WS) {
  return std::visit([&](const auto& s) { return calc_box(s, X_WS); }, shape);
}

Vec3 calc_shape_center(const Shape& shape) {
  if (const auto* cone = std::get_if<Cone>(&shape); cone != nullptr && std::isfinite(cone->height))
    return {0.0, 0.0, -0.5 * cone->height};
  if (!is_finite(shape)) return Vec3::Zero();
  const Aabb box = calc_aabb(shape, Pose());
  return 0.5 * (box.lower + box.upper);
}

}  // namespace abut
