#pragma once

#include "abut/math/mesh_data.hpp"

namespace abut {

/// A mesh of a smooth body whose vertices lie on the surface lies inside it wherever the surface is convex, and
/// everything measured on it is too small by the square of the edges' length. This moves the vertices along their
/// normals so that the mesh is unbiased: between surface and triangle there is as much volume on one side as on the
/// other.
///
/// With vertex normals n_i and edges e_ij = x_j - x_i, the surface stands above the middle of an edge by
/// e_ij . (n_j - n_i) / 8 to second order, and above a triangle in the mean by the sum over its edges of
/// e_ij . (n_j - n_i) / 24. Each vertex moves by the area-weighted mean of its triangles' gaps. Edges at which the
/// triangles turn by more than `crease_angle` [rad] are sharp: normals do not mix across them, and a vertex on one
/// moves only so far that each of the smooth faces meeting there gets its own gap; an edge between flat faces stays
/// put. See docs/theory/volume-meshes.md for the order that is reached. The mesh has to be closed; otherwise open edges
/// count as sharp.
MeshData make_smoothed(const MeshData& mesh, double crease_angle);

}  // namespace abut
