#pragma once

#include <span>
#include <vector>

#include "abut/geometry/volume/cell_joint.hpp"
#include "abut/geometry/volume/depth_field.hpp"

namespace abut {

class CellLayout;

/// The depth fields of the cells of one body, each in the frame of its cell, all with the thickness of the body.
///
/// Flat cells that meet in faces share one field, so that it does not matter where a body is cut. With S_j convex
/// solids inside the body that overlap across the joints,
///   phi = max_j phi_{S_j},   integral of phi = sum_J (-1)^(|J|+1) integral of phi_{S_J},   S_J the intersection of J:
/// inclusion and exclusion of the sets {phi_{S_j} > t}, integrated over t. It is zero on the surface of the body and
/// nowhere else inside, except along edges where three or more joints meet that no S_j holds.
/// The S_j are the cells, groups of them that are convex together, and for each joint of two of these what lies inside
/// all their planes but that of the joint, each grown while it stays inside the body.
///
/// Other cells have fields of their own, which vanish on joints too.
std::vector<DepthField> make_body_fields(std::span<const BodyCell> cells, const CellLayout& layout);

}  // namespace abut
