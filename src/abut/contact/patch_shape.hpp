#pragma once

#include "abut/contact/hertz_site.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// What a patch looks like at one instant, as far as its region knows; the rest is zero.
struct PatchShape {
  HertzSite site;  ///< of points
  Vec3 normal = Vec3::Zero();
  double flatness = 0.0;  ///< of volumes: calc_flatness() [1]
  double area = 0.0;      ///< of volumes [m^2]
};

/// The patch of a pair under the largest force it bore; all zero where none is known.
struct PatchPeak {
  double short_axis = 0.0;     ///< semi-axes of Hertz's [m]
  double long_axis = 0.0;      ///< 0 where the patch is no ellipse
  double ratio = 0.0;          ///< of them to what they have to be small against [1]
  double mean_pressure = 0.0;  ///< [Pa]
  double peak_pressure = 0.0;  ///< [Pa]
  bool conforms = false;       ///< see do_conform()
};

/// Hertz's patch at one instant.
struct HertzEllipse {
  HertzSite site;
  PatchSize size;
};

/// Two bodies that overlap in a volume: its geometry, whatever the law.
struct PatchOverlap {
  double volume = 0.0;           ///< [m^3]; 0 while apart
  double area = 0.0;             ///< [m^2]
  double gyration_radius = 0.0;  ///< about the normal [m]
  Mat3 inertia = Mat3::Zero();   ///< [m^5]
  double definition = 0.0;       ///< of the normal, 0 to 1, see PrincipalNormal
  bool lacks_field = false;      ///< a depth field is wanted and neither body has one
};

/// How far a volume stands out of its plane, root mean square of its points along the normal over that of their
/// distance across it: 0.12 for a layer that wraps a round body by 45 degrees. 0 where its thickness, volume over area,
/// explains it, as at a corner.
double calc_flatness(double volume, double area, const Mat3& inertia, const Vec3& normal);

}  // namespace abut
