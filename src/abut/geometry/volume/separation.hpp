#pragma once

#include <vector>

#include "abut/geometry/volume/cell.hpp"
#include "abut/geometry/volume/solid.hpp"

namespace abut {

/// A lower bound of the distance between two cells, both in one frame [m]; exact where a half-space, a round hole or
/// the centres decide. Not positive: no witness of a gap was found.
double calc_cell_separation(const Cell& a, const Cell& b);

/// Distance of a ball from a solid [m], exact for a single part and a lower bound for several; negative when the ball
/// reaches in. The centre in the frame of the solid. Requires parts that are shapes.
double calc_ball_separation(const Vec3& center, double radius, const Solid& solid);

/// Whether calc_ball_separation() knows all parts.
bool has_only_shapes(const Solid& solid);

}  // namespace abut
