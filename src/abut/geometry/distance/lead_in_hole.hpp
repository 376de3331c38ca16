#pragma once

#include <optional>

#include "abut/geometry/distance/extreme_features.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// A round hole that a cone widens towards its mouth. In its frame H, whose z axis is that of both and whose origin is
/// the middle of the circle in which they meet, it is
///   r < radius              from the bottom up to z = 0,
///   r < radius + slope z    above.
struct LeadInHole {
  Pose X_CH;            ///< in the frame of the cell that it is cut from
  double radius = 0.0;  ///< [m]
  double slope = 0.0;   ///< [1]
  double bottom = 0.0;  ///< z of its bottom [m]; minus infinity where it goes through
};

/// Of two parts of a cell that are taken away from it; nothing where they are not a cylinder and a cone about one axis.
std::optional<LeadInHole> find_lead_in(const CellPart& bore, const CellPart& cone);

/// How far a convex solid in the hole is from everything outside of it, at least; exact where that is a wall and not
/// the circle at z = 0. Below zero: it cuts in. Nothing where the solid is of a kind that cannot be cut at z = 0 [m].
std::optional<double> calc_clearance(const ExtremeFeatures& solid, const Pose& X_CS, const LeadInHole& hole);

}  // namespace abut
