#pragma once

#include <limits>
#include <vector>

#include "abut/geometry/distance/extreme_features.hpp"
#include "abut/geometry/distance/lead_in_hole.hpp"
#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

constexpr double kUnknownDistance = -std::numeric_limits<double>::infinity();

bool is_bounded_convex(const Shape& shape);

/// Of a shape that is bounded and convex.
SupportSolid make_support(const Shape& shape);

/// Farthest extent of a solid along a unit direction, from the world origin [m].
double calc_extent(const SupportSolid& solid, const Pose& X_WS, const Vec3& direction);

/// Distance of a convex solid inside a shape from what lies outside of it; kUnknownDistance where there is no formula.
/// `features`: of the solid, null where there are none [m].
double calc_inside_distance(const SupportSolid& a, const ExtremeFeatures* features, const Pose& X_WA, const Shape& hole,
                            const Pose& X_WB);

/// A hole that leads out of the cell of these parts has no end there: what sticks out of its mouth is not beyond
/// anything. The hole is made longer on that side, by more than anything could stick out.
void open_hole(const std::vector<CellPart>& parts, CellPart& hole);

/// Cones that widen cylindrical holes up to where these leave the cell.
std::vector<LeadInHole> list_lead_ins(const Shape& shape);

}  // namespace abut
