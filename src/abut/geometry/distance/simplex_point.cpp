#include "abut/geometry/distance/simplex_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

/// Determinants below this fraction of the product of the lengths in them have no reliable sign.
constexpr double kFlat = 1e-13;

/// What a sum of three weighted points may be off by, as a fraction of their coordinates.
constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

SimplexPoint find_on_vertex(const Simplex& s, int a) { return {s.points[a], 1, {a}, {1.0}, false}; }

SimplexPoint find_on_segment(const Simplex& s, int a, int b) {
  const Vec3 ab = s.points[b] - s.points[a];
  const double length_2 = ab.squaredNorm();
  const double t = length_2 > 0.0 ? -s.points[a].dot(ab) / length_2 : 0.0;
  if (t <= 0.0) return find_on_vertex(s, a);
  if (t >= 1.0) return find_on_vertex(s, b);
  return {s.points[a] + t * ab, 2, {a, b}, {1.0 - t, t}, false};
}

void keep_nearer(SimplexPoint& best, const SimplexPoint& other) {
  if (other.point.squaredNorm() < best.point.squaredNorm()) best = other;
}

/// The foot of the perpendicular from the origin where it lies inside the triangle, `best` otherwise.
SimplexPoint find_on_triangle_inside(const Simplex& s, int a, int b, int c, const SimplexPoint& best) {
  const Vec3 &p = s.points[a], ab = s.points[b] - p, ac = s.points[c] - p;
  const Vec3 normal = ab.cross(ac);
  const double normal_2 = normal.squaredNorm();
  if (!(normal_2 > 0.0)) return best;
  const double v = normal.dot(ac.cross(p)) / normal_2, w = normal.dot(p.cross(ab)) / normal_2;
  const double u = 1.0 - v - w;
  if (!(u > 0.0 && v > 0.0 && w > 0.0)) return best;
  // The foot has the better direction where the normal is good; the mixture is a point of the triangle in any case.
  const Vec3 mixed = p + v * ab + w * ac, foot = normal * (normal.dot(p) / normal_2);
  const double rounding = kRounding * (p.cwiseAbs() + ab.cwiseAbs() + ac.cwiseAbs()).maxCoeff();
  const Vec3& inner = (foot - mixed).cwiseAbs().maxCoeff() <= rounding ? foot : mixed;
  if (inner.squaredNorm() <= best.point.squaredNorm()) return {inner, 3, {a, b, c}, {u, v, w}, false};
  return best;
}

SimplexPoint find_on_triangle(const Simplex& s, int a, int b, int c) {
  SimplexPoint best = find_on_segment(s, a, b);
  keep_nearer(best, find_on_segment(s, b, c));
  keep_nearer(best, find_on_segment(s, c, a));
  // Count from the corner opposite to the longest side: of all it keeps the most digits in a thin triangle.
  const double ab = (s.points[b] - s.points[a]).squaredNorm(), bc = (s.points[c] - s.points[b]).squaredNorm();
  const double ca = (s.points[a] - s.points[c]).squaredNorm();
  if (ab > bc && ab > ca) {
    return find_on_triangle_inside(s, c, a, b, best);
  }
  return ca > bc ? find_on_triangle_inside(s, b, c, a, best) : find_on_triangle_inside(s, a, b, c, best);
}

/// Whether the origin lies on the same side of the plane (a, b, c) as d, without doubt.
bool is_on_side_of(const Simplex& s, int a, int b, int c, int d) {
  const Vec3 &p = s.points[a], ab = s.points[b] - p, ac = s.points[c] - p, ad = s.points[d] - p;
  const Vec3 normal = ab.cross(ac);
  const double height_d = normal.dot(ad), height_o = -normal.dot(p);
  const double scale = kFlat * ab.norm() * ac.norm();
  if (std::abs(height_d) <= scale * ad.norm() || std::abs(height_o) <= scale * p.norm()) return false;
  return (height_d > 0.0) == (height_o > 0.0);
}

SimplexPoint find_on_tetrahedron(const Simplex& s) {
  constexpr std::array<std::array<int, 4>, 4> kSides = {{{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}};
  SimplexPoint best;
  best.is_inside = true;
  for (const auto& [a, b, c, d] : kSides) {
    if (is_on_side_of(s, a, b, c, d)) continue;
    const SimplexPoint side = find_on_triangle(s, a, b, c);
    if (best.is_inside) {
      best = side;
    } else {
      keep_nearer(best, side);
    }
  }
  return best;
}

}  // namespace

SimplexPoint calc_nearest_to_origin(const Simplex& simplex) {
  switch (simplex.size) {
    case 1:
      return find_on_vertex(simplex, 0);
    case 2:
      return find_on_segment(simplex, 0, 1);
    case 3:
      return find_on_triangle(simplex, 0, 1, 2);
    default:
      return find_on_tetrahedron(simplex);
  }
}

}  // namespace abut
