#include "abut/math/triangulate_polygon.hpp"

namespace abut {
namespace {

/// The polygon seen along its mean normal.
std::vector<Vec2> project(const std::vector<Vec3>& vertices, const std::vector<int>& corners) {
  const Vec3& origin = vertices[static_cast<std::size_t>(corners[0])];
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Vec3 u = vertices[static_cast<std::size_t>(corners[i])] - origin;
    const Vec3 w = vertices[static_cast<std::size_t>(corners[i + 1])] - origin;
    normal += u.cross(w);
  }
  int axis = 0;
  const double largest = normal.cwiseAbs().maxCoeff(&axis);
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  const double sense = largest > 0.0 && normal[axis] < 0.0 ? -1.0 : 1.0;
  std::vector<Vec2> points;
  points.reserve(corners.size());
  for (const int c : corners) {
    const Vec3 p = vertices[static_cast<std::size_t>(c)] - origin;
    points.emplace_back(p[x], sense * p[y]);
  }
  return points;
}

/// Twice the signed area.
double calc_turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, w = c - a;
  return u.x() * w.y() - u.y() * w.x();
}

bool is_convex(const std::vector<Vec2>& points) {
  const std::size_t n = points.size();
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 u = points[(i + 1) % n] - points[i], w = points[(i + 2) % n] - points[(i + 1) % n];
    const double turn = u.x() * w.y() - u.y() * w.x();
    if (turn < 0.0) return false;
    total += std::atan2(turn, u.dot(w));
  }
  return total < 7.0;  // once round is 2 pi; a star that turns twice is not convex
}

/// Whether the corner between `before` and `after` can be cut off: it turns left and no other corner lies in the
/// triangle.
bool is_ear(const std::vector<Vec2>& points, const std::vector<int>& ring, std::size_t before, std::size_t at,
            std::size_t after) {
  const Vec2 &a = points[ring[before]], &b = points[ring[at]], &c = points[ring[after]];
  if (!(calc_turn(a, b, c) > 0.0)) return false;
  for (const int i : ring) {
    const Vec2& p = points[i];
    if (p == a || p == b || p == c) continue;
    if (calc_turn(a, b, p) >= 0.0 && calc_turn(b, c, p) >= 0.0 && calc_turn(c, a, p) >= 0.0) return false;
  }
  return true;
}

}  // namespace

void triangulate_polygon(const std::vector<Vec3>& vertices, const std::vector<int>& corners,
                         std::vector<std::array<int, 3>>& triangles) {
  if (corners.size() < 3) return;
  if (corners.size() == 3) {
    triangles.push_back({corners[0], corners[1], corners[2]});
    return;
  }
  const std::vector<Vec2> points = project(vertices, corners);
  if (is_convex(points)) {
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) triangles.push_back({corners[0], corners[i], corners[i + 1]});
    return;
  }
  std::vector<int> ring(corners.size());
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = static_cast<int>(i);
  std::size_t at = 0;
  for (std::size_t num_failed = 0; ring.size() > 3;) {
    const std::size_t n = ring.size();
    at %= n;
    const std::size_t before = (at + n - 1) % n, after = (at + 1) % n;
    // When nothing is left that looks like an ear (repeated or overlapping corners), the next one goes all the same.
    if (!is_ear(points, ring, before, at, after) && num_failed < n) {
      ++num_failed;
      ++at;
      continue;
    }
    triangles.push_back({corners[ring[before]], corners[ring[at]], corners[ring[after]]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(at));
    num_failed = 0;
  }
  triangles.push_back({corners[ring[0]], corners[ring[1]], corners[ring[2]]});
}

}  // namespace abut
