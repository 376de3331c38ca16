#pragma once

#include <string>

#include "abut/math/mass_properties.hpp"

namespace abut {

/// Why no body can have this mass and inertia, or empty. No mass and no inertia together are those of a frame.
std::string find_inertial_defect(const MassProperties& inertial);

/// The nearest that a body can have: mass and centre stay; of the second moments about the principal axes
/// s_i = (trace I) / 2 - I_i those below a thousandth of the largest are raised to it. An inertia that says nothing
/// becomes that of a ball of water of this mass.
MassProperties make_possible(const MassProperties& inertial);

/// A ball of one gram of water: for links that move and have no mass at all.
MassProperties make_small_ball();

/// <mass .../> <inertia .../> to be written; about the centre of mass, axes of the link.
std::string describe_inertial(const MassProperties& inertial);

}  // namespace abut
