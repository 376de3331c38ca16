#pragma once

#include <optional>
#include <string>

#include "abut/sim/model.hpp"

namespace abut {

/// A shape with an inside: all but the triangles of a mesh with surface = true.
bool has_inside(const Collider& collider);

/// Where one of two colliders with surfaces lies wholly inside the other, whose surface it does not cross: that
/// perimeter contact sees nothing there, with the sizes, which tell of a mesh in other units.
std::optional<std::string> describe_enclosed(const Model& model, const Collider& a, const Pose& X_a, const Collider& b,
                                             const Pose& X_b, const char* verb);

}  // namespace abut
