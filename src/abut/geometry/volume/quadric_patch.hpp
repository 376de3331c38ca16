#pragma once

#include <vector>

#include "abut/geometry/moments/volume_moments.hpp"
#include "abut/geometry/volume/conic_arc.hpp"
#include "abut/geometry/volume/unit_quadric.hpp"

namespace abut {

/// A bit of a surface: the sum of f(x) . area is the integral of f . n dA.
struct SurfaceNode {
  Vec3 x = Vec3::Zero(), area = Vec3::Zero();
};

/// Moments of the cone from a point O of a quadric's surface over a part D of that surface, as integrals along the
/// boundary of D. With O on the surface nothing large cancels, however thin the volume between D and what cuts it off.
///
/// (x - O) . n dA is h dA on the unit sphere and the unit cylinder and l_0 sin(a) h dA on a cone, with h = 1 - cos of
/// the angle from O (about the axis, where there is one). So every moment is an integral of h times a polynomial, which
/// Green's theorem takes to the boundary in closed form; docs/theory/volume-curved.md has the forms.
class QuadricPatch {
 public:
  /// Chooses O for the boundary of D, given in any order, D to its right. `is_apex_in` says that D holds the apex of
  /// the cone.
  QuadricPatch(const UnitQuadric& quadric, const std::vector<CurveNode>& boundary, bool is_apex_in);

  const Vec3& origin() const { return origin_; }
  /// Adds what a node of the boundary contributes, D to its left seen from outside; `sign` -1 for the other way. In
  /// axes of the patch's own: turn_back() leads to those of the unit coordinates.
  void add(const CurveNode& node, double sign, VolumeMoments& moments) const;
  VolumeMoments turn_back(const VolumeMoments& moments) const { return rotate_moments(moments, axes_); }

  /// The point of the surface where the boundary integrals have their source, if there is one: where it belongs to D,
  /// calc_source() has to be added.
  bool has_source() const { return has_source_; }
  const Vec3& source() const { return source_; }
  VolumeMoments calc_source() const;

  /// Coordinates on the surface: angle about the axis through O's pole (or the quadric's), and a height that falls
  /// towards that pole (sphere), the apex (cone) or along the axis; (angle, height) turn as the outward normal wants.
  Vec2 calc_chart(const Vec3& x) const;

  /// Appends n bits (six for five) of the strip of D between the pole, the apex or the height of O and a node of the
  /// boundary.
  void add_strip(const CurveNode& node, double sign, int n, std::vector<SurfaceNode>& bits) const;
  /// Node k of n on a small circle around the source, whose strips cover the sphere.
  CurveNode make_node_at_source(int k, int n) const;

 private:
  void place_on_sphere(const std::vector<CurveNode>& boundary, const Vec3& area);
  void place_on_bar(const std::vector<CurveNode>& boundary, const Vec3& area, bool is_apex_in);
  void add_sphere(const CurveNode& node, double sign, VolumeMoments& moments) const;
  void add_bar(const CurveNode& node, double sign, VolumeMoments& moments) const;

  UnitQuadric quadric_;
  Vec3 origin_ = Vec3::Zero(), source_ = Vec3::Zero();
  Mat3 axes_ = Mat3::Identity();  ///< sphere: z through O; cylinder and cone: x towards O, z the axis
  double reach_ = 0.0;            ///< cone: distance of O from the apex along the axis, 0 when it is the apex
  bool has_source_ = false;
};

}  // namespace abut
