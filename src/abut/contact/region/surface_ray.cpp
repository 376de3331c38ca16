#include "abut/contact/region/surface_ray.hpp"

#include <cmath>

#include "abut/geometry/mesh/tree_traversal.hpp"

namespace abut {

namespace {

/// Faces steeper than this to the direction are walls [1].
constexpr double kLeastCosine = 0.35;

/// Distance along d at which the line meets a triangle; empty where it passes by or the face is a wall.
std::optional<double> meet(const SurfaceMesh& mesh, int t, const Vec3& origin, const Vec3& d) {
  const Vec3& n = mesh.normal(t);
  const double cosine = n.dot(d);
  if (!(cosine > kLeastCosine)) return std::nullopt;
  const std::array<int, 3>& corner = mesh.triangles()[t];
  const Vec3 a = mesh.vertices()[corner[0]] - origin, b = mesh.vertices()[corner[1]] - origin,
             c = mesh.vertices()[corner[2]] - origin;
  // Edges seen along d: the line passes to the left of all three, or on them.
  if (d.dot(a.cross(b)) < 0.0 || d.dot(b.cross(c)) < 0.0 || d.dot(c.cross(a)) < 0.0) return std::nullopt;
  return n.dot(a) / cosine;
}

}  // namespace

std::optional<SurfaceHit> find_surface(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction, double reach,
                                       int hint, std::vector<int>& stack) {
  std::optional<SurfaceHit> best;
  double bound = reach;
  const auto consider = [&](int t) {
    const std::optional<double> distance = meet(mesh, t, origin, direction);
    if (!distance || std::abs(*distance) > bound) return;
    // Of two equally near ones that with the smaller number, whatever the order.
    if (best && std::abs(*distance) == bound && t > best->triangle) return;
    best = {*distance, t};
    bound = std::abs(*distance);
  };
  if (hint >= 0 && hint < mesh.num_triangles()) consider(hint);
  const double margin = 2e-6 * (mesh.tree().reach() + origin.cwiseAbs().maxCoeff() + reach);
  const auto is_met = [&](const BoundingTree::Node& node) {
    const Vec3 center = node.calc_center() - origin;
    const double along = center.dot(direction);
    const double radius = double{node.radius} + margin;
    // The piece of the line within the bound against the ball about the box, then against the box.
    if (std::abs(along) > bound + radius || (center - along * direction).squaredNorm() > radius * radius) return false;
    Mat3 axes;
    for (int i = 0; i < 3; ++i) axes.col(i) = node.axes[i].head<3>().cast<double>().matrix();
    const Vec3 r = axes * center, u = axes * direction;
    const Vec3 e = u.cwiseAbs(), h = node.half.head<3>().cast<double>().matrix() + Vec3::Constant(margin);
    if (((r.cwiseAbs() - h - bound * e).array() > 0.0).any()) return false;
    const Vec3 off = u.cross(r).cwiseAbs();
    return off.x() <= h.y() * e.z() + h.z() * e.y() && off.y() <= h.z() * e.x() + h.x() * e.z() &&
           off.z() <= h.x() * e.y() + h.y() * e.x();
  };
  visit_triangles(mesh.tree(), stack, is_met, consider);
  return best;
}

}  // namespace abut
