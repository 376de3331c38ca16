#pragma once

#include "abut/contact/collider.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

/// The nearest points of two colliders that are too far from each other for a manifold to have any; of what is not
/// convex, those of balls about the two.
PointContact calc_distant_contact(const Collider& a, const Pose& X_a, const Collider& b, const Pose& X_b);

}  // namespace abut
