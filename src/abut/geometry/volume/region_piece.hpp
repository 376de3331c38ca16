#pragma once

#include <vector>

#include "abut/geometry/moments/volume_moments.hpp"

namespace abut {

/// A connected piece of a region: moments about `origin`, both in the frame of the region, and the integral of the
/// outward normal of owner 1 over its part of the surface.
struct RegionPiece {
  VolumeMoments moments;
  Vec3 origin = Vec3::Zero();        ///< [m]
  Vec3 area_vector = Vec3::Zero();   ///< [m^2]
  std::vector<Vec3> surface_points;  ///< some, where the region was split [m]
  bool is_mesh = false;              ///< surface_points are all corners on the region's planes
};

}  // namespace abut
