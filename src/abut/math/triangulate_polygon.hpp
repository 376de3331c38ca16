#pragma once

#include <array>
#include <vector>

#include "abut/math/types.hpp"

namespace abut {

/// Adds the triangles of a simple, nearly plane polygon to `triangles`, turning the way it does: a fan for a convex
/// one, ears cut off otherwise. `corners` are indices into `vertices`. A polygon that overlaps itself still gives
/// corners - 2 triangles, some of them turned over, so that a closed mesh stays closed.
void triangulate_polygon(const std::vector<Vec3>& vertices, const std::vector<int>& corners,
                         std::vector<std::array<int, 3>>& triangles);

}  // namespace abut
