#pragma once

#include "abut/geometry/implicit_surface.hpp"
#include "abut/math/mass_properties.hpp"

namespace abut {

struct StarMass {
  MassProperties properties;
  double relative_error = 0.0;  ///< change of volume and second moments at the last refinement, of themselves
  int num_rays = 0;
};

/// Mass properties of a bounded smooth convex solid about whose inner origin every ray meets the surface once, by
/// quadrature over directions: volume, first and second moments are integrals of reach^3 / 3, ^4 / 4 and ^5 / 5 over
/// the sphere. Gauss points on the panels of a cube's faces, twice as many panels each way until the result changes by
/// less than `tolerance` or a limit is reached.
StarMass calc_star_mass(const ImplicitSurface& surface, double density, double tolerance = 1e-8);

}  // namespace abut
