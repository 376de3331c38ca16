#pragma once

#include "abut/geometry/shape.hpp"
#include "abut/geometry/volume/depth_field.hpp"

namespace abut {

/// The depth field of a cell: with f_i the depths below its outer faces and f_gj those outside of the faces of its
/// holes,
///   phi = min( C, min_i f_i, min_g max_j f_gj ):
/// zero on the surface, with slope one there, continuous, positive inside. It is cut into regions with one law each:
/// polyhedra (what is nearest to one plane, or deeper than C below all of them) and the surfaces on which two laws are
/// equal. These have to be planes, ellipsoids, round cylinders or cones, the only ones that kernels take, so
///   plane            t + b t^2 at the depth t, one b for all planes of the cell
///   ball, bar        (R^2 - r^2) / 2R;  hollow, bore  (r^2 - R^2) / 2R, r from the centre or the axis.
/// A bore and a plane across it are equal on an ellipsoid for any b < 0 and on a cone for b = 1/2R, a bar and its end
/// on an ellipsoid for b > 0 and on a cone for b = -1/2R, balls with planes on balls for b = 0. Where laws would be
/// equal on other surfaces (a bore beside a face along it) the greatest depth C is small enough for them not to meet:
/// half of the wall.
///
/// Does not exist for endless cells, for parts other than planes, balls and bars, and where laws that meet at an edge
/// have none of these borders (a groove: a bore that cuts a face along it).
DepthField make_cut_field(const CutShape& cell);

}  // namespace abut
