#pragma once

#include <span>
#include <vector>

#include "abut/geometry/volume/cell_joint.hpp"
#include "abut/geometry/volume/solid_probe.hpp"

namespace abut {

/// Whether the body has a concave edge somewhere along the rim of the joint of cells a and b that comes from how cells
/// meet: a segment from the surface of one cell to that of another leaves the body, although each of them is convex
/// there. Looks at the rim in many places, always the same ones; edges that turn by less than about 8 degrees do not
/// count. `cells` are all of the body, `thickness` [m] that of the joint, `parent` what both cells were cut from, if
/// anything: its own hollows are no corners.
bool is_concave_corner(std::span<SolidProbe> cells, int a, int b, const JointSolid& joint, double thickness,
                       SolidProbe* parent);

/// Whether segments between points of the listed cells stay in them, for a few thousand of them.
bool looks_convex(std::span<SolidProbe> probes, std::span<const BodyCell> cells, const std::vector<int>& listed,
                  double slack);

}  // namespace abut
