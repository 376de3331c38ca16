#pragma once

#include <vector>

#include "abut/geometry/volume/region.hpp"
#include "abut/geometry/volume/slice_components.hpp"
#include "abut/geometry/volume/slice_integral.hpp"
#include "abut/geometry/volume/volume_metrics.hpp"

namespace abut {

/// A connected piece of a region: moments about `origin`, both in the frame of the region, and the integral of the
/// outward normal of owner 1 over its part of the surface.
struct RegionPiece {
  VolumeMoments moments;
  Vec3 origin = Vec3::Zero();        ///< [m]
  Vec3 area_vector = Vec3::Zero();   ///< [m^2]
  std::vector<Vec3> surface_points;  ///< some, where the region was split [m]
};

/// Moments of a region by slices in the direction that suits it best.
class RegionVolume {
 public:
  /// Appends the pieces of the region: all of it as one, or its connected components. False when no direction cuts all
  /// quadrics into ellipses.
  bool calc(const Region& region, const QuadratureOptions& options, bool split, std::vector<RegionPiece>& pieces);

  /// The same in slices across a given unit vector; requires that it cuts all quadrics into ellipses.
  void calc_along(const Vec3& axis, const Region& region, const QuadratureOptions& options, bool split,
                  std::vector<RegionPiece>& pieces);

  /// Points and weights of a cubature of the region, after calc(): see VolumePair::calc_samples().
  void add_samples(int detail, std::vector<VolumeSample>& samples);

  double relative_error() const { return integral_.relative_error(); }
  int num_slices() const { return integral_.num_slices(); }

 private:
  SlicedRegion sliced_;
  Region local_;
  SliceIntegral integral_;
  SliceComponents splitter_;
  std::vector<SliceComponent> components_;
  Pose X_RF_;  ///< frame of the slices in that of the region
  double side_sign_ = 1.0;
};

/// Direction in which to slice, and how well it suits (calc_slice_quality() of the worst quadric).
struct SliceDirection {
  Vec3 axis = Vec3::UnitZ();
  double quality = 0.0;
};
SliceDirection choose_slice_direction(const Region& region);

}  // namespace abut
