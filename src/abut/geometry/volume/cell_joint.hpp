#pragma once

#include <optional>

#include "abut/geometry/shape.hpp"
#include "abut/math/mass_properties.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// One of the shapes that make up a body, in the body's frame.
struct BodyCell {
  Shape shape;
  Pose X;
};

/// Where two cells of a body meet in a face, as a thin solid about that face in the body's frame.
struct JointSolid {
  Shape shape;
  Pose X;
  MassProperties moments;  ///< of the solid at density 1, in the body's frame
};

/// The face in which two bounded cells meet, given a thickness [m]: what the one, grown by `thickness`, has in common
/// with the other. Nothing where they are further apart or meet in an edge or a corner only. Cells may overlap by less
/// than the thickness. Exact for flat cells and for cells cut from one shape; meshes that are not parts of cells have
/// the hull of the corners they have in common.
/// `size` [m] of the smaller cell: faces smaller than about 10 `thickness` times `size` count as edges.
std::optional<JointSolid> find_joint(const BodyCell& a, const BodyCell& b, double thickness, double size);

/// The parts that two cells have in common, in the body's frame: what both were cut from. Nothing where there are none.
std::optional<CutShape> find_common_parts(const BodyCell& a, const BodyCell& b, double slack);

/// What two bounded cells of a body have in common beyond a layer of `thickness` [m] along their faces [m^3]: nothing
/// where they only touch.
double calc_shared_volume(const BodyCell& a, const BodyCell& b, double thickness);

}  // namespace abut
