#pragma once

#include <optional>
#include <string>

#include "abut/geometry/manifold/contact_solid.hpp"
#include "abut/geometry/point_pair.hpp"

namespace abut {

/// The model of a pair under hard contact: that of points where there is one, otherwise a manifold of convex solids,
/// of which one may be a mesh of any form, or nothing. The solids are those that ContactSolid::make() gives for the
/// shapes, null where it gives none.
std::optional<PointPair> find_hard_pair(const Shape& a, const ContactSolid* solid_a, const Shape& b,
                                        const ContactSolid* solid_b);
/// The same, for those who ask once: makes the solids.
std::optional<PointPair> find_hard_pair(const Shape& a, const Shape& b);

/// Why two shapes have no hard contact, or an empty string: then they have.
std::string find_hard_obstacle(const Shape& a, const Shape& b);

}  // namespace abut
