#pragma once

#include <optional>

#include "abut/geometry/distance/support_distance.hpp"
#include "abut/geometry/shape.hpp"

namespace abut {

/// The shape as distances of convex solids know it; nothing where it is not convex.
std::optional<SupportSolid> find_convex_support(const Shape& shape);

}  // namespace abut
