#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "abut/math/pose.hpp"
#include "abut/math/types.hpp"

namespace abut {

/// Rigid shapes, each in its own frame S. Lengths in m, angles in rad. A shape is the set of points it calls solid; the
/// outward normal leaves that set. The structs are plain data: find_shape_defect() says what is wrong with one.

constexpr double kInfiniteLength = std::numeric_limits<double>::infinity();

/// Ball about the origin.
struct Sphere {
  double radius = 1.0;
};

/// Solid where normal . p <= offset.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of the solid
  double offset = 0.0;          ///< [m]
};

/// Solid where |p_i| <= half_size_i.
struct Box {
  Vec3 half_size = Vec3::Ones();
};

/// Round bar along z, |z| <= half_length; an infinite half_length leaves out the ends.
struct Cylinder {
  double radius = 1.0;
  double half_length = kInfiniteLength;
};

/// The outside of an infinite cylinder about z is solid: the wall of a pipe, seen by what moves inside.
struct Bore {
  double radius = 1.0;
};

/// Apex at the origin, axis +z out of the apex, solid towards -z, base at z = -height (none if infinite).
struct Cone {
  double half_angle = 0.5;  ///< between axis and generator, in (0, pi/2) [rad]
  double height = kInfiniteLength;
};

/// All points within `radius` of the segment |z| <= half_length.
struct Capsule {
  double radius = 1.0;
  double half_length = 1.0;
};

/// Solid where sum (p_i / semi_axes_i)^2 <= 1.
struct Ellipsoid {
  Vec3 semi_axes = Vec3::Ones();
};

/// Intersection of the half-spaces normal_k . p <= 0; its edge runs through the origin along normal_1 x normal_2.
struct Wedge {
  Vec3 normal_1 = Vec3::UnitZ();  ///< unit
  Vec3 normal_2 = Vec3::UnitX();  ///< unit
};

/// Solid where (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1, p and q from 2 to kMaxSuperquadricExponent. p = q = 2 is the
/// ellipsoid, large exponents a box with rounded edges, p = 2 with a large q a round bar.
struct Superquadric {
  Vec3 semi_axes = Vec3::Ones();  ///< a, b, c [m]
  double exponent = 2.0;          ///< p, and q where the next one is 0
  double exponent_z = 0.0;        ///< q; 0: the same

  double calc_exponent_z() const { return exponent_z > 0.0 ? exponent_z : exponent; }
};

/// Curvatures at the edges grow with the exponent, those of the faces fall as depth^(p - 2).
constexpr double kMaxSuperquadricExponent = 10.0;

class ConvexPolyhedron;
class ClosedMesh;
struct CellParts;
struct RoundedParts;

/// Ring about z: all points within tube_radius of the circle of ring_radius in the plane z = 0. It has a hole.
struct Torus {
  double ring_radius = 1.0;
  double tube_radius = 0.25;  ///< below ring_radius
  /// Triangles for volumetric contact (geometry/mesh/facets.hpp); null until it needs them.
  std::shared_ptr<const ClosedMesh> facets{};

  double calc_hole_radius() const { return ring_radius - tube_radius; }
};

/// The outside of a ball about the origin is solid: the wall of a spherical hole, seen by what moves inside.
struct Cavity {
  double radius = 1.0;
};

/// Round shell about the origin, cut off by a plane: solid where radius <= |p| <= radius + thickness and z <= depth -
/// radius. Dish, bowl, cup and, where the hollow is deeper than its radius, a socket that a ball cannot leave.
struct Bowl {
  double radius = 1.0;     ///< of the hollow
  double thickness = 0.1;  ///< of the wall
  double depth = 1.0;      ///< of the hollow, below 2 radius

  double calc_outer_radius() const { return radius + thickness; }
  double calc_lip_height() const { return depth - radius; }
  double calc_opening_radius() const { return calc_rim_radius(radius); }  ///< of the inner edge of the lip
  double calc_lip_radius() const { return calc_rim_radius(calc_outer_radius()); }

 private:
  /// Of the circle in which a sphere crosses the plane of the lip.
  double calc_rim_radius(double sphere) const {
    const double z = calc_lip_height();
    return std::sqrt((sphere - z) * (sphere + z));
  }
};

/// Convex solid with flat faces. Copies share it, as they do the solids below.
struct Polyhedron {
  std::shared_ptr<const ConvexPolyhedron> solid;
};

/// What a closed triangle mesh encloses.
struct Mesh {
  std::shared_ptr<const ClosedMesh> solid;
};

/// What several shapes have in common, some of them turned inside out: a block with a hole.
struct CutShape {
  std::shared_ptr<const CellParts> parts;
};

/// What several smooth convex solids have in common, with its edges rounded (geometry/implicit_surface.hpp).
struct Intersection {
  std::shared_ptr<const RoundedParts> parts;
};

using Shape = std::variant<Sphere, HalfSpace, Box, Cylinder, Bore, Cone, Capsule, Ellipsoid, Wedge, Polyhedron, Mesh,
                           CutShape, Superquadric, Intersection, Torus, Cavity, Bowl>;

struct CellPart {
  Shape shape;
  Pose X_SP;                   ///< of the part in the shape's frame
  bool is_complement = false;  ///< what lies outside the part is solid
};

struct CellParts {
  std::vector<CellPart> list;
};

/// The word of the scene vocabulary: "sphere", "half-space", ...
std::string_view shape_name(const Shape& shape);

/// What is wrong with the numbers of a shape, with the offending value, or an empty string.
std::string find_shape_defect(const Shape& shape);

/// Whether its interference with another shape may fall into several pieces: not convex.
bool may_have_several_pieces(const Shape& shape);

/// Whether the solid is bounded, so that it has a volume and an inertia.
bool is_finite(const Shape& shape);

/// Radius of the base of a cone of finite height [m].
double calc_base_radius(const Cone& cone);

}  // namespace abut
