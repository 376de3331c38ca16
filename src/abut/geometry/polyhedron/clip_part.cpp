#include "abut/geometry/polyhedron/clip_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

/// As for cuts: twice the rounding of a distance, in parts of the largest length.
constexpr double kTie = 16.0 * std::numeric_limits<double>::epsilon();

double calc_distance(const Plane& plane, const Vec3& x) { return plane.normal.dot(x) - plane.offset; }

}  // namespace

ClipPart::Outcome ClipPart::cut(const PolyhedronClip& clip, const Plane& plane) {
  const std::span<const Vec3> vertices = clip.vertices();
  const auto edges = clip.edges();
  if (vertices.size() > kMostVertices || edges.size() > kMostEdges) return Outcome::too_large;
  std::array<double, kMostVertices> distances;
  double largest = -std::numeric_limits<double>::infinity(), smallest = std::numeric_limits<double>::infinity();
  double reach = 0.0;
  num_points_ = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const double d = distances[i] = calc_distance(plane, vertices[i]);
    is_inside_[i] = d <= 0.0;
    largest = std::max(largest, d);
    smallest = std::min(smallest, d);
    reach = std::max(reach, vertices[i].squaredNorm());
    if (is_inside_[i]) points_[num_points_++] = vertices[i];
  }
  if (largest <= kTie * (std::sqrt(reach) + std::abs(plane.offset))) return Outcome::all;
  if (!(smallest < 0.0)) return Outcome::none;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [tail, head] = edges[e];
    if (is_inside_[tail] == is_inside_[head]) continue;
    const int in = is_inside_[tail] ? tail : head, out = is_inside_[tail] ? head : tail;
    const double t = distances[in] / (distances[in] - distances[out]);
    crossings_[e] = vertices[in] + t * (vertices[out] - vertices[in]);
    points_[num_points_++] = crossings_[e];
  }
  clip_ = &clip;
  return Outcome::some;
}

bool ClipPart::is_cut_by(const Plane& plane) const {
  return std::any_of(points_.begin(), points_.begin() + num_points_, [&](const Vec3& x) {
    const double distance = calc_distance(plane, x);
    return distance > 0.0 && distance > kTie * (x.norm() + std::abs(plane.offset));
  });
}

ClipVolume ClipPart::calc_volume() const {
  // The crossings stand last among the points.
  const Vec3 center = points_[num_points_ - 1];
  double volume = 0.0;  // six times it, and 24 times the first moment
  Vec3 first = Vec3::Zero();
  for (const ClipFace& face : clip_->faces()) {
    Vec3 a, b;
    int count = 0;
    const auto add = [&](const Vec3& x) {
      const Vec3 c = x - center;
      if (count == 0) a = c;
      if (count >= 2) {
        const double det = a.dot((b - a).cross(c - a));
        volume += det;
        first += det * (a + b + c);
      }
      b = c;
      ++count;
    };
    for (int i = face.begin; i < face.begin + face.count; ++i) {
      const int half_edge = clip_->half_edges()[i];
      const int tail = clip_->tail(half_edge), head = clip_->tail(half_edge ^ 1);
      if (is_inside_[tail]) add(clip_->vertices()[tail]);
      if (is_inside_[tail] != is_inside_[head]) add(crossings_[half_edge >> 1]);
    }
  }
  if (!(volume > 0.0)) return {};
  return {volume / 6.0, Vec3(center + first / (4.0 * volume))};
}

}  // namespace abut
