#pragma once

#include <optional>
#include <vector>

#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"
#include "abut/math/trig_quadratic.hpp"

namespace abut {

/// The extreme points of a convex solid: those of its core, which is grown by a margin. Every convex function of place
/// is largest over the core at one of them.
struct ExtremeFeatures {
  /// A circle about the z axis of the solid's frame.
  struct Rim {
    double z = 0.0, radius = 0.0;  ///< [m]
  };
  std::vector<Vec3> points;  ///< [m]
  std::vector<Rim> rims;
  double margin = 0.0;  ///< [m]
};

/// Of bounded convex shapes made of points and circles: sphere, capsule, cylinder, cone, box and polyhedron; of others
/// nothing.
std::optional<ExtremeFeatures> find_extreme_features(const Shape& shape);

/// A circle anywhere, or an ellipse: center + u_x x + u_y y, |u| = 1 [m].
struct PlacedRim {
  Vec3 center = Vec3::Zero(), x = Vec3::Zero(), y = Vec3::Zero();

  Vec3 point(const Vec2& u) const { return center + u.x() * x + u.y() * y; }
};
PlacedRim place_rim(const ExtremeFeatures::Rim& rim, const Pose& X);

/// Where the distance from the z axis is largest and least around the rim: none where it is the same all around.
CirclePoints find_axis_extrema(const PlacedRim& rim);

/// Where r + slope z is largest around the rim, every local maximum; r is the distance from the z axis.
CirclePoints find_cone_maxima(const PlacedRim& rim, double slope);

/// Largest distance of the solid's points from the z axis of frame F [m].
double calc_farthest_from_axis(const ExtremeFeatures& solid, const Pose& X_FS);

/// Largest distance of the solid's points from the origin of frame F [m].
double calc_farthest_from_origin(const ExtremeFeatures& solid, const Pose& X_FS);

/// Largest r + slope z over the solid's core, r the distance from the z axis of frame F: zero where it touches the cone
/// r = - slope z from inside [m].
double calc_farthest_from_cone(const ExtremeFeatures& solid, const Pose& X_FS, double slope);

}  // namespace abut
