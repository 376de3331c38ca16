#pragma once

#include <vector>

#include "abut/geometry/mesh/exact_sign.hpp"
#include "abut/geometry/mesh/tree_traversal.hpp"
#include "abut/geometry/mesh/triangle_mesh.hpp"
#include "abut/math/pose.hpp"

namespace abut::detail {

/// Sign of a exact number, with the sign of a perturbation where it is zero.
inline int sign_or(double value, int tie) { return value > 0.0 ? 1 : (value < 0.0 ? -1 : tie); }

/// On which side of the line a-b, seen along -z, the point p + tilt (e, e^2, e^3) lies: 1 left, -1 right. 0 only if a
/// and b have the same x and y.
inline int calc_side_seen_from_above(const Vec3& a, const Vec3& b, const Vec3& p, int tilt) {
  const double left = (b.x() - a.x()) * (p.y() - a.y()), right = (b.y() - a.y()) * (p.x() - a.x());
  const double value = left - right;
  if (std::abs(value) > TrianglePlane::kFilter * (std::abs(left) + std::abs(right))) return value > 0.0 ? 1 : -1;
  const double exact = calc_exact_determinant(b, a, p, a, Vec3::UnitZ(), Vec3::Zero());
  const int tie = b.y() != a.y() ? (b.y() > a.y() ? -1 : 1) : (b.x() > a.x() ? 1 : (b.x() < a.x() ? -1 : 0));
  return sign_or(exact, tilt * tie);
}

/// What the ray from p + tilt (e, e^2, e^3) along +z meets at the triangle a, b, c: 1 if it leaves through it, -1 if it
/// enters, 0 if it misses.
inline int calc_ray_crossing(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, int tilt) {
  const int s = calc_side_seen_from_above(a, b, p, tilt);
  if (s == 0 || calc_side_seen_from_above(b, c, p, tilt) != s || calc_side_seen_from_above(c, a, p, tilt) != s)
    return 0;
  const TrianglePlane plane(a, b, c);
  const double height = plane.calc_height(p);
  const int side = height != 0.0 ? sign_or(height, 0) : tilt * plane.calc_normal_sign();
  return side * s < 0 ? s : 0;
}

/// How often the closed mesh winds about p + tilt (e, e^2, e^3): 1 inside a solid, 0 outside. All in a common frame C:
/// `position(v)` gives the mesh's vertices there, X_CM the frame of the tree.
template <class Position>
int calc_winding(const TriangleMesh& mesh, const BoundingTree& tree, const Pose& X_CM, const Vec3& p, int tilt,
                 std::vector<int>& stack, const Position& position) {
  const Vec3 d = X_CM.R.row(2).transpose(), o = X_CM.R.transpose() * (p - X_CM.p);
  const double margin = 2e-6 * (tree.reach() + p.cwiseAbs().maxCoeff() + X_CM.p.cwiseAbs().maxCoeff());
  const auto is_met = [&](const BoundingTree::Node& node) {
    Mat3 axes;
    for (int i = 0; i < 3; ++i) axes.col(i) = node.axes[i].head<3>().cast<double>().matrix();
    const Vec3 r = axes * (node.calc_center() - o), u = axes * d, e = u.cwiseAbs();
    const Vec3 h = node.half.head<3>().cast<double>().matrix() + Vec3::Constant(margin);
    if (r.dot(u) + h.dot(e) < 0.0) return false;
    const Vec3 off = u.cross(r).cwiseAbs();
    return off.x() <= h.y() * e.z() + h.z() * e.y() && off.y() <= h.z() * e.x() + h.x() * e.z() &&
           off.z() <= h.x() * e.y() + h.y() * e.x();
  };
  int winding = 0;
  visit_triangles(tree, stack, is_met, [&](int t) {
    const std::array<int, 3>& c = mesh.triangles()[static_cast<std::size_t>(t)];
    winding += calc_ray_crossing(position(c[0]), position(c[1]), position(c[2]), p, tilt);
  });
  return winding;
}

}  // namespace abut::detail
