#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/polyhedron/convex_polyhedron.hpp"
#include "abut/geometry/shape.hpp"
#include "abut/math/pose.hpp"

namespace abut {

/// A depth phi [m] that is a polynomial of second degree: phi(x) = value + gradient . x + x' hessian x / 2.
struct FieldLaw {
  double value = 0.0;            ///< [m]
  Vec3 gradient = Vec3::Zero();  ///< [1]
  Mat3 hessian = Mat3::Zero();   ///< [1/m]

  FieldLaw operator-(const FieldLaw& other) const {
    return {value - other.value, Vec3(gradient - other.gradient), Mat3(hessian - other.hessian)};
  }
};

/// Depth below a plane.
inline FieldLaw make_field_law(const Plane& plane) { return {plane.offset, Vec3(-plane.normal), Mat3::Zero()}; }

/// Integrals of a field over a volume, for one unit of stiffness: what a pressure of 1 N/m^3 times the depth does to
/// the body that is not the carrier.
struct FieldWrench {
  Vec3 force = Vec3::Zero();   ///< - integral of grad phi [m^3]
  Vec3 torque = Vec3::Zero();  ///< about `point` [m^4]
  Vec3 point = Vec3::Zero();   ///< [m]
  double stored = 0.0;         ///< integral of phi [m^4]

  /// Adds another one, its torque taken about this point.
  void add(const FieldWrench& other, double weight = 1.0);
};

/// The wrench of a volume (in the frame of the law) about its centroid. With S the second moments about the centroid c:
///   force = - V grad phi(c),  torque = - integral (x - c) x H (x - c) = axial vector of H S,  stored = V phi(c) + tr(H
///   S)/2
FieldWrench calc_field_wrench(const FieldLaw& law, const VolumeMetrics& metrics);

/// A convex solid of flat faces whose depth below the nearest face counts `sign` times.
struct FieldSolid {
  double sign = 1.0;
  std::vector<Plane> planes;
};

/// A part of the carrier in which the depth is that of another law: `law` is the difference from the main one.
struct FieldPart {
  Shape shape;
  Pose X;  ///< of the shape in the carrier's frame
  FieldLaw law;
  /// The part lies where axis . x >= low, and inside the cone axis . x - |x across the axis| >= low_cone.
  Vec3 axis = Vec3::UnitZ();
  double low = 0.0, low_cone = 0.0;  ///< [m]
};

/// A part of a cell in which one of several laws is the depth.
struct FieldRegion {
  Shape shape;  ///< in the frame of the cell
  int law = 0;  ///< in DepthField::laws
};

/// The depth of the points of a solid below its surface, or a function like it: zero on the surface with slope one
/// there, positive inside, continuous, fixed in the solid. Volumetric contact takes k times its integral over the
/// interference for the energy that it stores, so that its force has a potential.   [docs/theory/volume.md]
///
/// Flat solids: the depth below the nearest face, as a signed sum of convex solids (one, unless it is a part of a
/// larger body). Curved solids: a polynomial of second degree that agrees with the depth to the first order, so that
/// the first and second moments of the interference are enough:
///   ball, bar     (R^2 - r^2) / 2R, r from the centre or the axis;  bore, cavity  (r^2 - R^2) / 2R
///   end of a bar  t - t^2 / 2R at the depth t below it: it meets the side's on a cone of 45 degrees
///   capsule       that of the bar between the ends, that of the balls beyond; cone, ellipsoid: slope one in the mean
/// Cells: such a polynomial for each face, in the region that is nearest to it (cut_field.hpp).
struct DepthField {
  std::vector<FieldSolid> solids;                      ///< flat: the field, in the shape's frame
  std::shared_ptr<const ConvexPolyhedron> polyhedron;  ///< flat and bounded: the shape itself
  std::optional<FieldLaw> law;                         ///< curved: of all of it, up to the parts
  std::vector<FieldPart> parts;
  std::vector<FieldLaw> laws;        ///< cells: of their faces
  std::vector<FieldRegion> regions;  ///< cells: they make up the cell
  double thickness = 0.0;            ///< radius of the largest ball inside [m]

  bool is_flat() const { return !solids.empty(); }
  bool is_cut() const { return !regions.empty(); }
  bool exists() const { return is_flat() || law.has_value() || is_cut(); }
};

/// Does not exist for endless cones, tori, meshes that are not convex and some cells (cut_field.hpp): nothing that the
/// kernels can integrate is known for them.
DepthField make_depth_field(const Shape& shape);

/// Radius of the largest ball inside all planes, inside the polyhedron `about` [m].
double calc_inner_radius(const ConvexPolyhedron& about, const std::vector<Plane>& planes);

/// Which part of the energy is stored in B's field, by the thickness of both bodies [m]: the thicker one carries, alone
/// from twice the thickness on; 1/2 for equal ones.
double calc_carrier_share(double thickness_a, double thickness_b);

}  // namespace abut
