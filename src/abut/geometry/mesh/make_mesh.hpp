#pragma once

#include <vector>

#include "abut/math/mesh_data.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Meshes of simple solids, closed and oriented outwards. Lengths [m].

/// Box about the origin, 12 triangles.
MeshData make_box_mesh(const Vec3& half);

/// Sphere about the origin: an octahedron divided `level` times, 8 * 4^level triangles, vertices on the sphere.
MeshData make_sphere_mesh(double radius, int level);

/// Sphere about the origin of `num_segments` slices round z in `num_rings` bands, 2 * num_segments * (num_rings - 1)
/// triangles: 15 by 10 has 137 vertices and 270 triangles.   [Moisio 2013, table 6.1]
MeshData make_uv_sphere_mesh(double radius, int num_segments, int num_rings);

/// What an outline of points (r >= 0, z) sweeps round the z axis in `num_segments` flat pieces; the solid lies to the
/// left of the outline seen with r to the right and z up. Points with r = 0 close it; without them it stays open.
MeshData make_revolved_mesh(const std::vector<Vec2>& outline, int num_segments);

/// Torus about the z axis, vertices on it, 2 * num_major * num_minor triangles.
MeshData make_torus_mesh(double major_radius, double minor_radius, int num_major, int num_minor);

/// Prism over an outline in the xy plane (anticlockwise, any simple polygon) between two heights.
MeshData make_prism_mesh(const std::vector<Vec2>& outline, double z_low, double z_high);

/// The mesh moved by X.
MeshData make_moved(MeshData mesh, const Pose& X);

/// Two meshes in one; the second one's triangles follow.
MeshData make_union(MeshData first, const MeshData& second);

/// The mesh with each triangle divided into 4^level at the midpoints of its edges.
MeshData make_divided(MeshData mesh, int level);

}  // namespace abut
