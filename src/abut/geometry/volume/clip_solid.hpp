#pragma once

#include <memory>

#include "abut/geometry/polyhedron/convex_clip.hpp"

namespace abut {

/// What a clip has left, as a solid of its own in the frame of the clip's origin; null where it encloses no volume.
/// Corners that coincide to rounding, as where a plane runs through a corner, are one.
std::shared_ptr<const ConvexPolyhedron> make_clip_solid(const PolyhedronClip& clip);

}  // namespace abut
