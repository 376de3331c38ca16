#pragma once

#include <array>

#include "abut/geometry/manifold/contact_feature.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Axes of the plane of contact: u, v in it, n across it.
struct ContactPlane {
  explicit ContactPlane(const Vec3& normal) : n(normal), u(any_perpendicular(normal)), v(n.cross(u)) {}
  Vec2 project(const Vec3& p) const { return {u.dot(p), v.dot(p)}; }
  Vec3 lift(const Vec2& x, double height) const { return x.x() * u + x.y() * v + height * n; }

  Vec3 n, u, v;
};

/// A feature seen along the normal of contact: its outline in the plane, and how high it lies over each place.
struct Footprint {
  using Kind = ContactFeature::Kind;

  Footprint(const ContactFeature& feature, const ContactPlane& plane);

  /// Height of the feature at x, along n; outside its outline that of its plane or line [m].
  double calc_height(const Vec2& x) const;
  /// x - center = e_1 w_1 + e_2 w_2 of discs: inside where |w| <= 1.
  Vec2 calc_disc_place(const Vec2& x) const;

  Kind kind = Kind::point;
  int size = 0;
  std::array<Vec2, ContactFeature::kMostCorners> corners;    ///< anticlockwise [m]
  std::array<double, ContactFeature::kMostCorners> heights;  ///< [m]
  std::array<int, ContactFeature::kMostCorners> ids;
  Vec2 center = Vec2::Zero(), e1 = Vec2::Zero(), e2 = Vec2::Zero();  ///< of a disc: an ellipse where it leans [m]
  Vec2 slope = Vec2::Zero();                                         ///< of the height, of flat ones [1]
  double base = 0.0;                                                 ///< height at the origin [m]
  bool is_steep = false;  ///< a flat one that is seen from its side: it has no outline
};

/// A corner of what two footprints have in common.
struct OverlapCorner {
  Vec2 x = Vec2::Zero();  ///< [m]
  int id = 0;             ///< by what it is made of: the same corner at all times
};

/// Corners of the overlap, at most kMostOverlapCorners: those of either inside the other and where outlines cross; of
/// rims four places, besides the crossings. Lines that cross have one, lines side by side the two ends of what they
/// share. Outlines nearer than `slack` [m] to each other count as crossing.
constexpr int kMostOverlapCorners = 2 * ContactFeature::kMostCorners;
int calc_overlap(const Footprint& a, const Footprint& b, double slack, OverlapCorner* out);

}  // namespace abut
