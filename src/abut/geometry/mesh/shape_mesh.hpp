#pragma once

#include "abut/geometry/shape.hpp"
#include "abut/math/mesh_data.hpp"
#include "abut/math/types.hpp"

namespace abut {

struct ShapeMeshOptions {
  /// Flat pieces round a full turn, 8 to 4096: a round surface is off by (pi / n)^2 / 2 of its radius at most.
  int num_segments = 48;
  /// How far the surfaces of endless shapes go from their origin [m].
  double reach = 1000.0;
};

/// The surface of a shape as triangles, in the shape's frame, oriented outwards: exact for flat faces; corners lie on
/// the surface of round ones. A half-space is a single triangle. Endless shapes end at `reach`, open. InputError for
/// options out of range and for shapes made by cutting others, whose surface is not at hand.
MeshData make_shape_mesh(const Shape& shape, const ShapeMeshOptions& options = {});

}  // namespace abut
