#pragma once

#include <vector>

#include "abut/contact/region/apart_watch.hpp"
#include "abut/geometry/manifold/contact_manifold.hpp"
#include "abut/geometry/point_pair.hpp"

namespace abut {

/// What looks at the geometry begin with: warm starts, which corner of an overlap is which point, and how far pairs are
/// known to be apart. It hardly changes what is found, but it does change its last bits.
struct ContactMemory {
  std::vector<PointPairMemory> pairs;     ///< one for each candidate
  std::vector<ManifoldMemory> manifolds;  ///< one for each candidate, or none
  std::vector<ApartWatch> watches;        ///< of the pairs of cells of volumetric sites
};

}  // namespace abut
