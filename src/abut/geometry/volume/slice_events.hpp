#pragma once

#include <vector>

#include "abut/geometry/volume/quadric_slices.hpp"
#include "abut/geometry/volume/region.hpp"

namespace abut {

/// A region prepared for slicing by the planes z = t of its frame. Half-spaces whose boundary is such a plane limit t;
/// the others leave lines in the slices.
struct SlicedRegion {
  Region region;
  std::vector<QuadricSlices> slices;       ///< of region.quadrics, one for each
  std::vector<int> line_planes;            ///< planes that leave lines
  double t_lower = 0.0, t_upper = 0.0;     ///< outside there is nothing; infinite where that is not known
  int lower_plane = -1, upper_plane = -1;  ///< the planes that set those limits, if planes do
  double scale = 1.0;                      ///< a typical length of what bounds the region [m]
};

/// False when the region is seen to be empty. Requires that every quadric is cut into ellipses.
bool make_sliced_region(const Region& region, SlicedRegion& sliced);

/// The values of t inside the limits where the shape of the slices changes, or may: corners, edges through quadrics,
/// planes touching quadrics, poles, rims through quadrics, quadrics touching quadrics. Between two of them the moments
/// of the slices are analytic functions of t, with square roots at the ends. Unsorted, with repetitions.
/// Events of quadrics with quadrics are found by sampling functions of t that are smooth over the range: two that lie
/// closer than about 1/25 of it, with no sign of them at the samples, may be overlooked.
void find_slice_events(const SlicedRegion& sliced, std::vector<double>& events);

/// The part of it that concerns a pair of quadrics that touch within a slice.
void find_touching_slices(const SlicedRegion& sliced, int i, int j, double t_lower, double t_upper,
                          std::vector<double>& events);

/// Where the curve in which two quadrics meet leaves the rest of the region: points common to three faces.
void find_curve_ends(const SlicedRegion& sliced, int i, int j, double t_lower, double t_upper,
                     std::vector<double>& events);

}  // namespace abut
