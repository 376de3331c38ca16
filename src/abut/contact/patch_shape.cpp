#include "abut/contact/patch_shape.hpp"

#include <cmath>

namespace abut {

double calc_flatness(double volume, double area, const Mat3& inertia, const Vec3& normal) {
  if (!(volume > 0.0) || !(area > 0.0)) return 0.0;
  const double across = normal.dot(inertia * normal);   // integral of the squared distance from the normal
  const double along = 0.5 * inertia.trace() - across;  // of the squared height
  // A slab has 0.29 of its thickness, a lens 0.44, a cone or a corner 0.6.
  const double thickness = volume / area;
  if (!(across > 0.0) || along <= volume * thickness * thickness) return 0.0;
  return std::sqrt(along / across);
}

}  // namespace abut
