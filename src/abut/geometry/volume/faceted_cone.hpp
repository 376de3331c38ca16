#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "abut/geometry/volume/quadric.hpp"
#include "abut/geometry/volume/region.hpp"

namespace abut {

/// Round cones as pyramids of many sides, each section of the same area as the circle: what the sides miss and what
/// they add cancel along a smooth cut, so that volumes are right to the third power of the width of a side. Keeps the
/// meshes it has made.
class FacetedCone {
 public:
  /// The cone, up to at least `reach` [m] from its apex, with `num_sides` sides.
  RegionMesh make(const Quadric& cone, double reach, int num_sides);

 private:
  std::map<std::tuple<double, double, int>, std::shared_ptr<const ClosedMesh>> known_;
};

}  // namespace abut
