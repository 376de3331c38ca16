#pragma once

#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/geometry/volume/depth_field.hpp"

namespace abut {

/// Where in a polyhedron a law of second degree is not negative, in a form that the kernels of volumes take.
struct LawBorder {
  enum class Kind {
    everywhere,
    nowhere,
    plane,    ///< inside `plane`
    quadric,  ///< in `part`
    unknown   ///< bounded by a paraboloid, a hyperboloid or a cylinder that is not round: no kernel has them
  };
  Kind kind = Kind::unknown;
  Plane plane;
  CellPart part;  ///< ellipsoid, round cylinder or one half of a round cone, or all that lies outside it
};

LawBorder find_border(const FieldLaw& law, const ConvexPolyhedron& within);

}  // namespace abut
