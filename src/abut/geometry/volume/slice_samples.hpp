#pragma once

#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/volume/slice_integral.hpp"

namespace abut {

/// Appends a cubature of the integrated region, in the frame of the slices: slices as in the integral, only fewer, each
/// as a fan from its centroid over equal parts of its boundary; a triangle is cut into rings about the centroid with
/// four points each, a segment has one. The weights sum to the volume. Their number depends on the shape of the slices
/// alone, so they move smoothly between events.
void add_slice_samples(SliceIntegral& integral, int detail, std::vector<VolumeSample>& samples);

/// Appends points a quarter of the way apart along a piece of the slice at t.
void add_piece_points(const SliceScene& scene, double t, const SlicePiece& piece, std::vector<Vec2>& points);

/// The same along all pieces of the slices that an integral has kept, in the frame of the slices.
void add_surface_points(const SliceIntegral& integral, std::vector<Vec3>& points);

}  // namespace abut
