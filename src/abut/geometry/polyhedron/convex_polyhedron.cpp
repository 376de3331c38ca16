#include "abut/geometry/polyhedron/convex_polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "abut/base/error.hpp"
#include "abut/geometry/moments/volume_metrics.hpp"

namespace abut {
namespace {

/// Twice the area of a loop times its normal, summed about one of its vertices so that little cancels.
Vec3 calc_double_area(const std::vector<Vec3>& vertices, std::span<const int> loop) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    sum += (vertices[loop[i]] - vertices[loop[0]]).cross(vertices[loop[i + 1]] - vertices[loop[0]]);
  }
  return sum;
}

Vec3 calc_mean(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

/// Moments about `origin`.
VolumeMoments calc_local_moments(const ConvexPolyhedron& polyhedron, const Vec3& origin) {
  VolumeMoments moments;
  for (int f = 0; f < polyhedron.num_faces(); ++f) {
    const std::span<const int> loop = polyhedron.face(f);
    const auto corner = [&](std::size_t i) { return Vec3(polyhedron.vertices()[loop[i]] - origin); };
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) moments.add_tetrahedron(corner(0), corner(i), corner(i + 1));
  }
  return moments;
}

}  // namespace

ConvexPolyhedron::ConvexPolyhedron(std::vector<Vec3> vertices, std::vector<int> face_begin, std::vector<int> loops,
                                   double flatness)
    : vertices_(std::move(vertices)), face_begin_(std::move(face_begin)), loops_(std::move(loops)) {
  const int num_vertices = static_cast<int>(vertices_.size());
  const bool is_indexed = face_begin_.size() >= 5 && face_begin_.front() == 0 &&
                          face_begin_.back() == static_cast<int>(loops_.size()) &&
                          std::is_sorted(face_begin_.begin(), face_begin_.end());
  if (!is_indexed) {
    throw InputError(fmt::format("polyhedron: {} loop entries in {} faces; needs at least 4 faces that share them out",
                                 loops_.size(), face_begin_.size() - std::min<std::size_t>(1, face_begin_.size())));
  }
  for (const int v : loops_) {
    if (v < 0 || v >= num_vertices) {
      throw InputError(fmt::format("polyhedron: a face names vertex {}, but there are {}", v, num_vertices));
    }
  }
  for (const Vec3& v : vertices_) radius_ = std::max(radius_, v.norm());
  if (!std::isfinite(radius_)) throw InputError("polyhedron: a vertex is not finite");
  link_edges();
  fit_planes(flatness);
}

void ConvexPolyhedron::link_edges() {
  std::map<std::pair<int, int>, int> waiting;  // half-edges whose opposite has not come yet, by (tail, head)
  half_edges_.resize(loops_.size());
  for (std::size_t f = 0; f + 1 < face_begin_.size(); ++f) {
    const int begin = face_begin_[f], count = face_begin_[f + 1] - begin;
    if (count < 3) throw InputError(fmt::format("polyhedron: face {} has {} vertices, needs at least 3", f, count));
    for (int i = 0; i < count; ++i) {
      const int tail = loops_[begin + i], head = loops_[begin + (i + 1) % count];
      const auto opposite = waiting.find({head, tail});
      if (opposite != waiting.end()) {
        half_edges_[begin + i] = 2 * opposite->second + 1;
        waiting.erase(opposite);
        continue;
      }
      const int edge = static_cast<int>(edges_.size());
      if (tail == head || !waiting.emplace(std::pair(tail, head), edge).second) {
        throw InputError(fmt::format("polyhedron: faces run twice from vertex {} to vertex {}", tail, head));
      }
      edges_.push_back({tail, head});
      half_edges_[begin + i] = 2 * edge;
    }
  }
  if (!waiting.empty()) {
    throw InputError(fmt::format("polyhedron: {} open edges, the first from vertex {} to vertex {}", waiting.size(),
                                 waiting.begin()->first.first, waiting.begin()->first.second));
  }
}

void ConvexPolyhedron::fit_planes(double flatness) {
  const Vec3 mean = calc_mean(vertices_);
  double size = 0.0;
  for (const Vec3& v : vertices_) size = std::max(size, (v - mean).norm());
  // The offset itself is rounded in proportion to the distance from the frame's origin.
  const double tolerance = flatness * size + 1e-15 * radius_;
  for (std::size_t f = 0; f + 1 < face_begin_.size(); ++f) {
    const std::span<const int> loop = face(static_cast<int>(f));
    const Vec3 area = calc_double_area(vertices_, loop);
    if (!(area.norm() > 0.0)) throw InputError(fmt::format("polyhedron: face {} has no area", f));
    Plane plane{area.normalized(), 0.0};
    double height = 0.0;
    for (const int v : loop) height += plane.normal.dot(vertices_[v] - mean);
    height /= static_cast<double>(loop.size());
    plane.offset = height + plane.normal.dot(mean);
    const auto check = [&](int v, bool is_corner) {
      const double d = plane.normal.dot(vertices_[v] - mean) - height;
      if (d <= tolerance && !(is_corner && d < -tolerance)) return;
      throw InputError(fmt::format(
          "polyhedron: not convex with flat faces: vertex {} is {} m off face {} ({} m allowed)", v, d, f, tolerance));
    };
    for (int v = 0; v < static_cast<int>(vertices_.size()); ++v) check(v, false);
    for (const int v : loop) check(v, true);
    planes_.push_back(plane);
  }
}

ConvexPolyhedron make_box_polyhedron(const Vec3& half_size) {
  if (!(half_size.allFinite() && half_size.minCoeff() > 0.0)) {
    throw InputError(fmt::format("box: half_size must be positive and finite, got ({}, {}, {})", half_size.x(),
                                 half_size.y(), half_size.z()));
  }
  std::vector<Vec3> vertices;
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
    vertices.push_back(sign.cwiseProduct(half_size));
  }
  std::vector<int> loops = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
  return {std::move(vertices), {0, 4, 8, 12, 16, 20, 24}, std::move(loops)};
}

VolumeMoments calc_moments(const ConvexPolyhedron& polyhedron) {
  const Vec3 origin = calc_mean(polyhedron.vertices());
  return shift_moments(calc_local_moments(polyhedron, origin), origin);
}

double calc_volume(const ConvexPolyhedron& polyhedron) {
  return calc_local_moments(polyhedron, calc_mean(polyhedron.vertices())).volume;
}

MassProperties calc_mass_properties(const ConvexPolyhedron& polyhedron, double density) {
  const Vec3 origin = calc_mean(polyhedron.vertices());
  const VolumeMetrics unit = make_volume_metrics(calc_local_moments(polyhedron, origin), origin, Vec3::Zero());
  return {density * unit.volume, unit.centroid, density * unit.inertia};
}

}  // namespace abut
