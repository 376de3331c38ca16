#pragma once

#include <vector>

#include "abut/geometry/polyhedron/convex_clip.hpp"

namespace abut {

/// Where the plane `nearer` is no deeper than `other`: solid of the plane returned. Zero normal for parallel ones.
Plane make_parting(const Plane& nearer, const Plane& other);

/// What of the clip is nearer to the plane `own` than to the others of the list `nearest` (indices of `planes`, which
/// are given as for PolyhedronClip::cut()). `room` is work space.
ClipVolume calc_nearest_part(const PolyhedronClip& clip, const std::vector<Plane>& planes,
                             const std::vector<int>& nearest, int own, PolyhedronClip& room);

}  // namespace abut
