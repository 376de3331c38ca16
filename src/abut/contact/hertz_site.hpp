#pragma once

#include <limits>

#include "abut/contact/body_motion.hpp"
#include "abut/contact/collider.hpp"
#include "abut/geometry/point_contact.hpp"

namespace abut {

/// The surfaces at a point of contact as Hertz's theory sees them: how they curve against each other, and of what size
/// the bodies are there. It decides nothing about forces; it is what records and advice are made from.
struct HertzSite {
  double curvature_1 = 0.0;  ///< relative principal curvatures, the larger first [1/m]
  double curvature_2 = 0.0;  ///< <= 0 where the surfaces conform or touch along a line
  /// What the semi-axes have to be small against: radii of curvature of the bodies themselves, at most their size [m].
  double radius_short = std::numeric_limits<double>::infinity();
  double radius_long = std::numeric_limits<double>::infinity();
  double own_curvature = 0.0;  ///< the weaker one of that body of which it is stronger [1/m]
};

/// Of the contact between two colliders; cheap. An edge has no curvature of its own and counts as flat, as in the
/// stiffness.
HertzSite make_hertz_site(const Collider& a, const Collider& b, const BodyMotion& motion, const PointContact& contact);

/// The patch at a depth under a force.   [Johnson 1985, 4.2]
struct PatchSize {
  double long_axis = 0.0;  ///< semi-axes [m]; long_axis 0: no ellipse, the other is the half-width of a line
  double short_axis = 0.0;
  double mean_pressure = 0.0;  ///< f / (pi a b) [Pa]; 0 where the patch is no ellipse
  double peak_pressure = 0.0;  ///< 3/2 of it, in the middle [Pa]
};
PatchSize calc_patch_size(const HertzSite& site, double depth, double force);

/// Largest semi-axis over what it has to be small against; 0 where nothing curves [1].
double calc_patch_ratio(const HertzSite& site, const PatchSize& size);

/// Whether two bodies curve nearly alike along the patch's longer axis, against each other by less than half of what
/// they curve by themselves: the patch then wraps them long before it is deep.
bool do_conform(const HertzSite& site);

/// Largest pressure over the yield stress at which a Hertzian contact begins to yield, below its surface: 1.60 for a
/// round patch by von Mises and by Tresca at a Poisson ratio of 0.3; up to 1.8 for a long one.   [Johnson, 6.1]
inline constexpr double kYieldPressureRatio = 1.6;

}  // namespace abut
