#pragma once

#include <utility>
#include <vector>

#include "abut/geometry/mesh/closed_mesh.hpp"
#include "abut/geometry/mesh/triangle_distance.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Memory of queries; keep one to avoid allocations.
struct MeshQueryScratch {
  struct Entry {
    double bound;  ///< lower bound of the distance [m]
    int a, b;      ///< nodes
  };
  std::vector<Entry> heap;
  std::vector<int> stack;
};

/// Whether a point of the mesh's frame lies inside, decided exactly; a point on the surface counts as if displaced by
/// an infinitesimal (e, e^2, e^3).
bool is_inside(const ClosedMesh& mesh, const Vec3& p, MeshQueryScratch& scratch);

/// Distance from p to the surface (on_a is p, on_b on the mesh) and the triangle, all in the mesh's frame. Both work
/// for any triangles, closed or not.
struct MeshPoint {
  ClosestPair pair;
  int triangle = -1;
};
MeshPoint find_closest_point(const MeshData& mesh, const BoundingTree& tree, const Vec3& p, MeshQueryScratch& scratch);

/// Distance of two surfaces, in the frame of a; 0 where they meet. One solid wholly inside the other has a positive
/// distance: ask is_inside.
ClosestPair find_closest_points(const MeshData& a, const BoundingTree& tree_a, const MeshData& b,
                                const BoundingTree& tree_b, const Pose& X_AB, MeshQueryScratch& scratch);

}  // namespace abut
