#pragma once

#include <vector>

#include "abut/geometry/volume/slice_integral.hpp"
#include "abut/geometry/volume/volume_metrics.hpp"

namespace abut {

/// Appends a cubature of the integrated region, in the frame of the slices: slices as in the integral, only fewer, each
/// as a fan from its centroid over equal parts of its boundary; a triangle is cut into rings about the centroid with
/// four points each, a segment has one. The weights sum to the volume. Their number depends on the shape of the slices
/// alone, so they move smoothly between events.
void add_slice_samples(SliceIntegral& integral, int detail, std::vector<VolumeSample>& samples);

}  // namespace abut
