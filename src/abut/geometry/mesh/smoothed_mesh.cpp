#include "abut/geometry/mesh/smoothed_mesh.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include "abut/geometry/mesh/triangle_mesh.hpp"
#include "abut/math/union_find.hpp"

namespace abut {
namespace {

/// The corners of a vertex's triangles between two sharp edges share one normal and one displacement.
struct SmoothGroups {
  std::vector<int> of_corner;  ///< by half-edge: the group of the corner it starts from
  int count = 0;
};

Vec3 calc_face_normal(const MeshData& mesh, int t) {
  const std::array<int, 3>& c = mesh.triangles[t];
  return (mesh.vertices[c[1]] - mesh.vertices[c[0]]).cross(mesh.vertices[c[2]] - mesh.vertices[c[0]]);
}

SmoothGroups find_groups(const TriangleMesh& mesh, double crease_angle) {
  const int num_corners = 3 * mesh.num_triangles();
  UnionFind sets(num_corners);
  for (int h = 0; h < num_corners; ++h) {
    const int g = mesh.twin(h);
    if (g < h) continue;
    const Vec3 m = calc_face_normal(mesh.data(), h / 3), n = calc_face_normal(mesh.data(), g / 3);
    if (std::atan2(m.cross(n).norm(), m.dot(n)) > crease_angle) continue;
    sets.join_into(TriangleMesh::next(g), h);
    sets.join_into(TriangleMesh::next(h), g);
  }
  SmoothGroups groups;
  groups.of_corner.assign(num_corners, -1);
  for (int h = 0; h < num_corners; ++h) {
    if (sets.find(h) == h) groups.of_corner[h] = groups.count++;
  }
  for (int h = 0; h < num_corners; ++h) groups.of_corner[h] = groups.of_corner[sets.find(h)];
  return groups;
}

/// Weights that give the exact normal on a sphere, whatever the triangles [Max 1999]: the
/// cross product of the two edges at the corner over the squares of their lengths.
std::vector<Vec3> calc_normals(const TriangleMesh& mesh, const SmoothGroups& groups) {
  std::vector<Vec3> normals(static_cast<std::size_t>(groups.count), Vec3::Zero());
  for (int h = 0; h < 3 * mesh.num_triangles(); ++h) {
    const Vec3& origin = mesh.vertices()[mesh.start(h)];
    const Vec3 u = mesh.vertices()[mesh.end(h)] - origin;
    const Vec3 w = mesh.vertices()[mesh.start(TriangleMesh::previous(h))] - origin;
    const double lengths = u.squaredNorm() * w.squaredNorm();
    if (lengths > 0.0) normals[groups.of_corner[h]] += u.cross(w) / lengths;
  }
  for (Vec3& n : normals) n.normalize();
  return normals;
}

/// Mean height of the surface over each group's triangles [m].
std::vector<double> calc_gaps(const TriangleMesh& mesh, const SmoothGroups& groups, const std::vector<Vec3>& normals) {
  std::vector<double> gaps(static_cast<std::size_t>(groups.count), 0.0), areas(gaps);
  for (int t = 0; t < mesh.num_triangles(); ++t) {
    double gap = 0.0;
    for (int h = 3 * t; h < 3 * t + 3; ++h) {
      const Vec3 edge = mesh.vertices()[mesh.end(h)] - mesh.vertices()[mesh.start(h)];
      gap += edge.dot(normals[groups.of_corner[TriangleMesh::next(h)]] - normals[groups.of_corner[h]]) / 24.0;
    }
    const double area = calc_face_normal(mesh.data(), t).norm();
    for (int h = 3 * t; h < 3 * t + 3; ++h) {
      gaps[groups.of_corner[h]] += area * gap;
      areas[groups.of_corner[h]] += area;
    }
  }
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = areas[i] > 0.0 ? gaps[i] / areas[i] : 0.0;
  return gaps;
}

}  // namespace

MeshData make_smoothed(const MeshData& data, double crease_angle) {
  const TriangleMesh mesh(data);
  const SmoothGroups groups = find_groups(mesh, crease_angle);
  const std::vector<Vec3> normals = calc_normals(mesh, groups);
  const std::vector<double> gaps = calc_gaps(mesh, groups, normals);
  // Least displacement d of a vertex with n_g . d = gap_g for its groups g. Groups meet at more than the crease angle,
  // so the normal equations are sound; the small term decides where more than three meet.
  std::vector<Mat3> squares(mesh.vertices().size(), Mat3::Zero());
  std::vector<Vec3> sums(mesh.vertices().size(), Vec3::Zero());
  std::vector<char> is_counted(static_cast<std::size_t>(groups.count), 0);
  for (int h = 0; h < 3 * mesh.num_triangles(); ++h) {
    const int g = groups.of_corner[h], v = mesh.start(h);
    if (is_counted[g] || !normals[g].allFinite()) continue;
    is_counted[g] = 1;
    squares[v] += normals[g] * normals[g].transpose();
    sums[v] += gaps[g] * normals[g];
  }
  MeshData smoothed = mesh.data();
  for (std::size_t v = 0; v < smoothed.vertices.size(); ++v) {
    if (sums[v].isZero(0.0)) continue;
    const Mat3 square = squares[v] + 1e-9 * Mat3::Identity();
    smoothed.vertices[v] += square.ldlt().solve(sums[v]);
  }
  return smoothed;
}

}  // namespace abut
