#pragma once

#include <string>

#include "abut/contact/collider.hpp"

namespace abut {

/// Distance of two shapes [m]: negative by the depth where a model of contact at points knows it, zero for other pairs
/// that overlap.
double calc_pair_distance(const Collider& a, const Pose& X_WA, const Collider& b, const Pose& X_WB);

/// Why there is none, or an empty string.
std::string find_distance_obstacle(const Collider& a, const Collider& b);

}  // namespace abut
