#include "abut/geometry/manifold/mesh_manifold.hpp"

#include <algorithm>
#include <cmath>

#include "abut/geometry/manifold/manifold_corners.hpp"

namespace abut {
namespace {

/// Corners of neighbouring triangles with normals nearer than this (1 - cosine) are one.
constexpr double kSameNormal = 1e-6;

/// Nodes of the tree that wait; its depth is a few tens even for millions of triangles.
constexpr int kMostWaiting = 256;

/// The mesh and a solid beside it. Everything is about the solid's origin, along the axes of the mesh.
struct MeshScene {
  const ContactSolid& a;
  const ClosedMesh& mesh;
  Mat3 R_BA;
  Vec3 origin;   ///< of A in the mesh's frame [m]
  double reach;  ///< [m]

  Vec3 calc_vertex(int v) const { return mesh.vertices()[v] - origin; }
};

/// Whether no neighbour of the corners of the triangle that are farthest along n is farther still.
bool stands_out(const MeshScene& scene, int triangle, const Vec3& n, double slack) {
  const TriangleMesh& mesh = scene.mesh.mesh();
  const std::array<int, 3>& corners = mesh.triangles()[triangle];
  double top = -std::numeric_limits<double>::infinity();
  for (const int v : corners) top = std::max(top, n.dot(scene.calc_vertex(v)));
  for (const int v : corners) {
    if (n.dot(scene.calc_vertex(v)) < top - slack) continue;
    const int first = mesh.outgoing(v);
    int h = first;
    do {
      if (n.dot(scene.calc_vertex(mesh.end(h))) > top + slack) return false;
      h = mesh.twin(TriangleMesh::previous(h));
    } while (h >= 0 && h != first);
  }
  return true;
}

/// Corners of A and one triangle.
ManifoldCorners find_facet_corners(const MeshScene& scene, int triangle) {
  ManifoldCorners own;
  const std::array<int, 3>& v = scene.mesh.triangles()[triangle];
  const ContactSolid facet =
      ContactSolid::make_facet({scene.calc_vertex(v[0]), scene.calc_vertex(v[1]), scene.calc_vertex(v[2])});
  const SolidPair pair{scene.a, facet, {scene.R_BA, Vec3::Zero()}};
  const ContactNormal over{facet.face_normal(0), pair.calc_gap(facet.face_normal(0)), -1, 0};
  if (over.gap > scene.reach) return own;
  add_face_corners(pair, over, own);
  if (is_over_face(pair, over, own)) return own;
  // The nearest corner of A is not over the triangle: how near are they?
  ContactNormal other = find_face_normal(pair, {});
  ManifoldCorners others;
  if (other.gap > scene.reach) return {};
  if (other.face_a >= 0) add_face_corners(pair, other, others);
  if (other.face_a < 0 || !is_over_face(pair, other, others)) {
    others = {};
    ManifoldMemory none;
    const ContactNormal free = find_free_normal(pair, none);
    if (free.gap > other.gap) other = free;
    if (other.gap > scene.reach) return {};
    add_free_corners(pair, other.n, others);
  }
  const double slack = calc_slack(pair, other.gap);
  if (own.least < other.gap - slack) own = {};
  if (own.least <= other.gap + slack) return own;
  if (!stands_out(scene, triangle, other.n, kSameCorner * pair.size())) return own;
  for (int i = 0; i < others.size; ++i) own.add(others.list[i]);
  return own;
}

void merge(const ManifoldCorners& found, int triangle, double size, ManifoldCorners& all) {
  for (int i = 0; i < found.size; ++i) {
    ManifoldCorner corner = found.list[i];
    // Another name for each triangle; not 0.
    corner.id =
        1 + static_cast<int>((static_cast<unsigned>(corner.id) * 31u + static_cast<unsigned>(triangle) * 40503u) &
                             0x3fffffffu);
    const auto end = all.list.begin() + all.size;
    const auto same = std::find_if(all.list.begin(), end, [&](const ManifoldCorner& other) {
      return (other.point - corner.point).norm() < 10.0 * kSameCorner * size &&
             1.0 - other.normal.dot(corner.normal) < kSameNormal;
    });
    if (same != end) continue;
    if (all.is_full()) thin_out(size, 2 * kMeshManifoldPoints, all);
    all.add(corner);
  }
}

}  // namespace

void calc_mesh_manifold(const ContactSolid& a, const Pose& X_WA, const ClosedMesh& b, const Pose& X_WB, double reach,
                        ManifoldMemory& memory, PointContact* out) {
  const Pose X_BA = X_WB.inverse() * X_WA;
  const MeshScene scene{a, b, X_BA.R, X_BA.p, reach};
  const std::vector<BoundingTree::Node>& nodes = b.tree().nodes();
  ManifoldCorners all;
  std::array<int, kMostWaiting> waiting;
  int count = 0;
  waiting[count++] = 0;
  const double radius = a.radius() + reach;
  while (count > 0) {
    const int index = waiting[--count];
    const BoundingTree::Node& node = nodes[index];
    const Vec3 apart = X_BA.p - node.calc_center();
    bool is_far = apart.norm() > double{node.radius} + radius;
    for (int j = 0; j < 3 && !is_far; ++j) {
      const Vec3 axis(node.axes[0][j], node.axes[1][j], node.axes[2][j]);
      is_far = std::abs(axis.dot(apart)) > double{node.half[j]} + radius * (1.0 + 1e-5);
    }
    if (is_far) continue;
    if (node.is_leaf()) {
      merge(find_facet_corners(scene, node.triangle()), node.triangle(), a.radius(), all);
    } else if (count + 2 <= kMostWaiting) {
      waiting[count++] = node.link;
      waiting[count++] = index + 1;
    }
  }
  for (int i = 0; i < all.size; ++i) all.list[i].point += X_BA.p;
  thin_out(a.radius(), kMeshManifoldPoints, all);
  assign_places(all, a.radius(), kMeshManifoldPoints, X_WB, memory, out);
}

}  // namespace abut
