#include "abut/geometry/mesh/triangle_distance.hpp"

#include <algorithm>
#include <limits>

namespace abut {
namespace {

void keep_closer(ClosestPair& best, const Vec3& a, const Vec3& b) {
  const double distance = (a - b).norm();
  if (distance < best.distance) best = {distance, a, b};
}

/// Where the segment p0 p1 passes through the triangle; false if it does not.
bool find_piercing(const TriangleCorners& t, const Vec3& p0, const Vec3& p1, Vec3& point) {
  const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double h0 = normal.dot(p0 - t[0]), h1 = normal.dot(p1 - t[0]);
  if ((h0 > 0.0) == (h1 > 0.0)) return false;
  point = p0 + h0 / (h0 - h1) * (p1 - p0);
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = t[(k + 1) % 3] - t[k];
    if (normal.dot(edge.cross(point - t[k])) < 0.0) return false;
  }
  return true;
}

}  // namespace

/// By the regions of the triangle's corners, edges and face [Ericson 2005, 5.1.5].
Vec3 find_closest_point(const TriangleCorners& t, const Vec3& p) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0], bp = p - t[1], cp = p - t[2];
  const double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d1 <= 0.0 && d2 <= 0.0) return t[0];
  if (d3 >= 0.0 && d4 <= d3) return t[1];
  if (d6 >= 0.0 && d5 <= d6) return t[2];
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3) return t[0] + d1 / (d1 - d3) * ab;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6) return t[0] + d2 / (d2 - d6) * ac;
  const double e = d4 - d3, f = d5 - d6;
  if (va <= 0.0 && e >= 0.0 && f >= 0.0 && e + f > 0.0) return t[1] + e / (e + f) * (t[2] - t[1]);
  const double sum = va + vb + vc;
  if (!(sum > 0.0)) return t[0];
  return t[0] + vb / sum * ab + vc / sum * ac;
}

ClosestPair find_closest_points(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  const Vec3 u = p1 - p0, v = q1 - q0, r = p0 - q0;
  const double a = u.squaredNorm(), e = v.squaredNorm(), b = u.dot(v), c = u.dot(r), f = v.dot(r);
  const double denominator = a * e - b * b;
  double s = denominator > 0.0 ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.0;
  double t = e > 0.0 ? (b * s + f) / e : 0.0;
  if (t < 0.0 || t > 1.0 || e <= 0.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = a > 0.0 ? std::clamp((b * t - c) / a, 0.0, 1.0) : 0.0;
  }
  const Vec3 x = p0 + s * u, y = q0 + t * v;
  return {(x - y).norm(), x, y};
}

ClosestPair find_closest_points(const TriangleCorners& a, const TriangleCorners& b) {
  ClosestPair best;
  best.distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const ClosestPair pair = find_closest_points(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
      if (pair.distance < best.distance) best = pair;
    }
  }
  for (int i = 0; i < 3; ++i) {
    keep_closer(best, a[i], find_closest_point(b, a[i]));
    keep_closer(best, find_closest_point(a, b[i]), b[i]);
    Vec3 point;
    if (find_piercing(b, a[i], a[(i + 1) % 3], point) || find_piercing(a, b[i], b[(i + 1) % 3], point)) {
      return {0.0, point, point};
    }
  }
  return best;
}

}  // namespace abut
