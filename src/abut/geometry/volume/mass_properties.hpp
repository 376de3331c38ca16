#pragma once

#include <utility>
#include <vector>

#include "abut/geometry/shape.hpp"
#include "abut/math/mass_properties.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// Volume of a finite shape [m^3]; aborts for an unbounded one (ask is_finite() first).
double calc_volume(const Shape& shape);

/// Mass, centre of mass and central inertia of a finite homogeneous shape, in the shape frame.
/// density [kg/m^3] > 0; aborts for an unbounded shape.
MassProperties calc_mass_properties(const Shape& shape, double density);

/// The same body seen from another frame: X_BS is the pose of the frame S the properties are given in.
MassProperties transform_mass_properties(const MassProperties& part, const Pose& X_BS);

/// Union of rigidly joined parts (overlaps count twice), each given in its own frame S posed by X_BS; result in B.
/// Parts may have zero mass; with zero mass in all, the centre of mass is the origin.
MassProperties combine_mass_properties(const std::vector<std::pair<MassProperties, Pose>>& parts);

}  // namespace abut
