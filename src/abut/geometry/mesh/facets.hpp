#pragma once

#include <memory>

#include "abut/geometry/shape.hpp"

namespace abut {

class ClosedMesh;

/// Flat pieces round the ring of a torus, and half as many round its tube. The surface is off by at most 0.1 % of the
/// ring's radius and 0.35 % of the tube's, to either side; twice as many would cost four times the time of each look,
/// and kinks that an adaptive step has to find are as many.
constexpr int kFacetSegments = 64;

/// The shape with its facets, made where it is a torus that has none yet; others as they are.
Shape with_facets(Shape shape);

/// The facets of a torus, where they were made; null for others.
std::shared_ptr<const ClosedMesh> find_facets(const Shape& shape);

}  // namespace abut
