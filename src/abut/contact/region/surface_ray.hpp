#pragma once

#include <optional>
#include <vector>

#include "abut/geometry/mesh/surface_mesh.hpp"

namespace abut {

/// A place where a line meets a surface.
struct SurfaceHit {
  double distance = 0.0;  ///< along the direction, from the origin [m]
  int triangle = -1;
};

/// Where the line through `origin` along the unit vector `direction` meets a face whose normal is within about 70
/// degrees of `direction`, nearest to the origin and no farther than `reach` [m] on either side. In the frame of the
/// mesh. `hint` is a triangle to begin with, -1 for none; it shortens the search and changes nothing. `stack` is
/// scratch.
std::optional<SurfaceHit> find_surface(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction, double reach,
                                       int hint, std::vector<int>& stack);

}  // namespace abut
