#pragma once

#include "abut/geometry/shape.hpp"

namespace abut {

/// What volumes of interference see of a shape: of a bowl the cell it is cut from (a ball, less its hollow, below the
/// plane of the lip), exactly; of a torus its facets (geometry/mesh/facets.hpp). Other shapes as they are.
Shape make_volume_shape(const Shape& shape);

}  // namespace abut
